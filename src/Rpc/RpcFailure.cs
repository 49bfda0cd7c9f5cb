using Grpc.Core;

namespace ProtoBench.Rpc;

/// <summary>Makes the exception of a call that failed.</summary>
public static class RpcFailure
{
    /// <summary>An exception whose message is the text alone.</summary>
    /// <param name="code">Why the call failed.</param>
    /// <param name="text">What is sent to the other side.</param>
    /// <param name="inner">The cause, which stays on this side; null for none.</param>
    /// <param name="trailers">Metadata that is sent, or was received, with the status; null for none.</param>
    public static RpcException Of(StatusCode code, string text, Exception? inner = null, Metadata? trailers = null) =>
        new(new Status(code, text, inner), trailers ?? [], text);
}
