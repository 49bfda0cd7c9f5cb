using System.Net.Sockets;
using System.Security.Authentication;
using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Connections;

namespace ProtoBench.Rpc.Clients;

/// <summary>Maps failures of the connection to the status of a call.</summary>
static class TransportFailure
{
    public static RpcException ToRpc(Exception failure, in CallDeadline deadline, RpcEndpoint endpoint)
    {
        if (deadline.Passed)
            return new(RpcStatus.DeadlineExceeded, "the deadline has passed", failure);
        if (deadline.Token.IsCancellationRequested)
            return new(RpcStatus.Cancelled, "cancelled by the caller", failure);
        if ((failure as HttpProtocolException ?? failure.InnerException as HttpProtocolException) is { } protocol)
            return new(StatusOf(protocol.ErrorCode), $"the peer reset the call with HTTP/2 code {protocol.ErrorCode}", failure);
        if (failure.InnerException is AuthenticationException)
            return new(RpcStatus.Unavailable, $"{endpoint}: the TLS handshake failed, or the certificate is not the expected one", failure);
        if (failure is HttpRequestException { HttpRequestError: HttpRequestError.ConnectionError or HttpRequestError.NameResolutionError }
            || failure.InnerException is SocketException)
            return new(RpcStatus.Unavailable, $"no host answers at {endpoint}", failure);
        return failure is HttpRequestException or IOException or OperationCanceledException or ObjectDisposedException
            ? new(RpcStatus.Unavailable, $"the connection to {endpoint} was lost", failure)
            : new(RpcStatus.Internal, "the client failed", failure);
    }

    /// <summary>grpc/grpc, doc/PROTOCOL-HTTP2.md. Code 0 alone differs: it also stands for a peer that shut the connection down in order
    /// (GOAWAY with NO_ERROR gives the same exception), and that is UNAVAILABLE.</summary>
    static RpcStatus StatusOf(long code) => code switch
    {
        0 or 7 => RpcStatus.Unavailable,
        8 => RpcStatus.Cancelled,
        11 => RpcStatus.ResourceExhausted,
        12 => RpcStatus.PermissionDenied,
        5 => RpcStatus.Unknown,
        _ => RpcStatus.Internal,
    };
}
