using System.Runtime.CompilerServices;

namespace ProtoBench.Rpc;

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
