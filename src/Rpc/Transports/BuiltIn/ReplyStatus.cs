using System.Globalization;
using System.Net;
using System.Net.Http.Headers;
using ProtoBench.Rpc.Calls;

namespace ProtoBench.Rpc.Transports.BuiltIn;

/// <summary>The outcome of a call in a reply: the HTTP status, and the gRPC
/// status in the trailers or, without messages, in the headers.</summary>
static class ReplyStatus
{
    /// <summary>Returns a reply that is gRPC over HTTP/2; disposes any other.</summary>
    /// <exception cref="RpcException">The status that gRPC gives to such a reply.</exception>
    public static HttpResponseMessage Checked(HttpResponseMessage reply)
    {
        var failure = Judge(reply);
        if (failure is null)
            return reply;
        reply.Dispose();
        throw failure;
    }

    /// <summary>Reads the status at the end of a reply.</summary>
    /// <exception cref="RpcException">The status is not OK, or missing.</exception>
    public static void ThrowUnlessOk(HttpResponseMessage reply, RpcMetadata? metadata)
    {
        var trailers = Find(reply.TrailingHeaders, "grpc-status") is null ? reply.Headers : reply.TrailingHeaders;
        var text = Find(trailers, "grpc-status");
        if (metadata is not null)
            CopyHeaders(trailers, metadata);
        if (text != "0")
            throw Failure(trailers, text);
    }

    /// <summary>Metadata out of headers or trailers.</summary>
    public static void CopyHeaders(HttpResponseHeaders headers, RpcMetadata target)
    {
        foreach (var (name, values) in headers.NonValidated)
        {
            foreach (var value in values)
                target.AddReceived(name, value);
        }
    }

    /// <summary>The value of a header, or null.</summary>
    public static string? Find(HttpResponseHeaders headers, string name) =>
        headers.NonValidated.TryGetValues(name, out var values) ? values.ToString() : null;

    static RpcException? Judge(HttpResponseMessage reply)
    {
        if (reply.Version != HttpVersion.Version20)
            return new(RpcStatus.Internal, $"the peer answered in HTTP/{reply.Version}, not HTTP/2");
        if (reply.StatusCode == HttpStatusCode.OK && IsGrpc(reply.Content.Headers))
            return null;
        if (Find(reply.Headers, "grpc-status") is { } text and not "0")
            return Failure(reply.Headers, text);
        return reply.StatusCode == HttpStatusCode.OK
            ? new(RpcStatus.Unknown, "the peer's reply is not gRPC: its content-type is not application/grpc")
            : new(StatusOf(reply.StatusCode), $"the peer answered with HTTP status {(int)reply.StatusCode}");
    }

    static bool IsGrpc(HttpContentHeaders headers) =>
        headers.NonValidated.TryGetValues("Content-Type", out var values)
        && values.ToString().StartsWith("application/grpc", StringComparison.OrdinalIgnoreCase);

    static RpcException Failure(HttpResponseHeaders headers, string? status)
    {
        var metadata = new RpcMetadata();
        CopyHeaders(headers, metadata);
        var known = int.TryParse(status, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            && number is > 0 and <= (int)RpcStatus.Unauthenticated;
        var text = status is null ? "the peer ended the call without a status" : StatusText.Decode(Find(headers, "grpc-message") ?? "");
        return new(known ? (RpcStatus)number : RpcStatus.Unknown, text) { Trailers = metadata };
    }

    /// <summary>grpc/grpc, doc/http-grpc-status-mapping.md.</summary>
    static RpcStatus StatusOf(HttpStatusCode status) => (int)status switch
    {
        400 => RpcStatus.Internal,
        401 => RpcStatus.Unauthenticated,
        403 => RpcStatus.PermissionDenied,
        404 => RpcStatus.Unimplemented,
        429 or 502 or 503 or 504 => RpcStatus.Unavailable,
        _ => RpcStatus.Unknown,
    };
}
