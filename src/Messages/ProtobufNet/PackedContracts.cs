using ProtoBuf;

namespace ProtoBench.Pbn;

// The messages of packed.proto with one list, with ordinary types of protobuf-net.

[ProtoContract]
public sealed class PackedFloats
{
    [ProtoMember(1, IsPacked = true)] public List<float> Values { get; } = [];
}

[ProtoContract]
public sealed class PackedDoubles
{
    [ProtoMember(1, IsPacked = true)] public List<double> Values { get; } = [];
}

[ProtoContract]
public sealed class PackedInt32s
{
    [ProtoMember(1, IsPacked = true)] public List<int> Values { get; } = [];
}

[ProtoContract]
public sealed class PackedSInt64s
{
    [ProtoMember(1, IsPacked = true, DataFormat = DataFormat.ZigZag)] public List<long> Values { get; } = [];
}
