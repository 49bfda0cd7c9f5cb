using System.Diagnostics;
using Grpc.Core;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.ObjectPool;
using ProtoBench.Allocators;
using ProtoBench.Codec;
using ProtoBench.Codec.Grpc;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.GrpcHost;

/// <summary>The slab codec. Leaves are in recycled slabs, and the root objects are recycled in one of several ways.</summary>
/// <param name="isCached">Whether all calls of the stub's service get the reply of the first one, as bytes.</param>
sealed class SlabHiveService(SlabMarshaller<ForwardRequest> requests, SlabMarshaller<ForwardResponse> responses, bool isCached)
    : HiveService<Message<ForwardRequest>, Message<ForwardResponse>>(requests, responses)
{
    public override string Memory => "recycled";

    /// <param name="root">One of <see cref="HiveServices.Roots"/>.</param>
    /// <param name="isCached">Whether replies come from a cache.</param>
    public static SlabHiveService Create(string root, bool isCached) =>
        new(SlabRoots.Create<ForwardRequest>(root), SlabRoots.Create<ForwardResponse>(root), isCached);

    public override RpcHandler Serve(HivePayload payload, CallCounters counters, int allocate) =>
        new SlabStubHandler(base.Serve(payload, counters, allocate), Method(counters), counters, allocate, isCached);

    protected override Message<ForwardRequest> Build(HivePayload payload)
    {
        var message = requests.Rent();
        message.Parse(payload.Request);
        return message;
    }

    protected override Message<ForwardResponse> Answer(Message<ForwardRequest> request, HivePayload payload, Route route)
    {
        var message = responses.Rent();
        Fill(message.Value, request.Value, route);
        return message;
    }

    public static void Fill(ForwardResponse response, ForwardRequest request, Route route)
    {
        response.SetRouteStartTimeInTicks(Route.StartTimeInTicks);
        Span<byte> extra = stackalloc byte[HiveAnswer.ExtraBytes];
        foreach (var item in request.ItemRequests)
        {
            var key = HiveAnswer.Key(item.ItemId.Span);
            var answer = response.AddItemResponses();
            answer.SetResult(HiveAnswer.Result(key));
            HiveAnswer.Extra(key, extra);
            answer.SetExtraResult(extra);
        }

        response.SetRouteLatencyInUs(route.LatencyInUs);
    }

    SlabMethod<ForwardRequest, ForwardResponse>? method;

    protected override Func<Message<ForwardRequest>, CancellationToken, ValueTask<Message<ForwardResponse>>> Send(IRpcClient client,
        RpcMethod<Message<ForwardRequest>, Message<ForwardResponse>> method, RpcCallOptions? call, CallCounters counters)
    {
        if (client is not GrpcDotnetClient channel)
            return base.Send(client, method, call, counters);
        var counted = this.method ??= Method(counters); // grpc-dotnet caches facts by the method object
        return channel.ByStub<Message<ForwardRequest>, Message<ForwardResponse>>(
            call, (request, options) => new(counted.CallAsync(channel.Invoker, request, options).ResponseAsync));
    }

    SlabMethod<ForwardRequest, ForwardResponse> Method(CallCounters counters)
    {
        var methods = new CountedMethods(counters);
        var names = Gpb.TestProxy.Descriptor;
        return new(MethodType.Unary, names.FullName, names.Methods[0].Name,
            new(requests.Rent, requests.Release, methods.Of), new(responses.Rent, responses.Release, methods.Of));
    }

    protected override bool IsRight(Message<ForwardResponse> response, HivePayload payload, bool deep)
    {
        var items = response.Value.ItemResponses;
        if (items.Count != payload.Items || response.Value.RouteStartTimeInTicks == 0)
            return false;
        var i = 0;
        foreach (var item in items)
        {
            if (item.ExtraResult.Length != HiveAnswer.ExtraBytes || (deep && !payload.IsRight(i, item.Result, item.ExtraResult.Span)))
                return false;
            i++;
        }

        return true;
    }
}

sealed class SlabStubHandler(RpcHandler other, SlabMethod<ForwardRequest, ForwardResponse> method, CallCounters counters, int allocate,
    bool isCached)
    : GrpcHostServices(other.Path)
{
    public override void Bind(GrpcDotnetBinder binder) => binder.Publish(Gpb.TestProxy.Descriptor);

    public override void Add(IServiceCollection services) =>
        services.AddSingleton(method).AddSingleton(new Service(counters, allocate, isCached)).AddGrpc().AddSlabMessages();

    public override void Map(IEndpointRouteBuilder app) => app.MapGrpcService<Service>();

    public override ValueTask RunAsync(RpcMessageCall call) => other.RunAsync(call);

    sealed class Service(CallCounters counters, int allocate, bool isCached) : TestProxy.TestProxyBase
    {
        byte[]? cached;

        public override ValueTask Forward(ForwardRequest request, ForwardResponse reply, ServerCallContext context)
        {
            var began = Stopwatch.GetTimestamp();
            if (allocate > 0)
                GC.KeepAlive(new byte[allocate]);
            if (!isCached || cached is null)
                SlabHiveService.Fill(reply, request, new(began));
            if (isCached)
                context.SetReply(reply, cached ??= reply.ToByteArray());
            counters.CountHandled(Stopwatch.GetTimestamp() - began);
            return default;
        }
    }
}

/// <summary>Creates marshallers that recycle the root objects of slab messages in the ways that the published study compares.</summary>
static class SlabRoots
{
    public static SlabMarshaller<T> Create<T>(string root)
        where T : struct, ISlabMessage<T> => root switch
        {
            "new" => new(New<T>, static message => message.Dispose()),
            "bag" => Bag<T>(),
            "objectpool" => ObjectPool<T>(),
            // the recycler of the codec: one spare message for each thread, and a shared bag for messages that end on another thread
            _ => new(),
        };

    static Message<T> New<T>()
        where T : struct, ISlabMessage<T> => Message<T>.Rent(SlabPool.Shared);

    static SlabMarshaller<T> Bag<T>()
        where T : struct, ISlabMessage<T>
    {
        var bag = new BagRecycler<Root<T>>(static () => new(New<T>()));
        return new(() => bag.Rent().Message, message =>
        {
            message.Clear();
            bag.Return(new(message));
        });
    }

    static SlabMarshaller<T> ObjectPool<T>()
        where T : struct, ISlabMessage<T>
    {
        var pool = new DefaultObjectPool<Root<T>>(new Policy<T>());
        return new(() => pool.Get().Message, message => pool.Return(new(message)));
    }

    /// <summary>A handle as an object, which these two recyclers need. Each release allocates one of 32 bytes.</summary>
    sealed record Root<T>(Message<T> Message) : IDisposable
        where T : struct, ISlabMessage<T>
    {
        public void Dispose() => Message.Dispose();
    }

    sealed class Policy<T> : PooledObjectPolicy<Root<T>>
        where T : struct, ISlabMessage<T>
    {
        public override Root<T> Create() => new(New<T>());

        public override bool Return(Root<T> obj)
        {
            obj.Message.Clear();
            return true;
        }
    }
}
