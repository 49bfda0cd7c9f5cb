using System.Buffers;
using System.Net;
using System.Net.Sockets;

namespace ProtoBench.Rpc.Tests;

/// <summary>A peer that does what no peer should: the other side ends the call with a status, in time, and lives on.</summary>
public class HostilePeerTests
{
    static readonly TimeSpan limit = TimeSpan.FromMinutes(2);

    public static TheoryData<string, byte[]> Garbage { get; } = new()
    {
        { "text", "GET / HTTP/1.1\r\n\r\n"u8.ToArray() },
        { "a length of 4 GiB", [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 2] },
        { "a length of 0", [0, 0, 0, 0, 0, 0, 0, 0, 2] },
        { "an unknown kind", [5, 0, 0, 0, 1, 0, 0, 0, 9] },
        { "a path longer than the frame", [7, 0, 0, 0, 1, 0, 0, 0, 1, 200, 65] },
        { "a request without a path", [5, 0, 0, 0, 1, 0, 0, 0, 1] },
        { "half a frame", [100, 0, 0, 0, 1, 0, 0, 0, 2, 1, 2, 3] },
        { "half a head", [100, 0, 0] },
    };

    [Theory]
    [MemberData(nameof(Garbage))]
    public async Task A_client_ends_its_calls_when_the_host_sends(string what, byte[] garbage)
    {
        using var host = new TcpListener(IPAddress.Loopback, 0);
        host.Start();
        await using var client = new SocketClient(new() { Port = ((IPEndPoint)host.LocalEndpoint).Port });
        var call = client.UnaryAsync(EchoService.Echo, EchoService.Message("x")).AsTask();
        using (var accepted = await host.AcceptSocketAsync().WaitAsync(limit))
        {
            await accepted.ReceiveAsync(new byte[1]);
            await accepted.SendAsync(garbage);
            accepted.Shutdown(SocketShutdown.Send);
            var failure = await Assert.ThrowsAsync<RpcException>(() => call.WaitAsync(limit));
            Assert.True(failure.StatusCode is StatusCode.Internal or StatusCode.Unavailable or StatusCode.ResourceExhausted, $"{what}: {failure}");
        }
    }

    [Theory]
    [MemberData(nameof(Garbage))]
    public async Task A_host_closes_a_connection_that_sends_and_serves_the_others(string what, byte[] garbage)
    {
        await using var server = await SocketServer.StartAsync(new(), new EchoService().Handlers);
        await using var client = new SocketClient(server.Endpoint);
        using (var socket = new Socket(SocketType.Stream, ProtocolType.Tcp))
        {
            await socket.ConnectAsync(IPAddress.Loopback, server.Endpoint.Port);
            await socket.SendAsync(garbage);
            socket.Shutdown(SocketShutdown.Send);
            try
            {
                Assert.Equal(0, await socket.ReceiveAsync(new byte[100]).WaitAsync(limit));
            }
            catch (SocketException)
            {
                // reset: closed with bytes unread, which is closed too
            }
        }

        Assert.Equal(what,
            EchoService.Text(await client.UnaryAsync(EchoService.Echo, EchoService.Message(what)).AsTask().WaitAsync(limit)));
    }

    [Fact]
    public async Task A_client_opens_a_new_connection_after_the_host_has_closed_one()
    {
        var first = await SocketServer.StartAsync(new(), new EchoService().Handlers);
        await using var client = new SocketClient(first.Endpoint);
        await client.UnaryAsync(EchoService.Echo, EchoService.Message("one"));
        await first.DisposeAsync();
        await Assert.ThrowsAsync<RpcException>(async () => await client.UnaryAsync(EchoService.Echo, EchoService.Message("none")).AsTask()
            .WaitAsync(limit));
        await using var second = await SocketServer.StartAsync(first.Endpoint, new EchoService().Handlers);
        Assert.Equal("two",
            EchoService.Text(await client.UnaryAsync(EchoService.Echo, EchoService.Message("two")).AsTask().WaitAsync(limit)));
        Assert.Equal(2, client.Connection.Opened);
    }

    [Fact]
    public async Task A_host_that_accepts_and_says_nothing_costs_the_deadline()
    {
        using var host = new TcpListener(IPAddress.Loopback, 0);
        host.Start();
        await using var client = new SocketClient(new() { Port = ((IPEndPoint)host.LocalEndpoint).Port });
        var call = client.UnaryAsync(EchoService.Echo, EchoService.Message("x"),
            new RpcCallOptions { Timeout = TimeSpan.FromMilliseconds(100) }).AsTask();
        Assert.Equal(StatusCode.DeadlineExceeded, (await Assert.ThrowsAsync<RpcException>(() => call.WaitAsync(limit))).StatusCode);
    }

    [Fact]
    public async Task Nobody_there_is_unavailable()
    {
        using var host = new TcpListener(IPAddress.Loopback, 0);
        host.Start();
        var port = ((IPEndPoint)host.LocalEndpoint).Port;
        host.Stop();
        await using var client = new SocketClient(new() { Port = port });
        Assert.Equal(StatusCode.Unavailable,
            (await Assert.ThrowsAsync<RpcException>(async () =>
                await client.UnaryAsync(EchoService.Echo, EchoService.Message("x")))).StatusCode);
    }

    [Fact]
    public void A_frame_that_came_in_pieces_is_read_at_the_last_one()
    {
        byte[] frame = [8, 0, 0, 0, 7, 0, 0, 0, 2, 1, 2, 3];
        using var reader = new SocketFrameReader(100);
        for (var length = 0; length < frame.Length; length++)
        {
            var part = new ReadOnlySequence<byte>(frame, 0, length);
            Assert.False(reader.TryRead(ref part, out _));
        }

        var whole = new ReadOnlySequence<byte>(frame);
        Assert.True(reader.TryRead(ref whole, out var read));
        Assert.Equal((7u, SocketFrameKind.Response, 3L), (read.Call, read.Kind, read.Body.Length));
        Assert.True(whole.IsEmpty);
    }
}
