using System.Runtime.CompilerServices;
using Google.Protobuf.Reflection;
using Grpc.Core;
using ProtoBench.Rpc.Transports.GrpcDotnet;

namespace ProtoBench.Rpc;

/// <summary>A method of a service: its path on the wire (<c>/package.Service/Method</c>) and the marshallers of its messages.</summary>
public sealed record RpcMethod<TRequest, TResponse>(string Path, Marshaller<TRequest> Request, Marshaller<TResponse> Response)
{
    /// <summary>The description of the service, which a host of gRPC publishes by reflection; null to publish nothing.</summary>
    public ServiceDescriptor? Service { get; init; }

    /// <summary>Whether a handler has returned its own request, which is then released once.</summary>
    internal bool IsSame(TRequest request, TResponse response) =>
        Response.Recycles && request is TResponse same && Response.IsSame(same, response);
}

/// <summary>A method that a server answers.</summary>
public abstract class RpcHandler(string path)
{
    /// <summary>The path under which it is called.</summary>
    public string Path { get; } = path;

    /// <summary>Serves one call of a transport that only carries messages. An <see cref="RpcException"/> becomes its status, any other
    /// exception UNKNOWN.</summary>
    public abstract ValueTask RunAsync(RpcMessageCall call);

    /// <summary>Registers this method with grpc-dotnet, which runs the calls itself.</summary>
    public abstract void Bind(GrpcDotnetBinder binder);

    /// <summary>One request, one response. Both are released when the response is written or the call has failed, so
    /// <paramref name="answer"/> must not keep them. It may return its own request, which is then released once.</summary>
    public static RpcHandler Unary<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method, Func<TRequest, RpcServerCall, ValueTask<TResponse>> answer) =>
            new UnaryHandler<TRequest, TResponse>(method, answer);

    /// <summary>Any number of messages in each direction: client, server and duplex streaming, over gRPC only. <paramref name="serve"/>
    /// releases the messages that it reads.</summary>
    public static RpcHandler Stream<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method, Func<RpcServerStream<TRequest, TResponse>, ValueTask> serve) =>
            new StreamHandler<TRequest, TResponse>(method, serve);

    sealed class UnaryHandler<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method, Func<TRequest, RpcServerCall, ValueTask<TResponse>> answer) : RpcHandler(method.Path)
    {
        public override void Bind(GrpcDotnetBinder binder) => binder.Unary(method, answer);

        [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
        public override async ValueTask RunAsync(RpcMessageCall call)
        {
            var request = await call.ReadAsync(method.Request);
            try
            {
                var response = await answer(request, call);
                try
                {
                    await call.WriteAsync(method.Response, response);
                }
                finally
                {
                    if (!method.IsSame(request, response))
                        method.Response.Release(response);
                }
            }
            finally
            {
                method.Request.Release(request);
            }
        }
    }

    sealed class StreamHandler<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method, Func<RpcServerStream<TRequest, TResponse>, ValueTask> serve) : RpcHandler(method.Path)
    {
        public override void Bind(GrpcDotnetBinder binder) => binder.Stream(method, serve);

        public override ValueTask RunAsync(RpcMessageCall call) =>
            throw RpcFailure.Of(StatusCode.Unimplemented, "this transport has no streams");
    }
}

/// <summary>A call as a handler sees it: its metadata and its cancellation. Not valid after the handler has returned.</summary>
public abstract class RpcServerCall
{
    /// <summary>Metadata that the caller sent.</summary>
    public abstract Metadata RequestHeaders { get; }

    /// <summary>Metadata to send before the first message; without effect once a message was sent.</summary>
    public Metadata ResponseHeaders { get; } = [];

    /// <summary>Metadata to send with the status.</summary>
    public abstract Metadata Trailers { get; }

    /// <summary>Cancelled when the caller cancels, the deadline passes, the connection is lost, or the server has waited long enough for
    /// the call while it stops. Exceptions of registered callbacks are ignored.</summary>
    public abstract CancellationToken CancellationToken { get; }
}

/// <summary>A call of a transport that only carries messages, and no metadata.</summary>
public abstract class RpcMessageCall : RpcServerCall
{
    /// <inheritdoc/>
    public override Metadata RequestHeaders { get; } = [];

    /// <inheritdoc/>
    public override Metadata Trailers { get; } = [];

    /// <summary>The request, once. The caller of this method releases it.</summary>
    /// <exception cref="RpcException">The request is malformed, exceeds a limit, or its caller has left.</exception>
    public abstract ValueTask<T> ReadAsync<T>(Marshaller<T> marshaller);

    /// <summary>Sends the response, once. The caller of this method keeps the ownership.</summary>
    /// <exception cref="OperationCanceledException">The call has ended, or the caller has disconnected.</exception>
    public abstract ValueTask WriteAsync<T>(Marshaller<T> marshaller, T message);
}

/// <summary>The result of reading from a stream: a message, or the default value at the end.</summary>
public readonly record struct Received<T>(bool HasMessage, T Message);
