using System.Buffers;
using ProtoBench.Allocators;
using ProtoBench.Pbn;
using ProtoBench.Rpc.Marshallers.ProtobufNet;

namespace ProtoBench.GrpcHost.Hive;

/// <summary>protobuf-net through its public extension points: struct items in a recycled list, leaves in recycled slabs or in
/// pooled arrays.</summary>
sealed partial class ProtobufNetSlabCodec(ProtobufNetSlabMarshaller<SlabRequest> requests,
    ProtobufNetSlabMarshaller<SlabResponse> responses)
    : HiveCodec<SlabRequest, SlabResponse>(requests, responses)
{
    /// <param name="root">One of <see cref="HiveCodecs.Roots"/>.</param>
    public static ProtobufNetSlabCodec Create(string root) => new(
        ProtobufNetRoots.Create<SlabRequest>(root, static request => request.Reset()),
        ProtobufNetRoots.Create<SlabResponse>(root, static response => response.Reset()));

    /// <summary>With an array of the shared pool for each leaf, where the published study starts.</summary>
    public static ProtobufNetSlabCodec CreateOnArrayPool() => new(
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
}
