using System.Security.Cryptography.X509Certificates;
using Grpc.AspNetCore.Server;
using Grpc.AspNetCore.Server.Model;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using ProtoBench.Codec.Grpc.AspNetCore;
using ServiceDescriptor = Google.Protobuf.Reflection.ServiceDescriptor;

namespace ProtoBench.Rpc;

/// <summary>Starts Grpc.AspNetCore.Server on Kestrel with the settings of the other stacks.</summary>
public static class GrpcDotnetServer
{
    public static async Task<IRpcServer> StartAsync(
        RpcEndpoint endpoint, IEnumerable<RpcHandler> handlers, RpcLimits? limits = null, X509Certificate2? certificate = null)
    {
        var known = limits ?? new();
        return await KestrelHost.StartAsync(
            endpoint,
            app => Map(app, known),
            limits,
            certificate,
            configure: builder => AddHandlers(builder.Services.AddGrpc(options => Set(options, known)).Services, handlers));
    }

    /// <summary>If messages are recycled, each call owns its messages.</summary>
    static void AddHandlers(IServiceCollection services, IEnumerable<RpcHandler> handlers)
    {
        RpcHandler[] all = [.. handlers];
        if (all.Any(handler => handler.Recycles))
            services.AddGrpc().AddSlabMessages();
        services
            .AddSingleton<GrpcDotnetService>()
            .AddSingleton<IServiceMethodProvider<GrpcDotnetService>>(provider =>
                new Binding(all, provider.GetRequiredService<GrpcDotnetService>()));
        foreach (var beside in all.OfType<GrpcHostServices>())
        {
            beside.Add(services);
            services.AddSingleton(beside);
        }
    }

    static void Set(GrpcServiceOptions options, RpcLimits limits)
    {
        if (limits.Tuning.Compression is { } compression)
        {
            options.ResponseCompressionAlgorithm = compression;
            options.ResponseCompressionLevel = System.IO.Compression.CompressionLevel.Fastest;
            if (compression == BrotliCompression.Name)
                options.CompressionProviders.Add(new BrotliCompression());
        }

        if (limits.AreLibraryDefaults)
            return;
        options.MaxReceiveMessageSize = limits.MaxReceiveBytes;
    }

    static void Map(WebApplication app, RpcLimits limits)
    {
        app.MapGrpcService<GrpcDotnetService>(); // binds the handlers
        foreach (var beside in app.Services.GetServices<GrpcHostServices>())
            beside.Map(app);
        if (limits.AreLibraryDefaults)
            return;

        var budget = new PartialBudget(limits);
        app.Lifetime.ApplicationStopped.Register(budget.Dispose);
        // This surrounds everything: a request is read before any handler runs, and a response is written after it has returned.
        app.Use(next => async context =>
        {
            if (context.Request.Method != HttpMethods.Post)
            {
                context.Response.StatusCode = StatusCodes.Status405MethodNotAllowed;
                return;
            }

            if (!IsPathOfMethod(context))
            {
                Unimplemented(context.Response);
                return;
            }

            DeadlineResponse.Protect(context);
            using var body = new PartialBodyReader(context.Request.BodyReader, budget);
            context.Features.Set<IRequestBodyPipeFeature>(body);
            await next(context);
        });
    }

    /// <summary>Byte by byte: routing decodes the path, and ignores case, query and a slash at the end.</summary>
    static bool IsPathOfMethod(HttpContext context) =>
        context.GetEndpoint() is RouteEndpoint { RoutePattern.RawText: { } path }
        && context.Features.GetRequiredFeature<IHttpRequestFeature>().RawTarget == path;

    static void Unimplemented(HttpResponse response)
    {
        response.ContentType = "application/grpc";
        response.Headers["grpc-status"] = ((int)StatusCode.Unimplemented).ToString();
        response.Headers["grpc-message"] = "Method is unimplemented.";
    }

    sealed class Binding(RpcHandler[] handlers, GrpcDotnetService service) : IServiceMethodProvider<GrpcDotnetService>
    {
        public void OnServiceMethodDiscovery(ServiceMethodProviderContext<GrpcDotnetService> context)
        {
            foreach (var handler in handlers)
                handler.Bind(new GrpcDotnetBinder(context, service));
        }
    }
}

/// <summary>The service class that grpc-dotnet requires. It has no methods of its own; each method is bound to a handler.</summary>
public sealed class GrpcDotnetService
{
    readonly HashSet<ServiceDescriptor> published = [];

    /// <summary>The descriptions of the services, which reflection publishes. Complete when the host has started.</summary>
    public IReadOnlySet<ServiceDescriptor> Published => published;

    internal void Publish(ServiceDescriptor descriptor) => published.Add(descriptor);
}

/// <summary>A service that a gRPC host maps itself: health, reflection, or one with generated stubs. Health and reflection are in another
/// project: their packages need a newer Google.Protobuf than the oldest one that is measured.</summary>
/// <param name="path">The path of its method on transports that are not gRPC; empty for none.</param>
public abstract class GrpcHostServices(string path = "") : RpcHandler(path)
{
    public abstract void Add(IServiceCollection services);

