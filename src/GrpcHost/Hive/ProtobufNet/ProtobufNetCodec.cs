using ProtoBench.Pbn;
using ProtoBench.Rpc.Marshallers.ProtobufNet;
using ProtoBuf;

namespace ProtoBench.GrpcHost.Hive;

/// <summary>protobuf-net with the classes that its users write: every message and every leaf is a new object.</summary>
sealed partial class ProtobufNetCodec()
    : HiveCodec<ForwardRequest, ForwardResponse>(new ProtobufNetMarshaller<ForwardRequest>(), new ProtobufNetMarshaller<ForwardResponse>())
{
    public override string Memory => "fresh";

    protected override ForwardRequest Build(HivePayload payload) =>
        Serializer.Deserialize<ForwardRequest>((ReadOnlyMemory<byte>)payload.Request);

    protected override ForwardResponse Answer(ForwardRequest request, HivePayload payload, Route route)
    {
        var response = new ForwardResponse { RouteStartTimeInTicks = Route.StartTimeInTicks };
        response.ItemResponses.Capacity = request.ItemRequests.Count;
        foreach (var item in request.ItemRequests)
        {
            var key = HiveAnswer.Key(item.ItemId);
            var extra = new byte[HiveAnswer.ExtraBytes];
            HiveAnswer.Extra(key, extra);
            response.ItemResponses.Add(new() { Result = HiveAnswer.Result(key), ExtraResult = extra });
        }

        response.RouteLatencyInUs = route.LatencyInUs;
        return response;
    }

    protected override bool IsRight(ForwardResponse response, HivePayload payload, bool deep)
    {
        var items = response.ItemResponses;
        if (items.Count != payload.Items || response.RouteStartTimeInTicks == 0)
            return false;
        for (var i = 0; i < items.Count; i++)
        {
            if (items[i].ExtraResult is not { Length: HiveAnswer.ExtraBytes } extra
                || (deep && !payload.IsRight(i, items[i].Result, extra)))
                return false;
        }

        return true;
    }
}
