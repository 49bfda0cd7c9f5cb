using BenchmarkDotNet.Attributes;
using ProtoBench.Codec;
using ProtoBench.Harness;
using ProtoBench.Rpc;

namespace ProtoBench.Benchmarks;

/// <summary>A call over grpc-dotnet, with both sides in one process and over the loopback interface, without TLS. The client writes a
/// message that exists. The service reads it and a third of its fields, and makes a reply, of which the client reads every field.</summary>
public abstract partial class DataSetBenchmarks<TSet, TGoogle, TSlab, TPlain>
{
    SetCalls<TGoogle>? googleCalls;
    SetCalls<Message<TSlab>>? slabCalls;

    [Benchmark(Baseline = true), BenchmarkCategory("CallSet"), Measures("Google")]
    public async Task<long> CallSetGoogle()
    {
        googleCalls ??= await SetCalls<TGoogle>.StartAsync(new GoogleMarshaller<TGoogle>(),
            request => (TSet.TouchThird(request), TSet.Reply(request)));
        return googleCalls.Sum(TSet.Touch(await googleCalls.SendAsync(content.GoogleRequests.Next)));
    }

    [Benchmark, BenchmarkCategory("CallSet"), Measures("Slab")]
    public async Task<long> CallSetSlab()
    {
        slabCalls ??= await SetCalls<Message<TSlab>>.StartAsync(new SlabMarshaller<TSlab>(), request =>
        {
            var reply = Message<TSlab>.Rent();
            TSet.Reply(reply.Value, request.Value);
            return (TSet.TouchThird(request.Value), reply);
        });
        using var reply = await slabCalls.SendAsync(content.Slab.Next);
        return slabCalls.Sum(TSet.Touch(reply.Value));
    }

    [GlobalCleanup]
    public async Task StopAsync()
    {
        if (googleCalls is not null) await googleCalls.DisposeAsync();
        if (slabCalls is not null) await slabCalls.DisposeAsync();
        (googleCalls, slabCalls) = (null, null);
    }

    sealed partial class Content
    {
        /// <summary>Gets messages that the check of a call does not take in turn.</summary>
        public Cycle<TGoogle> GoogleRequests => field ??= new([.. Messages.Select(TSet.Parser.ParseFrom)]);
    }
}

/// <summary>A service and its client.</summary>
sealed class SetCalls<T> : IAsyncDisposable
{
    // some data sets are larger than the default
    static readonly RpcLimits limits = new() { MaxReceiveBytes = 16 << 20 };

    readonly IRpcServer server;
    readonly IRpcClient client;
    readonly RpcMethod<T, T> method;
    long served;

    SetCalls(IRpcServer server, IRpcClient client, RpcMethod<T, T> method)
    {
        (this.server, this.client, this.method) = (server, client, method);
    }

    /// <param name="serve">Returns the sum of the fields that the service reads, and the reply.</param>
    public static async Task<SetCalls<T>> StartAsync(Marshaller<T> marshaller, Func<T, (long Sum, T Reply)> serve)
    {
        SetCalls<T>? calls = null;
        var transport = RpcTransports.Named("grpc-dotnet");
        var method = new RpcMethod<T, T>("/ProtoBench.DataSet/Serve", marshaller, marshaller);
        var server = await transport.StartAsync(new(), [RpcHandler.Unary(method, (request, _) =>
        {
            var (sum, reply) = serve(request);
            calls!.served = sum;
            return new(reply);
        })], limits);
        return calls = new(server, transport.Connect(server.Endpoint, limits), method);
    }

    /// <returns>The reply, which the caller disposes if its memory is recycled.</returns>
    public ValueTask<T> SendAsync(T request) => client.UnaryAsync(method, request);

    /// <summary>Adds what the service has read in the last call.</summary>
    public long Sum(long reply) => served + reply;

    public async ValueTask DisposeAsync()
    {
        await client.DisposeAsync();
        await server.DisposeAsync();
    }
}
