using System.Diagnostics;
using Grpc.Core;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.ObjectPool;
using ProtoBench.Allocators;
using ProtoBench.Codec;
using ProtoBench.Rpc;
using ProtoBench.Rpc.Transports.GrpcDotnet;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.GrpcHost.Hive;

/// <summary>The slab codec. Leaves are in recycled slabs, and the root objects are recycled in one of several ways.</summary>
/// <param name="hasStubs">Whether generated stubs call and answer over grpc-dotnet. They recycle messages with the recycler of the
/// codec.</param>
sealed class SlabHiveService(SlabMarshaller<ForwardRequest> requests, SlabMarshaller<ForwardResponse> responses, bool hasStubs)
    : HiveService<Message<ForwardRequest>, Message<ForwardResponse>>(requests, responses)
{
    public override string Memory => "recycled";

    public static SlabHiveService Create(string root) =>
        new(SlabRoots.Create<ForwardRequest>(root), SlabRoots.Create<ForwardResponse>(root), hasStubs: root == HiveServices.Roots[0]);

    /// <summary>Creates the service with its generated base class. If marshallers are timed, it uses the marshallers of this project
    /// instead, because those of the stubs cannot be timed.</summary>
    public override RpcHandler Serve(HivePayload payload, CallCounters counters, int allocate)
    {
        var other = base.Serve(payload, counters, allocate);
        return hasStubs && !counters.Timed ? new SlabStubHandler(other, counters, allocate) : other;
    }

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

    /// <summary>Fills the response with an answer to each item.</summary>
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

    CountedMethods? methods;

    protected override Func<Message<ForwardRequest>, CancellationToken, ValueTask<Message<ForwardResponse>>> Send(IRpcClient client,
        RpcMethod<Message<ForwardRequest>, Message<ForwardResponse>> method, RpcCallOptions? call, CallCounters counters)
    {
        if (!hasStubs || client is not GrpcDotnetClient channel)
            return base.Send(client, method, call, counters);
        var stub = new TestProxy.TestProxyClient(new CountingInvoker(channel.Invoker, methods ??= new(counters)));
        return channel.ByStub<Message<ForwardRequest>, Message<ForwardResponse>>(
            call, (request, options) => new(stub.ForwardAsync(request, options).ResponseAsync));
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

/// <summary>TestProxy on grpc-dotnet, by its generated base class.</summary>
sealed class SlabStubHandler(RpcHandler other, CallCounters counters, int allocate) : GrpcHostServices(other.Path)
{
    public override void Bind(GrpcDotnetBinder binder) => binder.Publish(Gpb.TestProxy.Descriptor);

    public override void Add(IServiceCollection services) =>
        services.AddSingleton(new Service(counters, allocate)).AddGrpc().AddSlabMessages();

    public override void Map(IEndpointRouteBuilder app) => app.MapGrpcService<Service>();

    public override ValueTask RunAsync(RpcMessageCall call) => other.RunAsync(call);

    sealed class Service(CallCounters counters, int allocate) : TestProxy.TestProxyBase
    {
        public override ValueTask Forward(ForwardRequest request, ForwardResponse reply, ServerCallContext context)
        {
            var began = Stopwatch.GetTimestamp();
            counters.CountDecoded(0);
            if (allocate > 0)
                GC.KeepAlive(new byte[allocate]);
            SlabHiveService.Fill(reply, request, new(began));
            counters.CountHandled(Stopwatch.GetTimestamp() - began);
            counters.CountEncoded(0); // grpc-dotnet writes the reply after this method has returned
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
