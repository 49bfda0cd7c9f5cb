using System.Collections.Concurrent;
using Google.Protobuf;
using Grpc.AspNetCore.Server.Model;
using Grpc.Core;
using ProtoBench.Gpb;

namespace ProtoBench.GrpcHost;

/// <summary>Google.Protobuf with its generated types. Every message and every leaf is a new object.</summary>
/// <param name="isCached">Whether all calls get the reply of the first one, as an object.</param>
sealed class GoogleHiveService(bool isCached = false)
    : HiveService<ForwardRequest, ForwardResponse>(new GoogleMarshaller<ForwardRequest>(), new GoogleMarshaller<ForwardResponse>())
{
    ForwardResponse? cached;

    public override string Memory => "fresh";

    protected override ForwardRequest Build(HivePayload payload) => ForwardRequest.Parser.ParseFrom(payload.Request);

    protected override ForwardResponse Answer(ForwardRequest request, HivePayload payload, Route route) =>
        isCached ? cached ??= Make(request, route) : Make(request, route);

    static ForwardResponse Make(ForwardRequest request, Route route)
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
        return channel.ByStub<ForwardRequest, ForwardResponse>(
            call, (request, options) => new(stub.ForwardAsync(request, options).ResponseAsync));
    }
}

sealed class GeneratedHandler(RpcHandler other, Func<ForwardRequest, ForwardResponse> answer, CountedMethods methods)
    : RpcHandler(other.Path)
{
    public override void Bind(GrpcDotnetBinder binder)
    {
        binder.Publish(TestProxy.Descriptor);
        TestProxy.BindService(new CountingBinder(binder.Context, methods), new Service(answer));
    }

    public override ValueTask RunAsync(RpcMessageCall call) => other.RunAsync(call);

    sealed class Service(Func<ForwardRequest, ForwardResponse> answer) : TestProxy.TestProxyBase
    {
        public override Task<ForwardResponse> Forward(ForwardRequest request, ServerCallContext context) =>
            Task.FromResult(answer(request));
    }

    sealed class CountingBinder(ServiceMethodProviderContext<GrpcDotnetService> context, CountedMethods methods) : ServiceBinderBase
    {
        public override void AddMethod<TRequest,
            TResponse>(Method<TRequest, TResponse> method, Grpc.Core.UnaryServerMethod<TRequest, TResponse>? handler) =>
            context.AddUnaryMethod(methods.Of(method), [], (_, request, call) => handler!(request, call));
    }
}

/// <summary>As <see cref="CountedMarshaller{T}"/>, for generated and code-first methods. Thread-safe.</summary>
sealed class CountedMethods(CallCounters counters)
{
    // grpc-dotnet caches facts by the method object, so each method has one object
    readonly ConcurrentDictionary<IMethod, IMethod> counted = new();

    public Method<TRequest, TResponse> Of<TRequest, TResponse>(Method<TRequest, TResponse> method) =>
        (Method<TRequest, TResponse>)counted.GetOrAdd(method,
            _ => new Method<TRequest, TResponse>(method.Type, method.ServiceName, method.Name, Of(method.RequestMarshaller),
                Of(method.ResponseMarshaller)));

    public Grpc.Core.Marshaller<T> Of<T>(Grpc.Core.Marshaller<T> marshaller) => new(
        (message, context) =>
        {
            var began = counters.Begin();
            marshaller.ContextualSerializer(message, context);
            counters.CountEncoded(began);
        },
        context =>
        {
            var began = counters.Begin();
            var message = marshaller.ContextualDeserializer(context);
            counters.CountDecoded(began);
            return message;
        });
}

sealed class CountingInvoker(CallInvoker inner, CountedMethods methods) : CallInvoker
{
    const string onlyUnary = "TestProxy has unary calls only";

    public override AsyncUnaryCall<TResponse> AsyncUnaryCall<TRequest,
        TResponse>(Method<TRequest, TResponse> method, string? host, CallOptions options, TRequest request) =>
        inner.AsyncUnaryCall(methods.Of(method), host, options, request);

    public override TResponse BlockingUnaryCall<TRequest,
        TResponse>(Method<TRequest, TResponse> method, string? host, CallOptions options, TRequest request) =>
        inner.BlockingUnaryCall(methods.Of(method), host, options, request);

    public override AsyncClientStreamingCall<TRequest, TResponse> AsyncClientStreamingCall<TRequest,
        TResponse>(Method<TRequest, TResponse> method, string? host, CallOptions options) =>
        throw new NotSupportedException(onlyUnary);

    public override AsyncDuplexStreamingCall<TRequest, TResponse> AsyncDuplexStreamingCall<TRequest,
        TResponse>(Method<TRequest, TResponse> method, string? host, CallOptions options) =>
        throw new NotSupportedException(onlyUnary);

    public override AsyncServerStreamingCall<TResponse> AsyncServerStreamingCall<TRequest,
        TResponse>(Method<TRequest, TResponse> method, string? host, CallOptions options, TRequest request) =>
        throw new NotSupportedException(onlyUnary);
}
