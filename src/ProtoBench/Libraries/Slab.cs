using ProtoBench.Codec;
using ProtoBench.Payloads;
using ProtoBench.Slab;

namespace ProtoBench.Libraries;

public static partial class HiveLibraries
{
    static HiveLibrary Slab { get; } = new(
        "Slab",
        "ProtoBench.Codec",
        typeof(WireReader).Assembly,
        static wire => SlabMessages.Parsed<ForwardRequest>(wire),
        static wire => SlabMessages.Parsed<ForwardResponse>(wire),
        message => message is Message<ForwardRequest> request ? request.ToByteArray() : ((Message<ForwardResponse>)message).ToByteArray(),
        message => message switch
        {
            Message<ForwardRequest> request => request.Value.Census(),
            Message<ForwardResponse> response => response.Value.Census(),
            _ => null,
        },
        MixedOrder.Regular);
}
