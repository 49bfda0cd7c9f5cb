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
