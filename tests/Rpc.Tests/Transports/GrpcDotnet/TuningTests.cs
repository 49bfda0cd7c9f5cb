using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using static ProtoBench.Rpc.Tests.EchoService;

namespace ProtoBench.Rpc.Tests;

public class TuningTests
{
    const int settingsFrame = 4;
    const int windowUpdateFrame = 8;
    const int initialWindowSize = 4;
    const int firstWindow = 65_535;

    // what a client says first: RFC 9113, 3.4
    static readonly byte[] preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"u8.ToArray();

    static readonly byte[] noSettings = [0, 0, 0, settingsFrame, 0, 0, 0, 0, 0];

    public static TheoryData<string> Stacks => ["grpc-dotnet", "grpc-dotnet-defaults"];

    [Theory]
    [MemberData(nameof(Stacks))]
    public async Task A_server_announces_its_windows(string stack)
    {
        const int window = 2_097_152;
        var transport = RpcTransports.Named(stack);
        await using var server = await transport.StartAsync(new(), [], new() { Tuning = new() { ServerWindow = window } });
        using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(server.Endpoint.Host, server.Endpoint.Port);
        await socket.SendAsync((byte[])[.. preface, .. noSettings]);
        Assert.Equal((window, window), await WindowsAsync(socket));
    }

    [Theory]
    [MemberData(nameof(Stacks))]
    public async Task A_client_announces_its_window(string stack)
    {
        const int window = 2_097_152;
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var endpoint = new RpcEndpoint { Port = ((IPEndPoint)listener.LocalEndpoint).Port };
        await using var client = RpcTransports.Named(stack).Connect(endpoint, new() { Tuning = new() { ClientWindow = window } });
        var call = client.UnaryAsync(Echo, Message("m")).AsTask();
        using (var socket = await listener.AcceptSocketAsync().WaitAsync(TransportFixture.Patience))
        {
            await ReadAsync(socket, preface.Length);
            Assert.Equal(window, (await WindowsAsync(socket)).Stream);
        }

        await Assert.ThrowsAsync<RpcException>(() => call.WaitAsync(TransportFixture.Patience));
    }

    /// <summary>100,000 equal bytes, over a connection that carries 20,000.</summary>
    [Theory]
    [InlineData("gzip")]
    [InlineData("deflate")]
    [InlineData("br")]
    [InlineData(null)]
    public async Task Messages_are_compressed_in_both_directions(string? compression)
    {
        var limits = new RpcLimits { Tuning = new() { Compression = compression } };
        await using var server = await GrpcDotnetServer.StartAsync(new(), new EchoService().Handlers, limits);
        foreach (var (method, text) in new[] { (Echo, new string('a', 100_000)), (Expand, "1 100000"), (Collect, new string('a', 100_000)) })
        {
            await using var relay = new CuttingRelay(server.Endpoint, () => 20_000);
            await using var client = new GrpcDotnetClient(relay.Endpoint, limits);
            var reply = ReplyAsync(client, method, text);
            if (compression is null)
                await TransportFixture.FailsAsync(StatusCode.Unavailable, reply);
            else
                Assert.Equal(method == Collect ? 8 : 100_000, (await reply.WaitAsync(TransportFixture.Patience)).Bytes.Length);
        }
    }

    /// <summary>For which .NET's streams write nothing.</summary>
    [Theory]
    [InlineData("gzip")]
    [InlineData("deflate")]
    [InlineData("br")]
    public async Task An_empty_message_is_compressed_in_both_directions(string compression)
    {
        var limits = new RpcLimits { Tuning = new() { Compression = compression } };
        await using var server = await GrpcDotnetServer.StartAsync(new(), new EchoService().Handlers, limits);
        await using var client = new GrpcDotnetClient(server.Endpoint, limits);
        Assert.Empty((await client.UnaryAsync(Echo, Message([]))).Bytes.ToArray());
    }

