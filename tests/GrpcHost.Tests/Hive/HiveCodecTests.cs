using Grpc.Core;
using ProtoBench.GrpcHost.Hive;
using ProtoBench.GrpcHost.Runs;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Tests.Hive;

public class HiveCodecTests
{
    static readonly HivePayload payload = HivePayload.Hive(40);

    /// <summary>The host's stack and codec, and the client's: all write the
    /// same service on the same wire, whoever's code does it.</summary>
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
        using (var caller = Create(clientCodec).Call(client, payload, new RpcCallOptions { Timeout = TimeSpan.FromMinutes(5) }, here))
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
        using var caller = Create(codec).Call(client, payload, null, new(false));
        Assert.Equal(StatusCode.Unavailable, (await Assert.ThrowsAsync<RpcException>(() => caller.SendAsync(default).AsTask())).StatusCode);
    }

    static bool Understand(RpcTransport host, RpcTransport client) =>
        host == client || (host.SpeaksGrpc && client.SpeaksGrpc);

    static IReadOnlyList<Variant> All() => Variant.Product(RpcTransports.All, HiveCodecs.Names, [HiveCodecs.Roots[0]]);

    static RpcTransport Stack(string name) => RpcTransports.Named(name);

    static HiveCodec Create(string name) => HiveCodecs.Create(name, HiveCodecs.Roots[0]);
}
