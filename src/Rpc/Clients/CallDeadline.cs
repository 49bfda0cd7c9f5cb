using System.Net.Sockets;
using System.Security.Authentication;
using System.Text.RegularExpressions;

namespace ProtoBench.Rpc;

/// <summary>The cancellation of a client's call, by its caller or by its deadline. Allocates nothing without a deadline.</summary>
readonly struct CallDeadline(CancellationTokenSource? source, CancellationToken caller) : IDisposable
{
    public CancellationToken Token => source?.Token ?? caller;

    /// <summary>Whether the deadline has passed and the caller had not cancelled before.</summary>
    public bool Passed => !caller.IsCancellationRequested && source is { IsCancellationRequested: true };

    public static CallDeadline Start(TimeSpan? timeout, CancellationToken caller)
    {
        if (timeout is not { } time)
            return new(null, caller);
        if (time <= TimeSpan.Zero)
            throw RpcFailure.Of(StatusCode.DeadlineExceeded, "the deadline has passed before the call began");
        var source = CancellationTokenSource.CreateLinkedTokenSource(caller);
        source.CancelAfter(time);
        return new(source, caller);
    }

    public void Dispose() => source?.Dispose();
}

public static partial class TransportFailure
{
    const string pingLimit = "(by default, servers of gRPC take a PING in 5 minutes)";

    /// <summary>What the debug data of a GOAWAY says (grpc/grpc, doc/keepalive.md).</summary>
    public const string TooManyPings = "the server said too_many_pings " + pingLimit;

    public const string NoAnswerToPing = "the server has not answered a PING";

    internal static RpcException ToRpc(Exception failure, in CallDeadline deadline, RpcEndpoint endpoint, bool answered = false)
    {
        if (deadline.Passed)
            return RpcFailure.Of(StatusCode.DeadlineExceeded, "the deadline has passed", failure);
        if (deadline.Token.IsCancellationRequested)
            return RpcFailure.Of(StatusCode.Cancelled, "cancelled by the caller", failure);
        if ((failure as HttpProtocolException ?? failure.InnerException as HttpProtocolException) is { } protocol)
            return RpcFailure.Of(StatusOf(protocol.ErrorCode), $"the peer reset the call with HTTP/2 code {protocol.ErrorCode}", failure);
        if (OfConnection(failure, endpoint, answered) is { } lost)
            return lost;
        return failure is HttpRequestException or IOException or OperationCanceledException or ObjectDisposedException
            ? RpcFailure.Of(StatusCode.Unavailable, $"the connection to {endpoint} was lost", failure)
            : RpcFailure.Of(StatusCode.Internal, "the client failed", failure);
    }

    /// <summary>The exception for a connection that could not be opened or was lost, with the reason in its text; null for any other
    /// failure.</summary>
    /// <param name="answered">Whether the client has had an answer before.</param>
    public static RpcException? OfConnection(Exception failure, RpcEndpoint endpoint, bool answered = false) =>
        Reason(failure, endpoint, answered) is { } reason ? RpcFailure.Of(StatusCode.Unavailable, reason, failure) : null;

    /// <summary>The exception for a connection that a PING or its absence has ended; null for any other failure. SocketsHttpHandler has no
    /// property for either, and no debug data of a GOAWAY.</summary>
    internal static RpcException? OfKeepAlive(Exception? failure, RpcEndpoint endpoint)
    {
        var cause = failure;
        while (cause is not (null or HttpProtocolException))
            cause = cause.InnerException;
        var reason = cause switch
        {
            HttpProtocolException one when one.Message.Contains("respond to a ping", StringComparison.Ordinal) => NoAnswerToPing,
            HttpProtocolException { ErrorCode: 11 } one when one.Message.Contains("closed the connection", StringComparison.Ordinal) =>
                $"the server said ENHANCE_YOUR_CALM, perhaps because of too many PINGs {pingLimit}",
            _ => null,
        };
        return reason is null ? null : RpcFailure.Of(StatusCode.Unavailable, $"the connection to {endpoint} was lost: {reason}", failure);
    }

