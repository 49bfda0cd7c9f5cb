using System.Runtime.CompilerServices;
using Google.Protobuf.Reflection;

namespace ProtoBench.Rpc;

/// <summary>A method of a service: its path on the wire (<c>/package.Service/Method</c>) and the marshallers of its messages.</summary>
public sealed record RpcMethod<TRequest, TResponse>(string Path, Marshaller<TRequest> Request, Marshaller<TResponse> Response)
{
    /// <summary>The description of the service, which a gRPC host publishes by reflection; null to publish nothing.</summary>
    public ServiceDescriptor? Service { get; init; }

    /// <summary>Whether a message is in recycled memory, so that each call must release it.</summary>
    internal bool Recycles => Request.Recycles || Response.Recycles;

    /// <summary>Whether the response is the request itself. Such a message is released once.</summary>
    internal bool IsSame(TRequest request, TResponse response) =>
        Response.Recycles && request is TResponse same && Response.IsSame(same, response);
}

public abstract class RpcHandler(string path)
{
    public string Path { get; } = path;

    /// <summary>Whether messages of grpc-dotnet's calls are in recycled memory. The call then owns and releases them.</summary>
    public virtual bool Recycles => false;

    /// <summary>A call without streams and metadata. An <see cref="RpcException"/> is its status; any other exception is UNKNOWN.</summary>
    public abstract ValueTask RunAsync(RpcMessageCall call);

    public abstract void Bind(GrpcDotnetBinder binder);

    /// <summary>Creates a handler with one request and one response. Both are released when the response is written or the call has failed,
    /// so <paramref name="answer"/> must not keep them. It may return its own request, which is then released once.</summary>
    public static RpcHandler Unary<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method, Func<TRequest, RpcServerCall, ValueTask<TResponse>> answer) =>
            new UnaryHandler<TRequest, TResponse>(method, answer);

    /// <summary>Client, server and duplex streaming, over gRPC only. <paramref name="serve"/> releases the messages it reads.</summary>
    public static RpcHandler Stream<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method, Func<RpcServerStream<TRequest, TResponse>, ValueTask> serve) =>
            new StreamHandler<TRequest, TResponse>(method, serve);

    sealed class UnaryHandler<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method, Func<TRequest, RpcServerCall, ValueTask<TResponse>> answer) : RpcHandler(method.Path)
    {
        public override bool Recycles => method.Recycles;

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
        public override bool Recycles => method.Recycles;

        public override void Bind(GrpcDotnetBinder binder) => binder.Stream(method, serve);

        public override ValueTask RunAsync(RpcMessageCall call) =>
            throw RpcFailure.Of(StatusCode.Unimplemented, "this transport has no streams");
    }
}

/// <summary>A call on the side of its handler: its metadata and its cancellation. Not valid after the handler has returned.</summary>
public abstract class RpcServerCall
{
    public abstract Metadata RequestHeaders { get; }

    /// <summary>The metadata that is sent before the first message. It has no effect after the first message.</summary>
    public Metadata ResponseHeaders { get; } = [];

    public abstract Metadata Trailers { get; }

    /// <summary>The token that is cancelled when the caller cancels, the deadline passes, the connection is lost, or <see
    /// cref="RpcLimits.ShutdownTimeout"/> has passed while the server stops. Exceptions of registered callbacks are ignored.</summary>
    public abstract CancellationToken CancellationToken { get; }
}

public abstract class RpcMessageCall : RpcServerCall
{
    public override Metadata RequestHeaders { get; } = [];

    public override Metadata Trailers { get; } = [];

    /// <summary>Reads the request. It can be read once. The caller of this method releases it.</summary>
    /// <exception cref="RpcException">Thrown for a malformed or too large request, or when its caller has disconnected.</exception>
    public abstract ValueTask<T> ReadAsync<T>(Marshaller<T> marshaller);

    /// <summary>Sends the response. It can be sent once. The caller of this method keeps the ownership.</summary>
    /// <exception cref="OperationCanceledException">Thrown when the call has ended, or the caller has disconnected.</exception>
    public abstract ValueTask WriteAsync<T>(Marshaller<T> marshaller, T message);
}

/// <summary>The result of reading from a stream: a message, or the default value at the end.</summary>
public readonly record struct Received<T>(bool HasMessage, T Message);

public static class RpcFailure
{
    /// <summary>The message of the exception is the text alone.</summary>
    /// <param name="text">The text that is sent to the other side.</param>
    /// <param name="inner">The cause, which is not sent; null for none.</param>
    /// <param name="trailers">Metadata that is sent, or was received, with the status; null for none.</param>
    public static RpcException Of(StatusCode code, string text, Exception? inner = null, Metadata? trailers = null) =>
        new(new Status(code, text, inner), trailers ?? [], text);
}
