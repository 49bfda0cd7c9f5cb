using Grpc.Core;

namespace ProtoBench.Rpc;

/// <summary>Creates the exception of a failed call.</summary>
public static class RpcFailure
{
    /// <summary>Creates an exception whose message is the text alone.</summary>
    /// <param name="code">The status of the call.</param>
    /// <param name="text">The text that is sent to the other side.</param>
    /// <param name="inner">The cause, which is not sent; null for none.</param>
    /// <param name="trailers">Metadata that is sent, or was received, with the status; null for none.</param>
    public static RpcException Of(StatusCode code, string text, Exception? inner = null, Metadata? trailers = null) =>
        new(new Status(code, text, inner), trailers ?? [], text);
}
