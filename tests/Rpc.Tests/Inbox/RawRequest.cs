using System.Net;

namespace ProtoBench.Rpc.Tests.Inbox;

/// <summary>A request that no gRPC client would send.</summary>
sealed class RawRequest(RpcEndpoint endpoint) : IDisposable
{
    readonly HttpConnection connection = new(endpoint);

    public void Dispose() => connection.Dispose();

    /// <summary>Sends bytes as they are.</summary>
    /// <returns>HTTP's status, grpc-status from wherever it stands, and the reply.</returns>
    public async Task<(int Http, RpcStatus? Grpc, HttpResponseMessage Reply)> SendAsync(
        byte[] body, Action<HttpRequestMessage>? change = null, string path = "/test.Echo/Echo", string contentType = "application/grpc")
    {
        using var invoker = new HttpMessageInvoker(connection.Handler, disposeHandler: false);
        using var request = new HttpRequestMessage(HttpMethod.Post, new Uri(endpoint.Url, path))
        {
            Version = HttpVersion.Version20,
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
            Content = new ByteArrayContent(body),
        };
        request.Content.Headers.TryAddWithoutValidation("Content-Type", contentType);
        change?.Invoke(request);
        var reply = await invoker.SendAsync(request, new CancellationTokenSource(TimeSpan.FromSeconds(20)).Token);
        await reply.Content.ReadAsByteArrayAsync();
        var status = Value(reply.TrailingHeaders) ?? Value(reply.Headers);
        return ((int)reply.StatusCode, status is null ? null : (RpcStatus)int.Parse(status, System.Globalization.CultureInfo.InvariantCulture), reply);
    }

    static string? Value(System.Net.Http.Headers.HttpResponseHeaders headers) =>
        headers.TryGetValues("grpc-status", out var values) ? values.Single() : null;
}