    public abstract void Map(IEndpointRouteBuilder app);

    public override void Bind(GrpcDotnetBinder binder)
    {
        // it has no methods
    }

    public override ValueTask RunAsync(RpcMessageCall call) =>
        throw RpcFailure.Of(StatusCode.Unimplemented, "this transport is not gRPC");
}

/// <param name="context">A handler with a generated service adds its methods to it.</param>
public sealed class GrpcDotnetBinder(ServiceMethodProviderContext<GrpcDotnetService> context, GrpcDotnetService service)
{
    public ServiceMethodProviderContext<GrpcDotnetService> Context { get; } = context;

    public void Publish(ServiceDescriptor descriptor) => service.Publish(descriptor);

    /// <summary>Both messages are released when the response is written or the call has failed; once, if they are the same.</summary>
    public void Unary<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method, Func<TRequest, RpcServerCall, ValueTask<TResponse>> answer)
    {
        if (method.Service is { } descriptor)
            Publish(descriptor);
        Context.AddUnaryMethod(GrpcDotnetTypes.Method(method, MethodType.Unary), [], async (_, request, call) =>
        {
            var server = new GrpcDotnetServerCall(call);
            try
            {
                var message = await answer(request.Message, server);
                // the call owns a request already that is also the response
                var response = new RpcMessage<TResponse>(method.Response, message, isOwned: !method.IsSame(request.Message, message));
                server.ThrowIfFull();
                await server.SendHeadersAsync();
                return response;
            }
            finally
            {
                server.AddTrailers();
            }
        });
    }

    /// <summary><paramref name="serve"/> releases the messages that it reads.</summary>
    public void Stream<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method, Func<RpcServerStream<TRequest, TResponse>, ValueTask> serve)
    {
        if (method.Service is { } descriptor)
            Publish(descriptor);
        Context.AddDuplexStreamingMethod(
            GrpcDotnetTypes.Method(method, MethodType.DuplexStreaming),
            [],
            async (_, requests, responses, call) =>
            {
                var server = new GrpcDotnetServerCall(call);
                try
                {
                    await serve(new RpcServerStream<TRequest, TResponse>(server, requests, responses, method));
                }
                finally
                {
                    server.AddTrailers();
                }
            });
    }
}

/// <summary>The server side of a streaming call. One reader and one writer may work at the same time.</summary>
public sealed class RpcServerStream<TRequest, TResponse>
{
    readonly GrpcDotnetServerCall call;
    readonly IAsyncStreamReader<RpcMessage<TRequest>> requests;
    readonly IServerStreamWriter<RpcMessage<TResponse>> responses;
    readonly RpcMethod<TRequest, TResponse> method;

    internal RpcServerStream(GrpcDotnetServerCall call, IAsyncStreamReader<RpcMessage<TRequest>> requests,
        IServerStreamWriter<RpcMessage<TResponse>> responses, RpcMethod<TRequest, TResponse> method) =>
            (this.call, this.requests, this.responses, this.method) = (call, requests, responses, method);

    public RpcServerCall Call => call;

    /// <summary>Reads the next message, which the caller of this method releases, or the end of the requests.</summary>
    public async ValueTask<Received<TRequest>> ReadAsync()
    {
        if (!await requests.MoveNext(CancellationToken.None))
            return default;
        return new(true, requests.Current.Take());
    }

    /// <summary>Sends a message. The caller keeps the ownership.</summary>
    /// <exception cref="InvalidOperationException">Thrown when the call has ended, or the caller has disconnected.</exception>
    /// <exception cref="RpcException">Thrown with UNAVAILABLE when the host holds too many responses that nobody reads.</exception>
    public async ValueTask WriteAsync(TResponse message)
    {
        call.ThrowIfFull();
        await call.SendHeadersAsync();
        await responses.WriteAsync(new RpcMessage<TResponse>(method.Response, message, isOwned: false));
    }
}

sealed class GrpcDotnetServerCall(ServerCallContext call) : RpcServerCall
{
    readonly HttpContext http = call.GetHttpContext();
    Metadata? requestHeaders;
    bool headersSent;

    public void ThrowIfFull() => BlockMemoryPool.Connection.Of(http)?.ThrowIfFull();

    // grpc-dotnet's own property fails on a name with several values that ends in -bin
    public override Metadata RequestHeaders => requestHeaders ??= GrpcDotnetTypes.ToCore(http.Request.Headers);

    // grpc-dotnet reads its own trailers when the deadline passes, while the handler may be adding to them
    public override Metadata Trailers { get; } = [];

    public override CancellationToken CancellationToken => call.CancellationToken;

    /// <summary>Copies the trailers to grpc-dotnet when the handler has ended.</summary>
    public void AddTrailers()
    {
        foreach (var entry in Trailers)
            call.ResponseTrailers.Add(entry);
    }

    /// <summary>Sends the metadata that precedes the first message. Without metadata, headers and message are sent together.</summary>
    public Task SendHeadersAsync()
    {
        if (headersSent || ResponseHeaders.Count == 0)
            return Task.CompletedTask;
        headersSent = true;
        return call.WriteResponseHeadersAsync(ResponseHeaders);
    }
}
