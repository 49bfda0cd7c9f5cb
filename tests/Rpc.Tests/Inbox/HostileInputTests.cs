using System.Net.Sockets;
using ProtoBench.Rpc.Inbox;
using ProtoBench.Rpc.Tests.Peers;
using static ProtoBench.Rpc.Tests.Peers.EchoService;

namespace ProtoBench.Rpc.Tests.Inbox;

/// <summary>Whatever one caller sends, the host stays up, keeps its memory within bounds, and answers the others.</summary>
public sealed class HostileInputTests
{
    [Fact]
    public async Task Random_bytes_end_their_own_connection_only()
    {
        await using var server = await InboxServer.StartAsync(new(), new EchoService().Handlers);
        for (var seed = 0; seed < 100; seed++)
        {
            var random = new Random(seed);
            var bytes = new byte[random.Next(1, 4096)];
            random.NextBytes(bytes);
            // every other one gets past the preface, so that its bytes are read as frames
            byte[] preface = seed % 2 == 0 ? [] : [.. "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"u8, 0, 0, 0, 4, 0, 0, 0, 0, 0];
            using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
            await socket.ConnectAsync("127.0.0.1", server.Endpoint.Port);
            await socket.SendAsync(preface.Concat(bytes).ToArray());
        }

        await AssertServesAsync(server);
    }

    [Fact]
    public async Task A_thousand_streams_that_stop_in_the_middle_are_held_to_the_budget()
    {
        const int streams = 1_000;
        const int part = 16 * 1024;
        var limits = new RpcLimits { MaxPartialBytes = 4 * 1024 * 1024 };
        await using var server = await InboxServer.StartAsync(new(), new EchoService().Handlers, limits);
        using var connection = new HttpConnection(server.Endpoint);
        using var invoker = new HttpMessageInvoker(connection.Handler, disposeHandler: false);
        using var stop = new CancellationTokenSource();
        var refused = 0;
        var calls = Enumerable.Range(0, streams).Select(_ => StallAsync()).ToArray();

        // 1,000 parts of 16 KiB are four times the budget: about three of four calls are refused, and the rest hold what it allows
        var limit = Task.Delay(TimeSpan.FromSeconds(30));
        while (Volatile.Read(ref refused) < streams / 2 && !limit.IsCompleted)
            await Task.Yield();
        Assert.True(Volatile.Read(ref refused) >= streams / 2, $"{refused} of {streams} calls were refused");
        await AssertServesAsync(server);

        await stop.CancelAsync();
        await Task.WhenAll(calls);
        await AssertServesLargeAsync(server, limits);

        async Task StallAsync()
        {
            using var content = new StallingContent(part);
            using var request = new HttpRequestMessage(HttpMethod.Post, new Uri(server.Endpoint.Url, Echo.Path)) { Version = new(2, 0), VersionPolicy = HttpVersionPolicy.RequestVersionExact, Content = content };
            content.Headers.TryAddWithoutValidation("Content-Type", "application/grpc");
            try
            {
                using var reply = await invoker.SendAsync(request, stop.Token);
                if (reply.Headers.TryGetValues("grpc-status", out var status) && status.Single() == RpcStatus.ResourceExhausted.ToString("D"))
                    Interlocked.Increment(ref refused);
            }
            catch (Exception e) when (e is OperationCanceledException or HttpRequestException or IOException)
            {
                // given up at the end of the test
            }
        }
    }

    static async Task AssertServesAsync(IRpcServer server)
    {
        await using var other = new InboxClient(server.Endpoint);
        Assert.Equal("served", Text(await other.UnaryAsync(Echo, Message("served"), new() { Timeout = TimeSpan.FromSeconds(10) })));
    }

    /// <summary>All that the stalled calls held is given back: a message as large as the whole budget gets through, once their resets have arrived.</summary>
    static async Task AssertServesLargeAsync(IRpcServer server, RpcLimits limits)
    {
        await using var other = new InboxClient(server.Endpoint);
        using var limit = new CancellationTokenSource(TimeSpan.FromSeconds(30));
        while (true)
        {
            try
            {
                var reply = await other.UnaryAsync(Echo, Message(new byte[limits.MaxReceiveBytes - 64 * 1024]), stop: limit.Token);
                Assert.Equal(limits.MaxReceiveBytes - 64 * 1024, reply.Bytes.Length);
                return;
            }
            catch (RpcException e) when (e.Status == RpcStatus.ResourceExhausted && !limit.IsCancellationRequested)
            {
                await Task.Yield();
            }
        }
    }

    /// <summary>Announces 4 MiB, sends a part of it, and then nothing.</summary>
    sealed class StallingContent(int part) : HttpContent
    {
        protected override Task SerializeToStreamAsync(Stream stream, System.Net.TransportContext? context) => SerializeToStreamAsync(stream, context, default);

        protected override async Task SerializeToStreamAsync(Stream stream, System.Net.TransportContext? context, CancellationToken cancellationToken)
        {
            var bytes = new byte[part];
            FramePrefix.Write(bytes, 4 * 1024 * 1024);
            await stream.WriteAsync(bytes, cancellationToken);
            await stream.FlushAsync(cancellationToken);
            await Task.Delay(Timeout.Infinite, cancellationToken);
        }

        protected override bool TryComputeLength(out long length)
        {
            length = 0;
            return false;
        }
    }
}
