using Microsoft.Extensions.ObjectPool;
using ProtoBench.Allocators;
using ProtoBench.Codec;
using ProtoBench.Rpc;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.GrpcHost.Hive;

/// <summary>The slab codec: leaves are in recycled slabs, and the root objects are recycled in one of several ways.</summary>
sealed class SlabCodec(SlabMarshaller<ForwardRequest> requests, SlabMarshaller<ForwardResponse> responses)
    : HiveCodec<Message<ForwardRequest>, Message<ForwardResponse>>(requests, responses)
{
    public override string Memory => "recycled";

    /// <param name="root">One of <see cref="HiveCodecs.Roots"/>.</param>
    public static SlabCodec Create(string root) => new(SlabRoots.Create<ForwardRequest>(root), SlabRoots.Create<ForwardResponse>(root));

    protected override Message<ForwardRequest> Build(HivePayload payload)
    {
        var message = requests.Rent();
        message.Parse(payload.Request);
        return message;
    }

    protected override Message<ForwardResponse> Answer(Message<ForwardRequest> request, HivePayload payload, Route route)
    {
        var message = responses.Rent();
        var response = message.Value;
        response.SetRouteStartTimeInTicks(Route.StartTimeInTicks);
        Span<byte> extra = stackalloc byte[HiveAnswer.ExtraBytes];
        foreach (var item in request.Value.ItemRequests)
        {
            var key = HiveAnswer.Key(item.ItemId.Span);
            var answer = response.AddItemResponses();
            answer.SetResult(HiveAnswer.Result(key));
            HiveAnswer.Extra(key, extra);
            answer.SetExtraResult(extra);
        }

        response.SetRouteLatencyInUs(route.LatencyInUs);
        return message;
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

/// <summary>The ways to recycle the root objects of slab messages, which the published study compares.</summary>
static class SlabRoots
{
    /// <param name="root">One of <see cref="HiveCodecs.Roots"/>.</param>
    public static SlabMarshaller<T> Create<T>(string root)
        where T : struct, IMessage<T> => root switch
        {
            "new" => new(New<T>, static message => message.Dispose()),
            "bag" => Bag<T>(),
            "objectpool" => ObjectPool<T>(),
            // the codec's own way: one spare per thread, and a bag behind it for messages that end on another thread
            _ => new(),
        };

    static Message<T> New<T>()
        where T : struct, IMessage<T> => Message<T>.Rent(SlabPool.Shared);

    static SlabMarshaller<T> Bag<T>()
        where T : struct, IMessage<T>
    {
        var bag = new BagRecycler<Root<T>>(static () => new(New<T>()));
        return new(() => bag.Rent().Message, message =>
        {
            message.Clear();
            bag.Return(new(message));
        });
    }

    static SlabMarshaller<T> ObjectPool<T>()
        where T : struct, IMessage<T>
    {
        var pool = new DefaultObjectPool<Root<T>>(new Policy<T>());
        return new(() => pool.Get().Message, message => pool.Return(new(message)));
    }

    /// <summary>A handle as an object, which is what these two recyclers keep: one of 32 bytes for each release.</summary>
    sealed record Root<T>(Message<T> Message) : IDisposable
        where T : struct, IMessage<T>
    {
        public void Dispose() => Message.Dispose();
    }

    sealed class Policy<T> : PooledObjectPolicy<Root<T>>
        where T : struct, IMessage<T>
    {
        public override Root<T> Create() => new(New<T>());

        public override bool Return(Root<T> obj)
        {
            obj.Message.Clear();
            return true;
        }
    }
}
