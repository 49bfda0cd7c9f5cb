using Grpc.AspNetCore.Server.Model;
using Grpc.Core;
using ProtoBench.Rpc.Calls;
using Core = Grpc.Core;
using RpcException = ProtoBench.Rpc.Calls.RpcException;

namespace ProtoBench.Rpc.Transports.GrpcDotnet;

/// <summary>Registers handlers with grpc-dotnet.</summary>
/// <param name="context">The context in which grpc-dotnet collects the methods of its service. A handler with a generated service adds its
/// methods here.</param>
/// <param name="service">The service.</param>
public sealed class GrpcDotnetBinder(ServiceMethodProviderContext<GrpcDotnetService> context, GrpcDotnetService service) : IRpcBinder
{
    /// <inheritdoc cref="GrpcDotnetBinder" path="/param[@name='context']"/>
    public ServiceMethodProviderContext<GrpcDotnetService> Context { get; } = context;

    /// <inheritdoc/>
    public void Unary<TRequest,
        TResponse>(RpcMethod<TRequest, TResponse> method, Func<TRequest, RpcServerCall, ValueTask<TResponse>> answer)
    {
        service.Recycles |= method.Request.Recycles || method.Response.Recycles;
        Context.AddUnaryMethod(GrpcDotnetTypes.Method(method, Core.MethodType.Unary), [], async (_, request, call) =>
        {
            var server = new GrpcDotnetServerCall(call);
            try
            {
                var response = new BoxedMessage<TResponse>(method.Response, await answer(request.Message, server));
                // a request that comes back as the response is kept already
                if (method.Response.Recycles && !method.IsSame(request.Message, response.Message))
                    CallMessageOwner.Keep(response);
                await server.SendHeadersAsync();
                return response;
            }
            catch (RpcException e)
            {
                throw GrpcDotnetTypes.ToCore(e);
            }
            finally
            {
                GrpcDotnetTypes.CopyTo(server.Trailers, call.ResponseTrailers);
            }
        });
    }

    /// <inheritdoc/>
    public void Stream<TRequest,
        TResponse>(RpcMethod<TRequest, TResponse> method, Func<RpcServerStream<TRequest, TResponse>, ValueTask> serve)
    {
        service.Recycles |= method.Request.Recycles || method.Response.Recycles;
        Context.AddDuplexStreamingMethod(GrpcDotnetTypes.Method(method, Core.MethodType.DuplexStreaming), [],
            async (_, requests, responses, call) =>
        {
            var server = new GrpcDotnetServerCall(call);
            try
            {
                await serve(new ServerStream<TRequest, TResponse>(server, requests, responses, method));
            }
            catch (RpcException e)
            {
                throw GrpcDotnetTypes.ToCore(e);
            }
            finally
            {
                GrpcDotnetTypes.CopyTo(server.Trailers, call.ResponseTrailers);
            }
        });
    }

    sealed class ServerStream<TRequest, TResponse>(
        GrpcDotnetServerCall call, Core.IAsyncStreamReader<BoxedMessage<TRequest>> requests,
            Core.IServerStreamWriter<BoxedMessage<TResponse>> responses, RpcMethod<TRequest, TResponse> method)
        : RpcServerStream<TRequest, TResponse>
    {
        public override RpcServerCall Call => call;

        public override async ValueTask<Received<TRequest>> ReadAsync()
        {
            if (!await requests.MoveNext(CancellationToken.None))
                return default;
            if (method.Request.Recycles)
                CallMessageOwner.Take(requests.Current);
            return new(true, requests.Current.Message);
        }

        public override async ValueTask WriteAsync(TResponse message)
        {
            await call.SendHeadersAsync();
            await responses.WriteAsync(new BoxedMessage<TResponse>(method.Response, message));
        }
    }
}

/// <summary>A call as handlers see it.</summary>
sealed class GrpcDotnetServerCall(Core.ServerCallContext call) : RpcServerCall
{
    RpcMetadata? requestHeaders;
    bool headersSent;

    // not grpc-dotnet's own, which fails on a name with several values that ends in -bin
    public override RpcMetadata RequestHeaders => requestHeaders ??= RpcMetadata.Of(call.GetHttpContext().Request.Headers);

    public override CancellationToken CancellationToken => call.CancellationToken;

    /// <summary>Sends the metadata that goes before the first message. Without any, they leave together.</summary>
    public Task SendHeadersAsync()
    {
        if (headersSent || ResponseHeaders.Entries.Count == 0)
            return Task.CompletedTask;
        headersSent = true;
        return call.WriteResponseHeadersAsync(GrpcDotnetTypes.ToCore(ResponseHeaders));
    }
}
