using System.Buffers;
using Microsoft.Extensions.ObjectPool;
using ProtoBench.Pbn;
using ProtoBuf.Grpc;
using ProtoBuf.Grpc.Configuration;

namespace ProtoBench.GrpcHost;

/// <summary>Protobuf-net's extension points: struct items in a recycled list, and leaves in recycled slabs or in pooled arrays.</summary>
sealed class ProtobufNetSlabHiveService(ProtobufNetSlabMarshaller<SlabRequest> requests,
    ProtobufNetSlabMarshaller<SlabResponse> responses)
    : HiveService<SlabRequest, SlabResponse>(requests, responses)
{
    public static ProtobufNetSlabHiveService Create(string root) => new(
        ProtobufNetRoots.Create<SlabRequest>(root, static request => request.Reset()),
        ProtobufNetRoots.Create<SlabResponse>(root, static response => response.Reset()));

    /// <summary>Creates a codec with an array of the shared pool for each leaf, as in the first version of the published study.</summary>
    public static ProtobufNetSlabHiveService CreateOnArrayPool() => new(
        new(static request => request.Reset(),
            new BagRecycler<SlabRequest>(static () => new(new ArrayPoolLeaves(), ArrayPool<SlabRequestItem>.Shared))),
        new(static response => response.Reset(), new BagRecycler<SlabResponse>(static () => new(new ArrayPoolLeaves()))));

    public override string Memory => "recycled";

    protected override SlabRequest Build(HivePayload payload) => requests.Read(new(payload.Request));

    protected override SlabResponse Answer(SlabRequest request, HivePayload payload, Route route)
    {
        var response = responses.Rent();
        response.RouteStartTimeInTicks = Route.StartTimeInTicks;
        Span<byte> extra = stackalloc byte[HiveAnswer.ExtraBytes];
        foreach (ref var item in request.ItemRequests)
        {
            var key = HiveAnswer.Key(item.ItemId.Span);
            HiveAnswer.Extra(key, extra);
            response.Add(HiveAnswer.Result(key), extra);
        }

        response.RouteLatencyInUs = route.LatencyInUs;
        return response;
    }

    protected override bool IsRight(SlabResponse response, HivePayload payload, bool deep)
    {
        if (response.ItemResponses.Count != payload.Items || response.RouteStartTimeInTicks == 0)
            return false;
        var i = 0;
        foreach (ref var item in response.ItemResponses)
        {
            if (item.ExtraResult.Length != HiveAnswer.ExtraBytes || (deep && !payload.IsRight(i, item.Result, item.ExtraResult.Span)))
                return false;
            i++;
        }

        return true;
    }

    ClientFactory? factory;

    protected override RpcHandler Handler(
        RpcMethod<SlabRequest, SlabResponse> method, Func<SlabRequest, SlabResponse> answer, CallCounters counters) =>
        CodeFirstHandler.Create(new Service(method, answer), Configuration(method), base.Handler(method, answer, counters));

    protected override Func<SlabRequest, CancellationToken, ValueTask<SlabResponse>> Send(
        IRpcClient client, RpcMethod<SlabRequest, SlabResponse> method, RpcCallOptions? call, CallCounters counters)
    {
        if (client is not ProtobufNetGrpcClient channel)
            return base.Send(client, method, call, counters);
        var stub = channel.Create<ITestProxyOnSlabs>(factory ??= ClientFactory.Create(Configuration(method)));
        return channel.ByStub<SlabRequest, SlabResponse>(call, (request, options) =>
            CodeFirstMessages.ReceiveAsync(method.Response, () => stub.ForwardAsync(request, options)));
    }

    static BinderConfiguration Configuration(RpcMethod<SlabRequest, SlabResponse> method)
    {
        var configuration = BinderConfiguration.Create([ProtoBufMarshallerFactory.Default]); // a new object, not the shared default
        configuration.SetMarshaller(CodeFirstMessages.ToCore(method.Request));
        configuration.SetMarshaller(CodeFirstMessages.ToCore(method.Response));
        return configuration;
    }

    sealed class Service(RpcMethod<SlabRequest, SlabResponse> method, Func<SlabRequest, SlabResponse> answer) : ITestProxyOnSlabs
    {
        public ValueTask<SlabResponse> ForwardAsync(SlabRequest request, CallContext context = default) =>
            new(CodeFirstMessages.Answer(method.Response, answer(request)));
    }
}

/// <summary>Four ways to recycle messages, the same as <see cref="SlabRoots"/> for the slab codec.</summary>
static class ProtobufNetRoots
{
    public static ProtobufNetSlabMarshaller<T> Create<T>(string root, Action<T> reset)
        where T : class, IDisposable, new() => root switch
        {
            "new" => new(reset, static () => new(), static message => message.Dispose()),
            "bag" => new(reset, new BagRecycler<T>(static () => new())),
            "objectpool" => Pooled(reset, new DefaultObjectPoolProvider().Create(new DefaultPooledObjectPolicy<T>())),
            _ => new(reset, ThreadStaticRecycler<T>.Instance),
        };

    static ProtobufNetSlabMarshaller<T> Pooled<T>(Action<T> reset, ObjectPool<T> pool)
        where T : class, IDisposable, new() => new(reset, pool.Get, pool.Return);
}
