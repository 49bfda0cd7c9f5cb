using System.Buffers.Binary;
using System.Net;

namespace ProtoBench.Rpc.Tests;

/// <summary>A request that no gRPC client would send.</summary>
sealed class RawRequest(RpcEndpoint endpoint) : IDisposable
{
    // else %74 is sent as t
    static readonly UriCreationOptions asItIs = new() { DangerousDisablePathAndQueryCanonicalization = true };
    readonly HttpConnection connection = new(endpoint);

    /// <summary>A message of gRPC with its prefix (grpc/grpc, doc/PROTOCOL-HTTP2.md), of which the first bytes are there.</summary>
    /// <param name="length">The bytes that the prefix announces.</param>
    public static byte[] Frame(int length, int there)
    {
        var frame = new byte[5 + there];
        BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(1), length);
        return frame;
    }

    public void Dispose() => connection.Dispose();

    /// <returns>HTTP's status, grpc-status from wherever it stands, and the reply.</returns>
    public Task<(int Http, StatusCode? Grpc, HttpResponseMessage Reply)> SendAsync(
        byte[] body, Action<HttpRequestMessage>? change = null, string path = "/test.Echo/Echo", string contentType = "application/grpc") =>
        SendAsync((stream, cancellationToken) => stream.WriteAsync(body, cancellationToken).AsTask(), change, path, contentType);

    /// <summary>Sends what <paramref name="write"/> writes, when it writes it.</summary>
    public async Task<(int Http, StatusCode? Grpc, HttpResponseMessage Reply)> SendAsync(
        Func<Stream, CancellationToken, Task> write, Action<HttpRequestMessage>? change = null, string path = "/test.Echo/Echo",
            string contentType = "application/grpc", CancellationToken cancellationToken = default)
    {
        using var limited = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limited.CancelAfter(TimeSpan.FromMinutes(10));
        var reply = await BeginAsync(write, change, path, contentType, limited.Token);
        await reply.Content.ReadAsByteArrayAsync(limited.Token);
        return ((int)reply.StatusCode, Status(reply), reply);
    }

    /// <summary>Sends a request, and reads no more of the reply than its head.</summary>
    public async Task<HttpResponseMessage> BeginAsync(
        Func<Stream, CancellationToken, Task> write, Action<HttpRequestMessage>? change = null, string path = "/test.Echo/Echo",
            string contentType = "application/grpc", CancellationToken cancellationToken = default)
    {
        using var invoker = new HttpMessageInvoker(connection.Handler, disposeHandler: false);
        using var content = new WrittenContent(write, cancellationToken);
        using var request = new HttpRequestMessage(HttpMethod.Post, new Uri(endpoint.Url.GetLeftPart(UriPartial.Authority) + path, asItIs))
        {
            Version = HttpVersion.Version20,
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
            Content = content,
        };
        content.Headers.TryAddWithoutValidation("Content-Type", contentType);
        change?.Invoke(request);
        return await invoker.SendAsync(request, cancellationToken);
    }

    /// <summary>grpc-status from wherever it stands; null where it has not arrived.</summary>
    public static StatusCode? Status(HttpResponseMessage reply) => (Value(reply.TrailingHeaders) ?? Value(reply.Headers)) is { } status
        ? (StatusCode)int.Parse(status, System.Globalization.CultureInfo.InvariantCulture) : null;

    static string? Value(System.Net.Http.Headers.HttpResponseHeaders headers) =>
        headers.TryGetValues("grpc-status", out var values) ? values.Single() : null;

    sealed class WrittenContent(Func<Stream, CancellationToken, Task> write, CancellationToken caller) : HttpContent
    {
        protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) =>
            SerializeToStreamAsync(stream, context, default);

        protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context, CancellationToken cancellationToken)
        {
            try
            {
                await write(stream, cancellationToken);
            }
            catch (OperationCanceledException) when (!caller.IsCancellationRequested)
            {
                // the host has ended the call: the reply knows why, and HttpClient would throw this instead
            }
        }

        protected override bool TryComputeLength(out long length)
        {
            length = 0;
            return false;
        }
    }
}
