using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace ProtoBench.GrpcHost;

/// <summary>TestProxy.Forward with the messages of one library: the answer, the call, and the check of a reply.</summary>
abstract class HiveService
{
    public const string Path = "/TestProxyPkg.TestProxy/Forward";

    /// <summary>The path of the same service as a stream, with one reply to each request in the same order.</summary>
    public const string StreamPath = "/TestProxyPkg.TestProxy/ForwardStream";

    /// <summary>How messages and their root objects are allocated.</summary>
    public abstract string Memory { get; }

    public abstract RpcHandler Serve(HivePayload payload, CallCounters counters, int allocate);

    /// <summary>How many bytes a reply may differ: it has two times of the handler, whose varints differ in length.</summary>
    public virtual int ReplySlack => 24;

    public abstract bool IsRight(ReadOnlyMemory<byte> reply, HivePayload payload);

    public abstract RpcHandler ServeStream(HivePayload payload, CallCounters counters, int allocate);

    public abstract Caller Stream(GrpcDotnetClient client, HivePayload payload, CallCounters counters);

    /// <summary>Its request is created once and encoded for every call. Disposing the caller releases it.</summary>
    public abstract Caller Call(IRpcClient client, HivePayload payload, RpcCallOptions? call, CallCounters counters);
}

/// <param name="Began">Stopwatch ticks.</param>
readonly record struct Route(long Began)
{
    public static long StartTimeInTicks => DateTime.UtcNow.Ticks;

    public long LatencyInUs => (long)Stopwatch.GetElapsedTime(Began).TotalMicroseconds;
}

abstract class HiveService<TRequest, TResponse>(Marshaller<TRequest> requests, Marshaller<TResponse> responses) : HiveService
{
    readonly Marshaller<TRequest> requests = requests;
    readonly Marshaller<TResponse> responses = responses;

    protected abstract TRequest Build(HivePayload payload);

    protected abstract TResponse Answer(TRequest request, HivePayload payload, Route route);

    /// <summary>Checks counts and lengths and, if <paramref name="deep"/> is true, every byte.</summary>
    protected abstract bool IsRight(TResponse response, HivePayload payload, bool deep);

    protected virtual RpcHandler Handler(RpcMethod<TRequest, TResponse> method, Func<TRequest, TResponse> answer, CallCounters counters) =>
        RpcHandler.Unary(method, (request, _) => new(answer(request)));

    protected virtual Func<TRequest, CancellationToken, ValueTask<TResponse>> Send(
        IRpcClient client, RpcMethod<TRequest, TResponse> method, RpcCallOptions? call, CallCounters counters) =>
        (request, cancellationToken) => client.UnaryAsync(method, request, call, cancellationToken);

    public override bool IsRight(ReadOnlyMemory<byte> reply, HivePayload payload)
    {
        TResponse response;
        try
        {
            response = responses.Read(new(reply));
        }
        catch (Exception)
        {
            return false; // any exception means that the reply is malformed
        }

        try
        {
            return IsRight(response, payload, deep: true);
        }
        finally
        {
            responses.Release(response);
        }
    }

    public override RpcHandler Serve(HivePayload payload, CallCounters counters, int allocate) =>
        Handler(Method(counters), Answering(payload, counters, allocate), counters);

    public override RpcHandler ServeStream(HivePayload payload, CallCounters counters, int allocate)
    {
        var answer = Answering(payload, counters, allocate);
        var method = StreamMethod(counters);
        return RpcHandler.Stream(method, async stream =>
        {
            while (await stream.ReadAsync() is { HasMessage: true, Message: var request })
            {
                try
                {
                    var response = answer(request);
                    try
                    {
                        await stream.WriteAsync(response);
                    }
                    finally
                    {
                        method.Response.Release(response);
                    }
                }
                finally
                {
                    method.Request.Release(request);
                }
            }
        });
    }

    Func<TRequest, TResponse> Answering(HivePayload payload, CallCounters counters, int allocate) => request =>
    {
        var began = Stopwatch.GetTimestamp();
        if (allocate > 0)
            GC.KeepAlive(new byte[allocate]);
        var response = Answer(request, payload, new(began));
        counters.CountHandled(Stopwatch.GetTimestamp() - began);
        return response;
    };

    public override Caller Call(IRpcClient client, HivePayload payload, RpcCallOptions? call, CallCounters counters) =>
        new HiveCaller(this, payload, Send(client, Method(counters), call, counters));

    public override Caller Stream(GrpcDotnetClient client, HivePayload payload, CallCounters counters) =>
        new StreamCaller(this, payload, client, StreamMethod(counters));

    RpcMethod<TRequest, TResponse> StreamMethod(CallCounters counters) => Method(counters) with { Path = StreamPath, Service = null };

    RpcMethod<TRequest, TResponse> Method(CallCounters counters) =>
        new(Path, new CountedMarshaller<TRequest>(requests, counters), new CountedMarshaller<TResponse>(responses, counters))
        {
            Service = Gpb.TestProxy.Descriptor,
        };

    abstract class CheckingCaller(HiveService<TRequest, TResponse> service, HivePayload payload) : Caller
    {
        protected TRequest Request { get; } = service.Build(payload);

        protected TResponse Response { private get; set; } = default!;

        public override bool Finish(bool deep)
        {
            try
            {
                return service.IsRight(Response, payload, deep);
            }
            finally
            {
                service.responses.Release(Response);
            }
        }

        public override ValueTask DisposeAsync()
        {
            service.requests.Release(Request);
            return base.DisposeAsync();
        }
    }

    sealed class HiveCaller(HiveService<TRequest, TResponse> service, HivePayload payload,
        Func<TRequest, CancellationToken, ValueTask<TResponse>> send) : CheckingCaller(service, payload)
    {
        [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
        public override async ValueTask SendAsync(CancellationToken cancellationToken) => Response = await send(Request, cancellationToken);
    }

    /// <summary>The first request opens the stream. It ends with the caller, or with the first failure.</summary>
    sealed class StreamCaller(HiveService<TRequest, TResponse> service, HivePayload payload, GrpcDotnetClient client,
        RpcMethod<TRequest, TResponse> method) : CheckingCaller(service, payload)
    {
        GrpcDotnetStream<TRequest, TResponse>? stream;

        // all calls of a caller have the same token, that of its loop
        [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
        public override async ValueTask SendAsync(CancellationToken cancellationToken)
        {
            stream ??= client.Stream(method, null, cancellationToken);
            await stream.WriteAsync(Request); // if the peer has ended the stream, the read throws its status
            var received = await stream.ReadAsync();
            if (!received.HasMessage)
                throw new Grpc.Core.RpcException(new(Grpc.Core.StatusCode.Unavailable, "the host has ended the stream"));
            Response = received.Message;
        }

        public override async ValueTask DisposeAsync()
        {
            if (stream is not null)
                await stream.DisposeAsync();
            await base.DisposeAsync();
        }
    }
}
