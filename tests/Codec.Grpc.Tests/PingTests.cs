using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;

namespace ProtoBench.Codec.Grpc.Tests;

/// <summary>An idle connection pings as its channel is set. gRPC servers with the default rules end connections that ping more often than
/// once in five minutes (grpc/grpc, doc/keepalive.md).</summary>
public class PingTests
{
    [Fact]
    public async Task A_client_pings_as_its_channel_is_set()
    {
        await using var host = await OrdersHost.StartAsync();
        await using var quiet = new FrameCounter(host.Address);
        await using var pinging = new FrameCounter(host.Address);
        await CallAsync(host, quiet, new SocketsHttpHandler());
        await CallAsync(host, pinging, new SocketsHttpHandler
        {
            KeepAlivePingDelay = TimeSpan.FromSeconds(1),
            KeepAlivePingPolicy = HttpKeepAlivePingPolicy.Always,
        });
        // .NET pings while a reply arrives, to find the size of its window: these pings are over after the first of an idle connection
        await pinging.PingsAsync(2);
        var atRest = quiet.Pings;
        await pinging.PingsAsync(4);
        Assert.Equal(atRest, quiet.Pings);
    }

    static async Task CallAsync(OrdersHost host, FrameCounter counter, SocketsHttpHandler handler)
    {
        var channel = host.Channel(counter.Address, new() { HttpHandler = handler, DisposeHttpClient = true });
        using var order = host.Order();
        var client = new OrderDesk.OrderDeskClient(channel);
        using var reply = await client.PlaceAsync(order, cancellationToken: TestContext.Current.CancellationToken);
        Assert.Equal("Ada: 3 tea", reply.Value.Text.ToString());
    }

    /// <summary>Passes one connection on to a server, and counts the PING frames that the client sends and that answer no other.</summary>
    sealed class FrameCounter : IAsyncDisposable
    {
        const int preface = 24;
        const int header = 9;

        readonly TcpListener listener = new(IPAddress.Loopback, 0);
        readonly CancellationTokenSource end = new();
        readonly SemaphoreSlim arrived = new(0);
        readonly Task passing;
        int pings;

        public FrameCounter(Uri server)
        {
            listener.Start();
            passing = PassAsync(server);
        }

        public Uri Address => new($"http://127.0.0.1:{((IPEndPoint)listener.LocalEndpoint).Port}");

        public int Pings => Volatile.Read(ref pings);

        public async Task PingsAsync(int count)
        {
            while (Pings < count)
                Assert.True(await arrived.WaitAsync(OrdersHost.Limit, TestContext.Current.CancellationToken), $"{Pings} pings arrived");
        }

        async Task PassAsync(Uri server)
        {
            using var client = await listener.AcceptTcpClientAsync(end.Token);
            using var target = new TcpClient();
            await target.ConnectAsync(IPAddress.Loopback, server.Port, end.Token);
            var replies = target.GetStream().CopyToAsync(client.GetStream(), end.Token);
            await PassFramesAsync(client.GetStream(), target.GetStream());
            await replies;
        }

        async Task PassFramesAsync(NetworkStream from, NetworkStream to)
        {
            var frame = new byte[1 << 16];
            await from.ReadExactlyAsync(frame.AsMemory(0, preface), end.Token);
            await to.WriteAsync(frame.AsMemory(0, preface), end.Token);
            while (await from.ReadAtLeastAsync(frame.AsMemory(0, header), header, throwOnEndOfStream: false, end.Token) == header)
            {
                var length = header + (int)(BinaryPrimitives.ReadUInt32BigEndian(frame) >> 8);
                await from.ReadExactlyAsync(frame.AsMemory(header, length - header), end.Token);
                await to.WriteAsync(frame.AsMemory(0, length), end.Token);
                const byte ping = 6;
                if (frame[3] != ping || frame[4] != 0)
                    continue;
                Interlocked.Increment(ref pings);
                arrived.Release();
            }
        }

        public async ValueTask DisposeAsync()
        {
            await end.CancelAsync();
            listener.Dispose();
            await passing.ContinueWith(_ => { }, TaskScheduler.Default);
            end.Dispose();
            arrived.Dispose();
        }
    }
}