    /// <summary>The reason for a connection that was lost before the server had sent its SETTINGS.</summary>
    public static string NoHandshake(RpcEndpoint endpoint, Exception? failure = null) => Alert(failure) is { } alert
        ? $"{endpoint}: the server refused the TLS handshake: {alert}{Doubt(endpoint)}"
        : $"{endpoint}: the server did not complete the HTTP/2 handshake{(endpoint.Tls ? Doubt(endpoint) : "; does the port speak TLS only?")}";

    // With TLS 1.3 a server refuses a client's certificate when the handshake is over for the client. Kestrel sends no alert.
    static string Doubt(RpcEndpoint endpoint) => endpoint.ClientCertificate is { } own
        ? $"; does it accept the client certificate {own.TargetCertificate.Subject}?" : "; does it want a client certificate?";

    /// <summary>Returns the alert with which a server has refused, as OpenSSL names it: "certificate required".</summary>
    static string? Alert(Exception? failure)
    {
        for (; failure is not null; failure = failure.InnerException)
        {
            if (AlertText().Match(failure.Message) is { Success: true } found)
                return found.Groups[1].Value;
        }

        return null;
    }

    [GeneratedRegex(@"\balert ([a-z ]*[a-z])")]
    private static partial Regex AlertText();

    static string? Reason(Exception failure, RpcEndpoint endpoint, bool answered) => failure switch
    {
        { InnerException: CertificateException refused } => $"{endpoint}: {refused.Message}",
        _ when Alert(failure) is not null => NoHandshake(endpoint, failure),
        { InnerException: AuthenticationException } or HttpRequestException { HttpRequestError: HttpRequestError.SecureConnectionError } =>
            $"{endpoint}: the TLS handshake failed; does the port speak TLS?",
        HttpRequestException { HttpRequestError: HttpRequestError.NameResolutionError } => $"the name '{endpoint.Host}' does not resolve",
        { InnerException: SocketException { SocketErrorCode: SocketError.HostNotFound or SocketError.TryAgain or SocketError.NoData } } =>
            $"the name '{endpoint.Host}' does not resolve",
        HttpRequestException { HttpRequestError: HttpRequestError.ConnectionError } or { InnerException: SocketException } =>
            $"no host answers at {endpoint}",
        HttpRequestException { HttpRequestError: HttpRequestError.ResponseEnded }
            or HttpRequestException { InnerException: IOException and not HttpProtocolException } when answered => $"the connection to {endpoint} was lost",
        // Without a kind and a cause, the connection was lost before its SETTINGS arrived, when it had already taken the request.
        HttpRequestException { HttpRequestError: HttpRequestError.InvalidResponse or HttpRequestError.ResponseEnded }
            or HttpRequestException { HttpRequestError: HttpRequestError.Unknown, InnerException: null } => NoHandshake(endpoint),
        // A server that closes the connection while the client still sends gives one of several exceptions.
        HttpRequestException { InnerException: IOException and not HttpProtocolException } => endpoint.Tls ? NoHandshake(endpoint)
            // A port with TLS closes the connection on an HTTP/2 preface. Its TLS alert arrives too late to be read.
            : $"{endpoint}: the connection was closed before the server answered; does the port speak TLS only?",
        _ => null,
    };

    /// <summary>Returns the status of a call that was reset with an HTTP/2 code, as grpc/grpc, doc/PROTOCOL-HTTP2.md. But code 0 is
    /// UNAVAILABLE, because a peer shuts down with NO_ERROR too.</summary>
    public static StatusCode StatusOf(long code) => code switch
    {
        0 or 7 => StatusCode.Unavailable,
        8 => StatusCode.Cancelled,
        11 => StatusCode.ResourceExhausted,
        12 => StatusCode.PermissionDenied,
        5 => StatusCode.Unknown,
        _ => StatusCode.Internal,
    };
}
