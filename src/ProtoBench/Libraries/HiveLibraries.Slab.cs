using ProtoBench.Benchmarks;
using ProtoBench.Codec;
using ProtoBench.Payloads;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.Libraries;

public static partial class HiveLibraries
{
    static HiveLibrary Slab { get; } = new()
    {
        Cell = "Slab",
        Label = "slab codec",
        Order = 20,
        Colour = 2,
        Buffers = ["BA", "MS", "CS", "ROM", "ROS", "PR", "BW", "PW"],
        MemoryForms = ["A"],
        Package = "ProtoBench.Codec",
        Assembly = typeof(WireReader).Assembly,
        Codec = new(
            static wire => SlabMessages.Parsed<ForwardRequest>(wire),
            static wire => SlabMessages.Parsed<ForwardResponse>(wire),
            static message => message is Message<ForwardRequest> request
            ? request.ToByteArray() : ((Message<ForwardResponse>)message).ToByteArray(),
            static message => message switch
            {
                Message<ForwardRequest> request => request.Value.Fingerprint(),
                Message<ForwardResponse> response => response.Value.Fingerprint(),
                _ => null,
            })
        {
            Written = HiveCodec.ProtobufWritten(MixedOrder.Regular),
        },
    };
}
