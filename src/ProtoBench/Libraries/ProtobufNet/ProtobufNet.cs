using ProtoBench.Payloads;
using ProtoBench.Pbn;
using ProtoBuf;

namespace ProtoBench.Libraries;

public static partial class HiveLibraries
{
    static partial void AddProtobufNet(List<HiveLibrary> all) => all.Add(new(
        "PBN",
        "protobuf-net",
        typeof(Serializer).Assembly,
        bytes => Serializer.Deserialize<ForwardRequest>((ReadOnlyMemory<byte>)bytes),
        bytes => Serializer.Deserialize<ForwardResponse>((ReadOnlyMemory<byte>)bytes),
        message =>
        {
            using var stream = new MemoryStream();
            Serializer.NonGeneric.Serialize(stream, message);
            return stream.ToArray();
        },
        message => message switch
        {
            ForwardRequest request => request.Census(),
            ForwardResponse response => response.Census(),
            SlabRequest request => request.Census(),
            SlabResponse response => response.Census(),
            _ => null,
        },
        MixedOrder.KnownOnly)); // a plain contract keeps no unknown fields
}
