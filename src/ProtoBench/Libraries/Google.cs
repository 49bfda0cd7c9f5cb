using Google.Protobuf;
using ProtoBench.Gpb;
using ProtoBench.Payloads;

namespace ProtoBench.Libraries;

public static partial class HiveLibraries
{
    static HiveLibrary Google { get; } = new(
        "Google",
        "Google.Protobuf",
        typeof(MessageParser).Assembly,
        ForwardRequest.Parser.ParseFrom,
        ForwardResponse.Parser.ParseFrom,
        message => ((IMessage)message).ToByteArray(),
        message => message switch
        {
            ForwardRequest request => request.Census(),
            ForwardResponse response => response.Census(),
            _ => null,
        },
        MixedOrder.Regular);

    // The response has no itemId, so there is one ForwardResponse for both schemas.
    static HiveLibrary GoogleBytes { get; } = Google with
    {
        Cell = "GoogleBytes",
        ParseRequest = GpbBytes.ForwardRequest.Parser.ParseFrom,
        CensusOf = message => message is GpbBytes.ForwardRequest request ? request.Census() : Google.CensusOf(message),
    };
}
