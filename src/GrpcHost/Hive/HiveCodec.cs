using System.Diagnostics;
using ProtoBench.GrpcHost.Load;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Hive;

/// <summary>TestProxy.Forward in one library's messages: the service's answer, the client's call, and the check of a reply.</summary>
abstract class HiveCodec
{
    /// <summary>The path of the published service.</summary>
    public const string Path = "/TestProxyPkg.TestProxy/Forward";

    /// <summary>Where messages live, and where their roots come from.</summary>
    public abstract string Memory { get; }

    /// <summary>The service.</summary>
    public abstract RpcHandler Serve(HivePayload payload, CallCounters counters, int allocate);

    /// <summary>A caller on a connection. Its request is built once and encoded for every call.</summary>
    public abstract Caller Call(IRpcClient client, HivePayload payload, RpcCall? call, CallCounters counters);
}

/// <summary>What the response says about its making.</summary>
/// <param name="Began">Stopwatch ticks.</param>
readonly record struct Route(long Began)
{
    public static long StartTimeInTicks => DateTime.UtcNow.Ticks;

    public long LatencyInUs => (long)Stopwatch.GetElapsedTime(Began).TotalMicroseconds;
}

/// <summary>A codec by the types of its messages.</summary>
/// <param name="requests">How requests travel.</param>
/// <param name="responses">How responses travel.</param>
abstract class HiveCodec<TRequest, TResponse>(Marshaller<TRequest> requests, Marshaller<TResponse> responses) : HiveCodec
{
    /// <summary>The request as this library holds it.</summary>
    protected abstract TRequest Build(HivePayload payload);

    /// <summary>Answers each item, in a response that is built anew.</summary>
    /// <param name="request">The request.</param>
    /// <param name="payload">What the raw codec answers with.</param>
    /// <param name="route">When the handler began.</param>
    protected abstract TResponse Answer(TRequest request, HivePayload payload, Route route);

    /// <summary>Checks counts and lengths, and every byte when asked to.</summary>
    protected abstract bool IsRight(TResponse response, HivePayload payload, bool deep);

    public override RpcHandler Serve(HivePayload payload, CallCounters counters, int allocate)
    {
        return RpcHandler.Unary(Method(counters), (request, _) =>
        {
            var began = Stopwatch.GetTimestamp();
            if (allocate > 0)
                GC.KeepAlive(new byte[allocate]);
            var response = Answer(request, payload, new(began));
            counters.CountHandled(Stopwatch.GetTimestamp() - began);
            return new(response);
        });
    }

    public override Caller Call(IRpcClient client, HivePayload payload, RpcCall? call, CallCounters counters) =>
        new HiveCaller(this, client, Method(counters), payload, call);

    RpcMethod<TRequest, TResponse> Method(CallCounters counters) =>
        new(Path, new CountedMarshaller<TRequest>(requests, counters), new CountedMarshaller<TResponse>(responses, counters));

    sealed class HiveCaller(HiveCodec<TRequest, TResponse> codec, IRpcClient client, RpcMethod<TRequest, TResponse> method, HivePayload payload, RpcCall? call)
        : Caller
    {
        readonly TRequest request = codec.Build(payload);
        TResponse response = default!;

        public override async ValueTask SendAsync(CancellationToken stop) => response = await client.UnaryAsync(method, request, call, stop);

        public override bool Finish(bool deep)
        {
            try
            {
                return codec.IsRight(response, payload, deep);
            }
            finally
            {
                method.Response.Release(response);
            }
        }
    }
}
