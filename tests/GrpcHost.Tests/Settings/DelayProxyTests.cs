using System.Net;
using System.Net.Sockets;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Tests;

public sealed class DelayProxyTests : IDisposable
{
    static readonly TimeSpan patience = TimeSpan.FromMinutes(1);
    readonly Socket listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    readonly List<IDisposable> open = [];

    public DelayProxyTests()
    {
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
    }

    public void Dispose()
    {
        foreach (var one in Enumerable.Reverse(open))
            one.Dispose();
        listener.Dispose();
    }

    [Theory]
    [InlineData(0)]
    [InlineData(30)]
    public async Task Bytes_arrive_in_order_and_late_in_both_directions(int milliseconds)
    {
        const int length = 3_000_000; // more than the buffers of a socket
        var (client, server) = await ConnectAsync(milliseconds);
        foreach (var (from, to) in new[] { (client, server), (server, client), (client, server) })
        {
            var sent = new byte[length];
            new Random(length).NextBytes(sent);
            var began = MachineClock.Sleeping.Now;
            var sending = Task.Run(() => from.Send(sent));
            Assert.Equal(sent[0], (await ReceiveAsync(to, 1))[0]);
            Assert.True(MachineClock.Sleeping.Now - began >= milliseconds * 1_000_000L, "the first byte is early");
            Assert.True((await ReceiveAsync(to, length - 1)).AsSpan().SequenceEqual(sent.AsSpan(1)));
            Assert.Equal(length, await sending.WaitAsync(patience));
        }
    }

    /// <summary>The delays of messages do not add up: a hundred seconds would be more than the test waits.</summary>
    [Fact]
    public async Task Many_small_messages_are_under_way_at_the_same_time()
    {
        var (client, server) = await ConnectAsync(1_000);
        for (byte i = 0; i < 100; i++)
            await client.SendAsync((byte[])[i]);
        Assert.Equal(Enumerable.Range(0, 100).Select(i => (byte)i), await ReceiveAsync(server, 100));
    }

    [Fact]
    public async Task The_end_of_one_direction_leaves_the_other_open()
    {
        var (client, server) = await ConnectAsync(20);
        await client.SendAsync("last"u8.ToArray());
        client.Shutdown(SocketShutdown.Send);
        Assert.Equal("last"u8.ToArray(), await ReceiveAsync(server, 4));
        Assert.Equal(0, await server.ReceiveAsync(new byte[1]).WaitAsync(patience));
        await server.SendAsync("reply"u8.ToArray());
        Assert.Equal("reply"u8.ToArray(), await ReceiveAsync(client, 5));
        server.Shutdown(SocketShutdown.Send);
        Assert.Equal(0, await client.ReceiveAsync(new byte[1]).WaitAsync(patience));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_reset_goes_on_to_the_other_side(bool byClient)
    {
        var (client, server) = await ConnectAsync(20);
        var (leaves, stays) = byClient ? (client, server) : (server, client);
        leaves.LingerState = new(true, 0);
        leaves.Dispose();
        var failure = await Assert.ThrowsAsync<SocketException>(() => stays.ReceiveAsync(new byte[1]).WaitAsync(patience));
        Assert.Equal(SocketError.ConnectionReset, failure.SocketErrorCode);
    }

    [Fact]
    public async Task A_host_that_does_not_listen_resets_the_client()
    {
        listener.Dispose();
        var proxy = Start(0);
        using var client = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        // on a busy machine the reset is there before the client has seen that it is connected
        await Assert.ThrowsAsync<SocketException>(async () =>
        {
            await client.ConnectAsync(proxy.Endpoint.Host, proxy.Endpoint.Port).WaitAsync(patience);
            await client.ReceiveAsync(new byte[1]).WaitAsync(patience);
        });
    }

    [Fact]
    public async Task Its_end_resets_all_connections_and_refuses_new_ones()
    {
        var proxy = Start(20);
        var (client, server) = await ConnectAsync(proxy);
        proxy.Dispose();
        await Assert.ThrowsAsync<SocketException>(() => client.ReceiveAsync(new byte[1]).WaitAsync(patience));
        await Assert.ThrowsAsync<SocketException>(() => server.ReceiveAsync(new byte[1]).WaitAsync(patience));
        using var late = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await Assert.ThrowsAsync<SocketException>(() => late.ConnectAsync(proxy.Endpoint.Host, proxy.Endpoint.Port).WaitAsync(patience));
    }

    DelayProxy Start(int milliseconds)
    {
        var target = new RpcEndpoint { Port = listener.SafeHandle.IsClosed ? 1 : ((IPEndPoint)listener.LocalEndPoint!).Port };
        var proxy = new DelayProxy(target, TimeSpan.FromMilliseconds(milliseconds));
        open.Add(proxy);
        return proxy;
    }

    Task<(Socket Client, Socket Server)> ConnectAsync(int milliseconds) => ConnectAsync(Start(milliseconds));

    async Task<(Socket Client, Socket Server)> ConnectAsync(DelayProxy proxy)
    {
        var client = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        open.Add(client);
        await client.ConnectAsync(proxy.Endpoint.Host, proxy.Endpoint.Port).WaitAsync(patience);
        var server = await listener.AcceptAsync().WaitAsync(patience);
        open.Add(server);
        return (client, server);
    }

    static async Task<byte[]> ReceiveAsync(Socket socket, int count)
    {
        var bytes = new byte[count];
        for (var read = 0; read < count;)
        {
            var now = await socket.ReceiveAsync(bytes.AsMemory(read)).AsTask().WaitAsync(patience);
            Assert.True(now > 0, "the connection has ended");
            read += now;
        }

        return bytes;
    }
}
