using System.Collections.Concurrent;
using System.Net;
using System.Runtime.CompilerServices;
using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Clients;
using ProtoBench.Rpc.Connections;

namespace ProtoBench.Rpc.Transports.BuiltIn;

/// <summary>gRPC over HTTP/2 straight on SocketsHttpHandler: no gRPC package.</summary>
public sealed class BuiltInClient : IRpcClient
{
    readonly ConcurrentDictionary<string, Uri> urls = new(StringComparer.Ordinal);
    readonly RpcEndpoint endpoint;
    readonly RpcLimits limits;
    readonly HttpConnection connection;
    readonly HttpMessageInvoker invoker;
    readonly Action retried;
    string? protocol;
    long retries;

    /// <summary>Prepares a connection; it is opened by the first call.</summary>
    public BuiltInClient(RpcEndpoint endpoint, RpcLimits? limits = null)
    {
        this.endpoint = endpoint;
        this.limits = limits ?? new();
        connection = new(endpoint);
        invoker = new(connection.Handler);
        retried = () => Interlocked.Increment(ref retries);
    }

    /// <inheritdoc/>
    public RpcConnectionFacts Connection => connection.Facts with { Protocol = protocol, HiddenRetries = Volatile.Read(ref retries) };

    /// <inheritdoc/>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<TResponse> UnaryAsync<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method, TRequest request, RpcCallOptions? call = null, CancellationToken cancellationToken = default)
    {
        using var deadline = CallDeadline.Start(call?.Timeout, cancellationToken);
        using var message =
            CreateRequest(method.Path, new UnaryContent(MessageFrame.Encode(method.Request, request, limits.MaxSendBytes), retried), call);
        try
        {
            using var reply = await SendAsync(message, call, deadline.Token);
            using var reader = new MessageReader(reply, limits.MaxReceiveBytes);
            var response = await reader.ReadAsync(method.Response, deadline.Token);
            try
            {
                // trailers are there once the end of the body was seen
                if (response.HasMessage && (await reader.ReadAsync(method.Response, deadline.Token)) is { HasMessage: true } second)
                {
                    method.Response.Release(second.Message);
                    throw new RpcException(RpcStatus.Internal, "more than one response to a unary call");
                }

                ReplyStatus.ThrowUnlessOk(reply, call?.Trailers);
                return response.HasMessage
                    ? response.Message : throw new RpcException(RpcStatus.Internal, "a unary call that succeeded without a response");
            }
            catch when (response.HasMessage)
            {
                method.Response.Release(response.Message);
                throw;
            }
        }
        catch (Exception e) when (e is not RpcException)
        {
            throw TransportFailure.ToRpc(e, deadline, endpoint);
        }
    }

    /// <inheritdoc/>
    public IRpcStream<TRequest, TResponse> Stream<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method, RpcCallOptions? call = null, CancellationToken cancellationToken = default) =>
        new BuiltInStream<TRequest, TResponse>(this, endpoint, method, limits, call, cancellationToken);

    /// <inheritdoc/>
    public ValueTask DisposeAsync()
    {
        invoker.Dispose();
        connection.Dispose();
        return ValueTask.CompletedTask;
    }

    /// <summary>A request that owns its content.</summary>
    internal HttpRequestMessage CreateRequest(string path, HttpContent content, RpcCallOptions? call)
    {
        var url = urls.GetOrAdd(path, static (path, endpoint) => new(endpoint.Url, path), endpoint);
        var message =
            new HttpRequestMessage(HttpMethod.Post, url)
            {
                Version = HttpVersion.Version20,
                VersionPolicy = HttpVersionPolicy.RequestVersionExact,
                Content = content
            };
        message.Headers.TryAddWithoutValidation("te", "trailers");
        content.Headers.TryAddWithoutValidation("Content-Type", "application/grpc");
        if (call is null)
            return message;
        if (call.Timeout is { } timeout)
            message.Headers.TryAddWithoutValidation("grpc-timeout", GrpcTimeout.Format(timeout));
        foreach (var (name, value) in call.Headers?.Entries ?? [])
            message.Headers.TryAddWithoutValidation(name, value);
        return message;
    }

    /// <summary>Sends a request and returns the head of a reply that is gRPC.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    internal async ValueTask<HttpResponseMessage> SendAsync(HttpRequestMessage message, RpcCallOptions? call,
        CancellationToken cancellationToken)
    {
        var reply = ReplyStatus.Checked(await invoker.SendAsync(message, cancellationToken));
        protocol ??= $"HTTP/{reply.Version.Major}";
        if (call?.ResponseHeaders is { } headers)
            ReplyStatus.CopyHeaders(reply.Headers, headers);
        return reply;
    }
}
