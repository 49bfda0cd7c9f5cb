using System.Collections.Concurrent;
using Grpc.Net.Client;
using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Clients;
using ProtoBench.Rpc.Connections;
using Core = Grpc.Core;

namespace ProtoBench.Rpc.Transports.GrpcDotnet;

/// <summary>Grpc.Net.Client over the same handler that the other stacks send with.</summary>
public class GrpcDotnetClient : IRpcClient
{
    readonly ConcurrentDictionary<object, Core.IMethod> methods = new();
    readonly HttpConnection connection;
    readonly GrpcChannel channel;
    readonly RpcLimits limits;
    readonly Action retried;
    string? protocol;
    long retries;

    /// <summary>Prepares a connection; it is opened by the first call.</summary>
    public GrpcDotnetClient(RpcEndpoint endpoint, RpcLimits? limits = null)
    {
        this.limits = limits ?? new();
        connection = new(endpoint);
        channel = GrpcChannel.ForAddress(endpoint.Url, new()
        {
            HttpHandler = connection.Handler,
            MaxReceiveMessageSize = this.limits.MaxReceiveBytes,
            MaxSendMessageSize = this.limits.MaxSendBytes,
        });
        Invoker = channel.CreateCallInvoker();
        retried = () => Interlocked.Increment(ref retries);
    }

    /// <summary>What generated and code-first stubs call. A caller that uses it
    /// directly calls <see cref="Replied"/> after a reply.</summary>
    public Core.CallInvoker Invoker { get; }

    /// <inheritdoc/>
    public RpcConnectionFacts Connection => connection.Facts with { Protocol = protocol, HiddenRetries = Volatile.Read(ref retries) };

    /// <inheritdoc/>
    public async ValueTask<TResponse> UnaryAsync<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method, TRequest request, RpcCallOptions? call = null, CancellationToken cancellationToken = default)
    {
        var sent = new BoxedRequest<TRequest>(method.Request, request, retried);
        using var messages = method.Response.Recycles ? new CallMessageOwner().Enter() : null;
        try
        {
            using var unary = Invoker.AsyncUnaryCall(Method(method, Core.MethodType.Unary), null, Options(call, cancellationToken), sent);
            if (call?.ResponseHeaders is { } headers)
                GrpcDotnetTypes.CopyTo(await unary.ResponseHeadersAsync, headers);
            var response = await unary.ResponseAsync;
            Replied();
            if (call?.Trailers is { } trailers)
                GrpcDotnetTypes.CopyTo(unary.GetTrailers(), trailers);
            if (method.Response.Recycles)
                CallMessageOwner.Take(response);
            return response.Message;
        }
        catch (Core.RpcException e)
        {
            throw Failure(e, call, cancellationToken);
        }
        finally
        {
            sent.End();
        }
    }

    /// <inheritdoc/>
    public IRpcStream<TRequest, TResponse> Stream<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method, RpcCallOptions? call = null, CancellationToken cancellationToken = default) =>
        new GrpcDotnetStream<TRequest, TResponse>(this,
            Invoker.AsyncDuplexStreamingCall(Method(method, Core.MethodType.DuplexStreaming), null, Options(call, cancellationToken)),
                method, limits, call, cancellationToken);

    /// <summary>The options of a call as grpc-dotnet's options.</summary>
    public static Core.CallOptions Options(RpcCallOptions? call, CancellationToken cancellationToken) => new(
        call?.Headers is { } headers ? GrpcDotnetTypes.ToCore(headers) : null,
        call?.Timeout is { } timeout ? DateTime.UtcNow + timeout : null,
        cancellationToken);

    /// <summary>Converts a failure.</summary>
    /// <param name="failure">The exception of grpc-dotnet.</param>
    /// <param name="call">The options of the call.</param>
    /// <param name="cancellationToken">The call's token. A cancelled call may
    /// fail with other statuses, which are reported as CANCELLED.</param>
    public static RpcException Failure(Core.RpcException failure, RpcCallOptions? call, CancellationToken cancellationToken)
    {
        if (call?.Trailers is { } trailers)
            GrpcDotnetTypes.CopyTo(failure.Trailers, trailers);
        return cancellationToken.IsCancellationRequested
            && failure.StatusCode is (Core.StatusCode.Internal or Core.StatusCode.Unknown or Core.StatusCode.Unavailable)
            ? new(RpcStatus.Cancelled, "cancelled by the caller", failure)
            : GrpcDotnetTypes.ToRpc(failure);
    }

    /// <summary>A reply has arrived, so the protocol of the connection is what it
    /// was opened with: grpc-dotnet refuses any reply that is not HTTP/2.</summary>
    public void Replied() => protocol ??= $"HTTP/{connection.Negotiated?.Major}";

    /// <inheritdoc/>
    public ValueTask DisposeAsync()
    {
        channel.Dispose();
        connection.Dispose();
        GC.SuppressFinalize(this);
        return ValueTask.CompletedTask;
    }

    Core.Method<BoxedMessage<TRequest>, BoxedMessage<TResponse>> Method<TRequest,
        TResponse>(RpcMethod<TRequest, TResponse> method, Core.MethodType type) =>
        (Core.Method<BoxedMessage<TRequest>, BoxedMessage<TResponse>>)methods.GetOrAdd(method,
            static (key, type) => GrpcDotnetTypes.Method((RpcMethod<TRequest, TResponse>)key, type), type);
}
