using System.Runtime.CompilerServices;
using ProtoBench.Rpc.Calls;

namespace ProtoBench.Rpc;

/// <summary>A method that a server answers. Transports depend on this class only; it implements unary and streaming calls.</summary>
public abstract class RpcHandler(string path)
{
    /// <summary>The path under which it is called.</summary>
    public string Path { get; } = path;

    /// <summary>Serves one call. An <see cref="RpcException"/> becomes its status, any other exception UNKNOWN.</summary>
    public abstract ValueTask RunAsync(RpcMessageCall call);

    /// <summary>Registers this method with a transport whose library runs the calls.</summary>
    public abstract void Bind(IRpcBinder binder);

    /// <summary>One request, one response. Both are released when the response is written or the call has failed, so
    /// <paramref name="answer"/> must not keep them. It may return its own request, which is then released once.</summary>
    public static RpcHandler Unary<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method, Func<TRequest, RpcServerCall, ValueTask<TResponse>> answer) =>
            new UnaryHandler<TRequest, TResponse>(method, answer);

    /// <summary>Any number of messages in each direction: client, server and duplex streaming. <paramref name="serve"/> releases the
    /// messages that it reads.</summary>
    public static RpcHandler Stream<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method, Func<RpcServerStream<TRequest, TResponse>, ValueTask> serve) =>
            new StreamHandler<TRequest, TResponse>(method, serve);

    sealed class UnaryHandler<TRequest,
        TResponse>(RpcMethod<TRequest, TResponse> method, Func<TRequest, RpcServerCall, ValueTask<TResponse>> answer)
        : RpcHandler(method.Path)
    {
        public override void Bind(IRpcBinder binder) => binder.Unary(method, answer);

        [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
        public override async ValueTask RunAsync(RpcMessageCall call)
        {
            var request = await call.ReadAsync(method.Request);
            if (!request.HasMessage)
                throw new RpcException(RpcStatus.Internal, "a unary call without a request");

            try
            {
                var second = await call.ReadAsync(method.Request);
                if (second.HasMessage)
                {
                    method.Request.Release(second.Message);
                    throw new RpcException(RpcStatus.Internal, "a unary call with more than one request");
                }

                var response = await answer(request.Message, call);
                try
                {
                    await call.WriteAsync(method.Response, response, last: true);
                }
                finally
                {
                    if (!method.IsSame(request.Message, response))
                        method.Response.Release(response);
                }
            }
            finally
            {
                method.Request.Release(request.Message);
            }
        }
    }

    sealed class StreamHandler<TRequest,
        TResponse>(RpcMethod<TRequest, TResponse> method, Func<RpcServerStream<TRequest, TResponse>, ValueTask> serve)
        : RpcHandler(method.Path)
    {
        public override void Bind(IRpcBinder binder) => binder.Stream(method, serve);

        public override ValueTask RunAsync(RpcMessageCall call) => serve(new MessageStream<TRequest, TResponse>(call, method));
    }

    sealed class MessageStream<TRequest,
        TResponse>(RpcMessageCall call, RpcMethod<TRequest, TResponse> method) : RpcServerStream<TRequest, TResponse>
    {
        public override RpcServerCall Call => call;

        public override ValueTask<Received<TRequest>> ReadAsync() => call.ReadAsync(method.Request);

        public override ValueTask WriteAsync(TResponse message) => call.WriteAsync(method.Response, message);
    }
}
