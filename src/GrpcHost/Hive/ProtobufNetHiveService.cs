using ProtoBench.Pbn;
using ProtoBuf.Grpc;
using ProtoBuf.Grpc.Configuration;
using ProtoBuf.Meta;

namespace ProtoBench.GrpcHost;

/// <summary>Protobuf-net with ordinary classes. Every message and every leaf is a new object.</summary>
sealed class ProtobufNetHiveService(TypeModel model)
    : HiveService<ForwardRequest, ForwardResponse>(
        new ProtobufNetMarshaller<ForwardRequest>(model), new ProtobufNetMarshaller<ForwardResponse>(model))
{
    public override string Memory => "fresh";

    protected override ForwardRequest Build(HivePayload payload) =>
        model.Deserialize<ForwardRequest>((ReadOnlyMemory<byte>)payload.Request);

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

    ClientFactory? factory;

    protected override RpcHandler Handler(RpcMethod<ForwardRequest, ForwardResponse> method, Func<ForwardRequest, ForwardResponse> answer,
        CallCounters counters) =>
        CodeFirstHandler.Create(new Service(answer), Counting(counters), base.Handler(method, answer, counters));

    protected override Func<ForwardRequest, CancellationToken, ValueTask<ForwardResponse>> Send(
        IRpcClient client, RpcMethod<ForwardRequest, ForwardResponse> method, RpcCallOptions? call, CallCounters counters)
    {
        if (client is not ProtobufNetGrpcClient channel)
            return base.Send(client, method, call, counters);
        var stub = channel.Create<ITestProxy>(factory ??= ClientFactory.Create(Counting(counters)));
        return channel.ByStub<ForwardRequest, ForwardResponse>(call, (request, options) => stub.ForwardAsync(request, options));
    }

    BinderConfiguration Counting(CallCounters counters)
    {
        var methods = new CountedMethods(counters);
        var configuration = BinderConfiguration.Create([ProtoBufMarshallerFactory.Create(model)]);
        configuration.SetMarshaller(methods.Of(configuration.GetMarshaller<ForwardRequest>()));
        configuration.SetMarshaller(methods.Of(configuration.GetMarshaller<ForwardResponse>()));
        return configuration;
    }

    sealed class Service(Func<ForwardRequest, ForwardResponse> answer) : ITestProxy
    {
        public ValueTask<ForwardResponse> ForwardAsync(ForwardRequest request, CallContext context = default) => new(answer(request));
    }
}
