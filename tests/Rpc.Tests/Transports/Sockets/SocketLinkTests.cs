using System.Collections.Frozen;
using System.IO.Pipelines;
using System.Net;
using System.Net.Sockets;

namespace ProtoBench.Rpc.Tests;

public class SocketLinkTests
{
    /// <summary>The host does not read while the first call is sent: the second waits for its turn until its time is over.</summary>
    [Fact]
    public async Task A_call_that_expires_before_its_turn_leaves_the_others_alone()
    {
        const int large = 32 * 1024 * 1024;
        using var host = new TcpListener(IPAddress.Loopback, 0);
        host.Start();
        await using var client = new SocketClient(new() { Port = ((IPEndPoint)host.LocalEndpoint).Port });
        var first = client.UnaryAsync(EchoService.Echo, EchoService.Message(new byte[large])).AsTask();
        using var accepted = await host.AcceptSocketAsync().WaitAsync(TransportFixture.Patience);
        await using var stream = new NetworkStream(accepted);
        await stream.ReadExactlyAsync(new byte[1]); // it is being sent
        var second = client.UnaryAsync(EchoService.Echo, EchoService.Message("x"), new() { Timeout = TimeSpan.FromMilliseconds(100) })
            .AsTask();
        await TransportFixture.FailsAsync(StatusCode.DeadlineExceeded, second);

        await stream.ReadExactlyAsync(new byte[SocketFrame.HeadSize + 1 + EchoService.Echo.Path.Length + large - 1]);
        var answer = new byte[SocketFrame.HeadSize + 1];
        SocketFrame.WriteHead(answer, 1, SocketFrameKind.Response, 1);
        answer[^1] = (byte)'y';
        await stream.WriteAsync(answer);
        Assert.Equal("y", EchoService.Text(await first.WaitAsync(TransportFixture.Patience)));
        Assert.Equal(1, client.Connection.Opened);
    }

    [Fact]
    public async Task A_call_that_expires_while_it_is_sent_leaves_the_others_alone()
    {
        const int large = 32 * 1024 * 1024;
        using var host = new TcpListener(IPAddress.Loopback, 0);
        host.Start();
        await using var client = new SocketClient(new() { Port = ((IPEndPoint)host.LocalEndpoint).Port });
        var first = client.UnaryAsync(EchoService.Echo, EchoService.Message(new byte[large]),
            new() { Timeout = TimeSpan.FromMilliseconds(500) }).AsTask();
        using var accepted = await host.AcceptSocketAsync().WaitAsync(TransportFixture.Patience);
        await using var stream = new NetworkStream(accepted);
        await TransportFixture.FailsAsync(StatusCode.DeadlineExceeded, first);

        var second = client.UnaryAsync(EchoService.Echo, EchoService.Message("x")).AsTask();
        using var reader = new SocketFrameReader(large);
        var kinds = new List<(uint Call, SocketFrameKind Kind)>();
        var pipe = PipeReader.Create(stream, new(bufferSize: 1024 * 1024, leaveOpen: true));
        while (kinds.Count(frame => frame.Kind == SocketFrameKind.Request) < 2)
        {
            var buffer = (await pipe.ReadAsync().AsTask().WaitAsync(TransportFixture.Patience)).Buffer;
            var end = buffer.End;
            while (reader.TryRead(ref buffer, out var frame))
                kinds.Add((frame.Call, frame.Kind));
            pipe.AdvanceTo(buffer.Start, end);
        }

        Assert.Equal([(1u, SocketFrameKind.Request), (1u, SocketFrameKind.Cancel), (2u, SocketFrameKind.Request)],
            kinds.OrderBy(frame => frame.Call).ThenBy(frame => frame.Kind));
        var answer = new byte[SocketFrame.HeadSize + 1];
        SocketFrame.WriteHead(answer, 2, SocketFrameKind.Response, 1);
        answer[^1] = (byte)'y';
        await stream.WriteAsync(answer);
        Assert.Equal("y", EchoService.Text(await second.WaitAsync(TransportFixture.Patience)));
    }

    [Fact]
    public async Task A_connection_that_ends_disposes_its_stream()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        using var peer = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await peer.ConnectAsync(listener.LocalEndpoint);
        var socket = await listener.AcceptSocketAsync();
        var stream = new Watched(socket);
        var serving = new SocketConnection(new(socket, stream, new()), FrozenDictionary<string, RpcHandler>.Empty, new()).ServeAsync();
        peer.Dispose();
        await serving.WaitAsync(TransportFixture.Patience);
        Assert.True(stream.Disposed);
    }

    [Fact]
    public async Task A_call_too_many_is_refused()
    {
        const int most = 2;
        var service = new EchoService();
        await using var server = await SocketServer.StartAsync(new(), service.Handlers, new() { MaxStreamsPerConnection = most });
        await using var client = new SocketClient(server.Endpoint);
        var waiting =
            Enumerable.Range(0, most).Select(_ => client.UnaryAsync(EchoService.Ignore, EchoService.Message("x")).AsTask()).ToArray();
        await TransportFixture.UntilAsync(() => service.Ignored == most);
        await TransportFixture.FailsAsync(StatusCode.ResourceExhausted,
            client.UnaryAsync(EchoService.Echo, EchoService.Message("x")).AsTask());
        service.Released.SetResult();
        await Task.WhenAll(waiting).WaitAsync(TransportFixture.Patience);
        Assert.Equal("x", EchoService.Text(await client.UnaryAsync(EchoService.Echo, EchoService.Message("x"))));
    }

    sealed class Watched(Socket socket) : NetworkStream(socket)
    {
        public bool Disposed { get; private set; }

        protected override void Dispose(bool disposing)
        {
            Disposed = true;
            base.Dispose(disposing);
        }
    }
}
