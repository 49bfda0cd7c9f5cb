using System.Net;
using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Clients;
using ProtoBench.Rpc.Connections;

namespace ProtoBench.Rpc.Tests.Transports.BuiltIn;

/// <summary>A request that no gRPC client would send.</summary>
sealed class RawRequest(RpcEndpoint endpoint) : IDisposable
{
    readonly HttpConnection connection = new(endpoint);

    public void Dispose() => connection.Dispose();

    /// <summary>Sends bytes as they are.</summary>
    /// <returns>HTTP's status, grpc-status from wherever it stands, and the reply.</returns>
    public Task<(int Http, RpcStatus? Grpc, HttpResponseMessage Reply)> SendAsync(
        byte[] body, Action<HttpRequestMessage>? change = null, string path = "/test.Echo/Echo", string contentType = "application/grpc") =>
        SendAsync((stream, cancellationToken) => stream.WriteAsync(body, cancellationToken).AsTask(), change, path, contentType);

    /// <summary>Sends what <paramref name="write"/> writes, when it writes it.</summary>
    /// <inheritdoc cref="SendAsync(byte[], Action{HttpRequestMessage}?, string, string)" path="/returns"/>
    public async Task<(int Http, RpcStatus? Grpc, HttpResponseMessage Reply)> SendAsync(
        Func<Stream, CancellationToken, Task> write, Action<HttpRequestMessage>? change = null, string path = "/test.Echo/Echo",
            string contentType = "application/grpc",
        CancellationToken cancellationToken = default)
    {
        using var invoker = new HttpMessageInvoker(connection.Handler, disposeHandler: false);
        using var content = new WrittenContent(write);
        using var request = new HttpRequestMessage(HttpMethod.Post, new Uri(endpoint.Url, path))
        {
            Version = HttpVersion.Version20,
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
            Content = content,
        };
        content.Headers.TryAddWithoutValidation("Content-Type", contentType);
        change?.Invoke(request);
        using var limited = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limited.CancelAfter(TimeSpan.FromMinutes(10));
        var reply = await invoker.SendAsync(request, limited.Token);
        await reply.Content.ReadAsByteArrayAsync(limited.Token);
        var status = Value(reply.TrailingHeaders) ?? Value(reply.Headers);
        return ((int)reply.StatusCode,
            status is null ? null : (RpcStatus)int.Parse(status, System.Globalization.CultureInfo.InvariantCulture), reply);
    }

    static string? Value(System.Net.Http.Headers.HttpResponseHeaders headers) =>
        headers.TryGetValues("grpc-status", out var values) ? values.Single() : null;

    sealed class WrittenContent(Func<Stream, CancellationToken, Task> write) : HttpContent
    {
        protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) => write(stream, default);

        protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context, CancellationToken cancellationToken) =>
            write(stream, cancellationToken);

        protected override bool TryComputeLength(out long length)
        {
            length = 0;
            return false;
        }
    }
}
