using Grpc.Core;
using ProtoBench.Gpb;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Tests;

public class HiveServiceTests
{
    static readonly HivePayload payload = HivePayload.Hive(40);

    /// <summary>The host's stack and codec, and the client's: all write the same service on the same wire.</summary>
    public static TheoryData<string, string, string, string> Pairs => [..
        from host in All()
        from client in All()
        where Understand(host.Stack, client.Stack)
        where host.Codec == client.Codec || (host.Codec == "google" && client.Codec != "raw")
        select (host.Stack.Name, host.Codec, client.Stack.Name, client.Codec)];

    public static TheoryData<string, string> Variants => [.. All().Select(variant => (variant.Stack.Name, variant.Codec))];

    [Theory]
    [MemberData(nameof(Pairs))]
    public async Task A_call_is_answered_right_and_counted_once_on_each_side(string hostStack, string hostCodec, string clientStack,
        string clientCodec)
    {
        var (there, here) = (new CallCounters(true), new CallCounters(true));
        await using var server = await Stack(hostStack).StartAsync(new(), [Create(hostCodec).Serve(payload, there, 0)], null, null);
        await using var client = Stack(clientStack).Connect(server.Endpoint, null);
        await using (var caller = Create(clientCodec).Call(client, payload, new RpcCallOptions { Timeout = TimeSpan.FromMinutes(5) }, here))
        {
            await caller.SendAsync(default);
            Assert.True(caller.Finish(deep: true));
        }

        Assert.Equal((1, 1), (here.Encoded, here.Decoded));
        Assert.Equal((1, 1, 1), (there.Decoded, there.Handled, there.Encoded));
        Assert.All([here.EncodeTime, here.DecodeTime, there.EncodeTime, there.DecodeTime], time => Assert.True(time > TimeSpan.Zero));
        Assert.Equal((1, Stack(clientStack).Protocol), (client.Connection.Opened, client.Connection.Protocol));
    }

    [Theory]
    [MemberData(nameof(Variants))]
    public async Task No_host_is_unavailable(string stack, string codec)
    {
        RpcEndpoint nobody = new() { UnixSocket = Path.Combine(Path.GetTempPath(), $"protobench-{Guid.NewGuid():N}.sock") };
        await using var client = Stack(stack).Connect(nobody, null);
        await using var caller = Create(codec).Call(client, payload, null, new(false));
        Assert.Equal(StatusCode.Unavailable, (await Assert.ThrowsAsync<RpcException>(() => caller.SendAsync(default).AsTask())).StatusCode);
    }

    static bool Understand(RpcTransport host, RpcTransport client) =>
        host == client || (host.SpeaksGrpc && client.SpeaksGrpc);

    static IReadOnlyList<Variant> All() => Variant.Product(RpcTransports.All, HiveServices.Names, [HiveServices.Roots[0]]);

    static RpcTransport Stack(string name) => RpcTransports.Named(name);

    static HiveService Create(string name) => HiveServices.Create(name, HiveServices.Roots[0]);
}

public class SlabHiveServiceTests
{
    static readonly HivePayload payload = HivePayload.Hive(40);

    public static TheoryData<string, bool> Ways => [.. HiveServices.Roots.SelectMany(root => new[] { (root, false), (root, true) })];

    /// <summary>The stubs that users have, on the host and on the client, with every recycler, with times and without.</summary>
    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Generated_stubs_answer_and_count(string root, bool timed)
    {
        var (there, here) = (new CallCounters(timed), new CallCounters(timed));
        var codec = HiveServices.Create("slab", root);
        var handler = codec.Serve(payload, there, 0);
        Assert.IsType<SlabStubHandler>(handler);
        await using var server = await RpcTransports.All[0].StartAsync(new(), [handler]);
        await using var client = RpcTransports.All[0].Connect(server.Endpoint);
        await using (var caller = codec.Call(client, payload, null, here))
        {
            for (var i = 0; i < 3; i++)
            {
                await caller.SendAsync(default);
                Assert.True(caller.Finish(deep: true));
            }
        }

        Assert.Equal((3, 3), (here.Encoded, here.Decoded));
        Assert.Equal((3, 3, 3), (there.Decoded, there.Handled, there.Encoded));
        Assert.All([here.EncodeTime, here.DecodeTime, there.EncodeTime, there.DecodeTime],
            time => Assert.Equal(timed, time > TimeSpan.Zero));
    }
}

public class GoogleCodecTests
{
    [Fact]
    public void Google_is_served_by_what_is_generated() =>
        Assert.IsType<GeneratedHandler>(new GoogleHiveService().Serve(HivePayload.Empty(), new(false), 0));

    [Fact]
    public void A_generated_stub_calls_the_published_method_with_one_method_object()
    {
        var seen = new Seen();
        var methods = new CountedMethods(new(false));
        // each caller has a stub of its own; grpc-dotnet keeps what it knows of a method by the method
        for (var caller = 0; caller < 2; caller++)
            Assert.Throws<NotSupportedException>(() =>
                new TestProxy.TestProxyClient(new CountingInvoker(seen, methods)).ForwardAsync(new ForwardRequest()));
        Assert.Equal([HiveService.Path, HiveService.Path], seen.Methods.Select(method => method.FullName));
        Assert.Same(seen.Methods[0], seen.Methods[1]);
    }

    sealed class Seen : CallInvoker
    {
        public List<IMethod> Methods { get; } = [];

        public override AsyncUnaryCall<TResponse> AsyncUnaryCall<TRequest,
            TResponse>(Method<TRequest, TResponse> method, string? host, CallOptions options, TRequest request)
        {
            Methods.Add(method);
            throw new NotSupportedException();
        }

        public override TResponse BlockingUnaryCall<TRequest,
            TResponse>(Method<TRequest, TResponse> method, string? host, CallOptions options, TRequest request) =>
                throw new NotSupportedException();

        public override AsyncClientStreamingCall<TRequest, TResponse> AsyncClientStreamingCall<TRequest,
            TResponse>(Method<TRequest, TResponse> method, string? host, CallOptions options) => throw new NotSupportedException();

        public override AsyncDuplexStreamingCall<TRequest, TResponse> AsyncDuplexStreamingCall<TRequest,
            TResponse>(Method<TRequest, TResponse> method, string? host, CallOptions options) => throw new NotSupportedException();

        public override AsyncServerStreamingCall<TResponse> AsyncServerStreamingCall<TRequest,
            TResponse>(Method<TRequest, TResponse> method, string? host, CallOptions options, TRequest request) =>
                throw new NotSupportedException();
    }
}
