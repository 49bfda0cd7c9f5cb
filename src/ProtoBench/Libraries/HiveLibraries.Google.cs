using Google.Protobuf;
using ProtoBench.Gpb;
using ProtoBench.Payloads;

namespace ProtoBench.Libraries;

public static partial class HiveLibraries
{
    static HiveLibrary Google { get; } = new()
    {
        Cell = "Google",
        Label = "Google.Protobuf",
        Order = 0,
        Colour = 1,
        Buffers = ["BA", "MS", "CS", "ROM", "ROS", "PR", "BW", "PW"],
        MemoryForms = ["H", "A"],
        Package = "Google.Protobuf",
        Assembly = typeof(MessageParser).Assembly,
        Codec = new(
            ForwardRequest.Parser.ParseFrom,
            ForwardResponse.Parser.ParseFrom,
            static message => ((IMessage)message).ToByteArray(),
            static message => message switch
            {
                ForwardRequest request => request.Fingerprint(),
                ForwardResponse response => response.Fingerprint(),
                _ => null,
            })
        {
            Written = HiveCodec.ProtobufWritten(MixedOrder.Regular),
        },
    };

    // The response has no itemId, so there is one ForwardResponse for both schemas.
    static HiveLibrary GoogleBytes { get; } = Google with
    {
        Cell = "GoogleBytes",
        Label = "Google.Protobuf, bytes for strings",
        Order = 1,
        Colour = 4,
        Buffers = ["BA"],
        MemoryForms = [],
        Codec = Google.Codec! with
        {
            ParseRequest = GpbBytes.ForwardRequest.Parser.ParseFrom,
            FingerprintOf = static message => message is GpbBytes.ForwardRequest request
            ? request.Fingerprint() : Google.Codec!.FingerprintOf(message),
        },
    };
}
