using Grpc.AspNetCore.Server.Model;
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
        CallCounters counters)
    {
        var service = new CodeFirstTestProxy(answer);
        var other = base.Handler(method, answer, counters);
        var stubs = Factory(counters);
        return stubs is TestProxyStubs generated
            ? CodeFirstHandler.Create(service, generated.Bindings, other)
            : CodeFirstHandler.Create<ITestProxy>(service, stubs, other);
    }

    protected override Func<ForwardRequest, CancellationToken, ValueTask<ForwardResponse>> Send(
        IRpcClient client, RpcMethod<ForwardRequest, ForwardResponse> method, RpcCallOptions? call, CallCounters counters)
    {
        if (client is not ProtobufNetGrpcClient channel)
            return base.Send(client, method, call, counters);
        var stub = channel.Create<ITestProxy>(factory ??= Factory(counters));
        return channel.ByStub<ForwardRequest, ForwardResponse>(call, (request, options) => stub.ForwardAsync(request, options));
    }

    /// <summary>Each model is with the stubs of its kind: both generated in the build, or both made at run time.</summary>
    ClientFactory Factory(CallCounters counters)
    {
        var created = model is ContractModel
            ? TestProxyStubs.Create()
            : ClientFactory.Create(BinderConfiguration.Create([ProtoBufMarshallerFactory.Create(model)]));
        BinderConfiguration configuration = created;
        var methods = new CountedMethods(counters);
        configuration.SetMarshaller(methods.Of(configuration.GetMarshaller<ForwardRequest>()));
        configuration.SetMarshaller(methods.Of(configuration.GetMarshaller<ForwardResponse>()));
        return created;
    }
}

sealed class CodeFirstTestProxy(Func<ForwardRequest, ForwardResponse> answer) : ITestProxy
{
    public ValueTask<ForwardResponse> ForwardAsync(ForwardRequest request, CallContext context = default) => new(answer(request));
}

/// <summary>protobuf-net writes its other half in the build. Each side has its own object, because its marshallers count.</summary>
#pragma warning disable PBN9001 // the generator is marked as experimental
[ProtoGrpc(Model = typeof(ContractModel))]
[ProtoService(typeof(ITestProxy), typeof(CodeFirstTestProxy))]
sealed partial class TestProxyStubs : ClientFactory
{
    public IServiceMethodProvider<CodeFirstTestProxy> Bindings => new ProtoBench_Rpc_ITestProxy_ServerBindings(this);

    public static TestProxyStubs Create() => new();
}
