using Google.Protobuf;
using Grpc.Core;
using ProtoBench.Gpb;
using ProtoBench.GrpcHost.Hive.GrpcDotnet;
using ProtoBench.Rpc;
using ProtoBench.Rpc.Transports.GrpcDotnet;

namespace ProtoBench.GrpcHost.Hive;

/// <summary>Google.Protobuf with its generated types: every message and every leaf is a new object.</summary>
sealed class GoogleCodec()
    : HiveCodec<ForwardRequest, ForwardResponse>(new GoogleMarshaller<ForwardRequest>(), new GoogleMarshaller<ForwardResponse>())
{
    public override string Memory => "fresh";

    protected override ForwardRequest Build(HivePayload payload) => ForwardRequest.Parser.ParseFrom(payload.Request);

    protected override ForwardResponse Answer(ForwardRequest request, HivePayload payload, Route route)
    {
        var response = new ForwardResponse { RouteStartTimeInTicks = Route.StartTimeInTicks };
        response.ItemResponses.Capacity = request.ItemRequests.Count;
        foreach (var item in request.ItemRequests)
        {
            var key = HiveAnswer.Key(item.ItemId);
            var extra = new byte[HiveAnswer.ExtraBytes];
            HiveAnswer.Extra(key, extra);
            response.ItemResponses.Add(
                new ForwardPerItemResponse { Result = HiveAnswer.Result(key), ExtraResult = UnsafeByteOperations.UnsafeWrap(extra) });
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
            var extra = items[i].ExtraResult;
            if (extra.Length != HiveAnswer.ExtraBytes || (deep && !payload.IsRight(i, items[i].Result, extra.Span)))
                return false;
        }

        return true;
    }

    CountedMethods? methods;

    protected override RpcHandler Handler(RpcMethod<ForwardRequest, ForwardResponse> method, Func<ForwardRequest, ForwardResponse> answer,
        CallCounters counters) =>
        new GeneratedHandler(base.Handler(method, answer, counters), answer, new(counters));

    protected override Func<ForwardRequest, CancellationToken, ValueTask<ForwardResponse>> Send(
        IRpcClient client, RpcMethod<ForwardRequest, ForwardResponse> method, RpcCallOptions? call, CallCounters counters)
    {
        if (client is not GrpcDotnetClient channel)
            return base.Send(client, method, call, counters);
        var stub = new TestProxy.TestProxyClient(new CountingInvoker(channel.Invoker, methods ??= new(counters)));
        return async (request, cancellationToken) =>
        {
            try
            {
                var response = await stub.ForwardAsync(request, GrpcDotnetClient.Options(call, cancellationToken));
                channel.Replied();
                return response;
            }
            catch (RpcException e)
            {
                throw channel.Failure(e, call, cancellationToken);
            }
        };
    }
}