    [Fact]
    public async Task A_call_with_metadata_is_compressed_too()
    {
        var limits = new RpcLimits { Tuning = new() { Compression = "gzip" } };
        await using var server = await GrpcDotnetServer.StartAsync(new(), new EchoService().Handlers, limits);
        await using var relay = new CuttingRelay(server.Endpoint, () => 20_000);
        await using var client = new GrpcDotnetClient(relay.Endpoint, limits);
        var call = new RpcCallOptions { Headers = new() { { "x-text", "t" } }, Trailers = new() };
        var reply = await client.UnaryAsync(Echo, Message(new byte[100_000]), call).AsTask().WaitAsync(TransportFixture.Patience);
        Assert.Equal((100_000, "t"), (reply.Bytes.Length, call.Trailers.GetValue("x-text")));
        Assert.Single(call.Headers); // what the caller gave is as it was
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_retry_policy_makes_a_call_again_that_was_unavailable(bool retries)
    {
        var attempts = 0;
        RpcHandler[] handlers =
        [
            RpcHandler.Unary(Echo, (request, _) => Interlocked.Increment(ref attempts) == 1
                ? throw RpcFailure.Of(StatusCode.Unavailable, "not yet") : new(Message(request.Bytes.ToArray()))),
        ];
        await using var server = await GrpcDotnetServer.StartAsync(new(), handlers);
        await using var client = new GrpcDotnetClient(server.Endpoint, new() { Tuning = new() { Retries = retries } });
        var call = client.UnaryAsync(Echo, Message("m")).AsTask();
        if (retries)
            Assert.Equal("m", Text(await call.WaitAsync(TransportFixture.Patience)));
        else
            await TransportFixture.FailsAsync(StatusCode.Unavailable, call);
        Assert.Equal(retries ? 2 : 1, attempts);
    }

    /// <summary>Kestrel's default is 100 streams on a connection.</summary>
    [Theory]
    [InlineData(true, 120, 2)]
    [InlineData(false, 100, 1)]
    public async Task Calls_beyond_the_streams_of_a_connection_open_another_one_or_wait(bool several, int atOnce, int connections)
    {
        const int calls = 120;
        var service = new EchoService();
        await using var server = await RpcTransports.Named("grpc-dotnet-defaults").StartAsync(new(), service.Handlers);
        await using var client = RpcTransports.Named("grpc-dotnet-defaults").Connect(
            server.Endpoint, new() { Tuning = new() { MultipleConnections = several } });
        await client.UnaryAsync(Echo, Message("m")); // the streams of the connection are known from here on
        var all = Enumerable.Range(0, calls).Select(_ => client.UnaryAsync(Ignore, Message("m")).AsTask()).ToArray();
        await TransportFixture.UntilAsync(() => service.Ignored >= atOnce);
        Assert.Equal(atOnce, service.Ignored);
        service.Released.SetResult();
        await Task.WhenAll(all).WaitAsync(TransportFixture.Patience);
        Assert.Equal(connections, server.ConnectionsAccepted);
    }

    [Fact]
    public void The_scheduling_of_sockets_is_as_asked_for_or_kestrels_own()
    {
        var (own, unchanged, changed) = (new SocketTransportOptions(), new SocketTransportOptions(), new SocketTransportOptions());
        KestrelHost.Configure(unchanged, new());
        Assert.Equal((own.UnsafePreferInlineScheduling, own.IOQueueCount),
            (unchanged.UnsafePreferInlineScheduling, unchanged.IOQueueCount));
        KestrelHost.Configure(changed, new() { InlineScheduling = true, IoQueues = 0 });
        Assert.Equal((true, 0), (changed.UnsafePreferInlineScheduling, changed.IOQueueCount));
    }

    [Fact]
    public void What_is_set_is_said()
    {
        Assert.Null(new RpcTuning().InWords);
        Assert.Equal(
            "Kestrel's windows of 70000 bytes, client's windows of 80000 bytes at first, one connection, UnsafePreferInlineScheduling, "
            + "IOQueueCount 0, gzip, a retry policy",
            new RpcTuning
            {
                ServerWindow = 70_000,
                ClientWindow = 80_000,
                MultipleConnections = false,
                InlineScheduling = true,
                IoQueues = 0,
                Compression = "gzip",
                Retries = true,
            }.InWords);
    }

    static async Task<RawMessage> ReplyAsync(GrpcDotnetClient client, RpcMethod<RawMessage, RawMessage> method, string text)
    {
        if (method == Echo)
            return await client.UnaryAsync(method, Message(text));
        await using var stream = client.Stream(method);
        await stream.WriteAsync(Message(text));
        await stream.CompleteAsync();
        return (await stream.ReadAsync()).Message;
    }

    /// <summary>The window of a stream and that of the connection, from the first frames of a peer.</summary>
    static async Task<(int Stream, int Connection)> WindowsAsync(Socket socket)
    {
        var (stream, connection) = (firstWindow, firstWindow);
        while (connection == firstWindow)
        {
            var head = await ReadAsync(socket, 9);
            var payload = await ReadAsync(socket, (head[0] << 16) | (head[1] << 8) | head[2]);
            if (head[3] == windowUpdateFrame)
                connection += BinaryPrimitives.ReadInt32BigEndian(payload);
            for (var at = 0; head[3] == settingsFrame && at < payload.Length; at += 6)
            {
                if (BinaryPrimitives.ReadUInt16BigEndian(payload.AsSpan(at)) == initialWindowSize)
                    stream = BinaryPrimitives.ReadInt32BigEndian(payload.AsSpan(at + 2));
            }
        }

        return (stream, connection);
    }

    static async Task<byte[]> ReadAsync(Socket socket, int count)
    {
        var bytes = new byte[count];
        using var stream = new NetworkStream(socket);
        await stream.ReadExactlyAsync(bytes).AsTask().WaitAsync(TransportFixture.Patience);
        return bytes;
    }
}
