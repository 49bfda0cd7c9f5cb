using System.Collections.Concurrent;
using System.Net;
using System.Text;

namespace ProtoBench.Rpc;

/// <summary>The client of <see cref="PlainHttpServer"/>: one POST request for each call, with SocketsHttpHandler.</summary>
sealed class PlainHttpClient : IRpcClient
{
    internal const string ContentType = "application/x-protobuf";

    readonly ConcurrentDictionary<string, Uri> urls = new(StringComparer.Ordinal);
    readonly RpcEndpoint endpoint;
    readonly Version version;
    readonly RpcLimits limits;
    readonly HttpConnection connection;
    readonly HttpMessageInvoker invoker;
    readonly Action retried;
    string? protocol;
    long retries;

    /// <param name="version">HTTP/1.1 or HTTP/2. The client never falls back to another version.</param>
    /// <param name="connections">The maximum number of connections. An HTTP/1.1 connection has one call at a time.</param>
    public PlainHttpClient(RpcEndpoint endpoint, Version version, RpcLimits? limits = null, int connections = 1)
    {
        this.endpoint = endpoint;
        this.version = version;
        this.limits = limits ?? new();
        connection = new(endpoint, connections, this.limits);
        invoker = new(connection.Handler);
        retried = () => Interlocked.Increment(ref retries);
    }

    public RpcConnectionFacts Connection => connection.Facts with { Protocol = protocol, HiddenRetries = Volatile.Read(ref retries) };

    public async ValueTask<TResponse> UnaryAsync<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method, TRequest request, RpcCallOptions? call = null, CancellationToken cancellationToken = default)
    {
        if (call?.Headers is { Count: > 0 })
            throw RpcFailure.Of(StatusCode.Unimplemented, "this transport carries no metadata");
        using var deadline = CallDeadline.Start(call?.Timeout, cancellationToken);
        using var message = CreateRequest(method, request);
        try
        {
            using var reply = await invoker.SendAsync(message, deadline.Token);
            protocol ??= $"HTTP/{(reply.Version.Major == 1 ? reply.Version.ToString() : reply.Version.Major.ToString())}";
            using var body = await ReadAsync(reply, deadline.Token);
            if (reply.StatusCode != HttpStatusCode.OK)
                throw Failure(reply, body);
            return method.Response.Decode(new(body.WrittenMemory), "the reply");
        }
        catch (Exception e) when (e is not RpcException)
        {
            throw TransportFailure.ToRpc(e, deadline, endpoint, protocol is not null);
        }
    }

    public ValueTask DisposeAsync()
    {
        invoker.Dispose();
        connection.Dispose();
        return ValueTask.CompletedTask;
    }

    HttpRequestMessage CreateRequest<TRequest, TResponse>(RpcMethod<TRequest, TResponse> method, TRequest request)
    {
        var size = method.Request.Measure(request);
        var buffer = PayloadBuffer.Rent(size);
        try
        {
            method.Request.Write(request, size, buffer);
        }
        catch
        {
            buffer.Dispose();
            throw;
        }

        var content = new UnaryContent(buffer, retried);
        content.Headers.ContentLength = buffer.Written;
        content.Headers.TryAddWithoutValidation("Content-Type", ContentType);
        var url = urls.GetOrAdd(method.Path, static (path, endpoint) => new(endpoint.Url, path), endpoint);
        return new(HttpMethod.Post, url) { Version = version, VersionPolicy = HttpVersionPolicy.RequestVersionExact, Content = content };
    }

    async ValueTask<PayloadBuffer> ReadAsync(HttpResponseMessage reply, CancellationToken cancellationToken)
    {
        const int unknownLength = 4_096;
        if (reply.Content.Headers.ContentLength > limits.MaxReceiveBytes)
            throw TooLarge();
        var buffer = PayloadBuffer.Rent((int)(reply.Content.Headers.ContentLength ?? unknownLength));
        try
        {
            var body = await reply.Content.ReadAsStreamAsync(cancellationToken);
            while (true)
            {
                if (buffer.Free.IsEmpty)
                    buffer = Larger(buffer);
                var read = await body.ReadAsync(buffer.Free, cancellationToken);
                if (read == 0)
                    return buffer;
                buffer.Advance(read);
                if (buffer.Written > limits.MaxReceiveBytes)
                    throw TooLarge();
            }
        }
        catch
        {
            buffer.Dispose();
            throw;
        }
    }

    static PayloadBuffer Larger(PayloadBuffer full)
    {
        var larger = PayloadBuffer.Rent(2 * full.Written);
        full.WrittenMemory.CopyTo(larger.Free);
        larger.Advance(full.Written);
        full.Dispose();
        return larger;
    }

    static RpcException Failure(HttpResponseMessage reply, PayloadBuffer body) =>
        reply.Headers.TryGetValues(PlainHttpServer.StatusHeader, out var values)
        && Enum.TryParse<StatusCode>(values.First(), out var status) && Enum.IsDefined(status) && status != StatusCode.OK
            ? RpcFailure.Of(status, Encoding.UTF8.GetString(body.WrittenMemory.Span))
            : RpcFailure.Of(reply.StatusCode == HttpStatusCode.ServiceUnavailable ? StatusCode.Unavailable : StatusCode.Unknown,
                $"the host answered HTTP status {(int)reply.StatusCode}");

    RpcException TooLarge() => RpcFailure.Of(StatusCode.ResourceExhausted, $"a message is larger than the limit of {limits.MaxReceiveBytes}");
}
