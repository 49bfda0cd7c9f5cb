using ProtoBuf;
using ProtoBuf.Meta;

namespace ProtoBench.Pbn;

/// <summary>The serializers of the ordinary contracts. protobuf-net's generator writes them in the build. The default model writes its own
/// with Reflection.Emit at the first call.</summary>
#pragma warning disable PBN9001 // the generator is marked as experimental
[ProtoModel]
[ProtoSerializable(typeof(ForwardRequest))]
[ProtoSerializable(typeof(ForwardResponse))]
[ProtoSerializable(typeof(Echo))]
[ProtoSerializable(typeof(PackedFloats))]
[ProtoSerializable(typeof(PackedDoubles))]
[ProtoSerializable(typeof(PackedInt32s))]
[ProtoSerializable(typeof(PackedSInt64s))]
[ProtoSerializable(typeof(Animal))]
[ProtoSerializable(typeof(GroupedAnimal))]
public sealed partial class ContractModel : TypeModel;

/// <summary>Has the model of the messages of wide.proto, whose contracts are generated in the build.</summary>
public readonly partial struct WideContracts;
