using ProtoBench.Payloads;
using ProtoBench.Pbn;
using ProtoBuf;

namespace ProtoBench.Libraries;

public static partial class HiveLibraries
{
    static HiveLibrary ProtobufNet { get; } = new()
    {
        Cell = "PBN",
        Label = "protobuf-net",
        Order = 10,
        Colour = 3,
        Buffers = ["MS", "CS", "ROM", "ROS", "PR", "BW", "PW"],
        MemoryForms = ["H", "M", "T", "P"],
        Package = "protobuf-net",
        Assembly = typeof(Serializer).Assembly,
        Codec = new(
            static bytes => Serializer.Deserialize<ForwardRequest>((ReadOnlyMemory<byte>)bytes),
            static bytes => Serializer.Deserialize<ForwardResponse>((ReadOnlyMemory<byte>)bytes),
            static message =>
            {
                using var stream = new MemoryStream();
                Serializer.NonGeneric.Serialize(stream, message);
                return stream.ToArray();
            },
            static message => message switch
            {
                ForwardRequest request => request.Fingerprint(),
                ForwardResponse response => response.Fingerprint(),
                SlabRequest request => request.Fingerprint(),
                SlabResponse response => response.Fingerprint(),
                _ => null,
            })
        {
            Written = HiveCodec.ProtobufWritten(MixedOrder.KnownOnly), // a plain contract keeps no unknown fields
        },
    };
}
