using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace ProtoBench.Rpc.Tests;

/// <summary>Up to <see cref="RpcLimits.MaxPartialBytes"/> over all calls of a host, and not a byte more.</summary>
public class PartialBytesTests
{
    const int limit = 50_000;

    [Theory, Stacks]
    public async Task As_many_bytes_as_the_limit_may_wait_for_the_rest(string stack)
    {
        await using var fixture = await StartAsync(stack);
        // twice: what the first has held was given back
        for (var i = 0; i < 2; i++)
        {
            await using var call = PartialRequest.Send(fixture, EchoService.Echo.Path, limit + 1, first: limit);
            // time for the first part to arrive, on the connections of others
            for (var other = 0; other < 20; other++)
                await fixture.Client.UnaryAsync(EchoService.Echo, EchoService.Message("")).AsTask().WaitAsync(TransportFixture.Patience);
            Assert.False(call.Status.IsCompleted);
            call.GoOn();
            Assert.Equal(StatusCode.OK, await call.Status.WaitAsync(TransportFixture.Patience));
        }
    }

    [Theory, Stacks]
    public async Task One_byte_more_is_refused_and_gives_back_what_it_held(string stack)
    {
        await using var fixture = await StartAsync(stack);
        for (var i = 0; i < 3; i++)
        {
            await using var call = PartialRequest.Send(fixture, EchoService.Echo.Path, limit + 2, first: limit + 1);
            Assert.Equal(StatusCode.ResourceExhausted, await call.Status.WaitAsync(TransportFixture.Patience));
        }
    }

    [Theory, Stacks]
    public async Task The_limit_is_one_for_all_calls(string stack)
    {
        await using var fixture = await StartAsync(stack);
        for (var i = 0; i < 3; i++)
        {
            await using var one = PartialRequest.Send(fixture, EchoService.Echo.Path, limit + 1, first: limit);
            await using var other = PartialRequest.Send(fixture, EchoService.Echo.Path, 10, first: 1);
            // whichever comes second
            var refused = await Task.WhenAny(one.Status, other.Status).WaitAsync(TransportFixture.Patience);
            Assert.Equal(StatusCode.ResourceExhausted, await refused);
            one.GoOn();
            other.GoOn();
            Assert.Equal(StatusCode.OK, await (refused == one.Status ? other : one).Status.WaitAsync(TransportFixture.Patience));
        }
    }

    static Task<TransportFixture> StartAsync(string stack) =>
        TransportFixture.StartAsync(stack, new EchoService().Handlers, new() { MaxPartialBytes = limit });
}

/// <summary>A request whose message is sent in two parts, by a peer that knows the protocol and none of our code.</summary>
sealed class PartialRequest : IAsyncDisposable
{
    readonly TaskCompletionSource goOn = new(TaskCreationOptions.RunContinuationsAsynchronously);
    readonly CancellationTokenSource cancellation = new();

    PartialRequest(TransportFixture fixture, string path, int message, int first)
    {
        var isGrpc = fixture.Stack.SpeaksGrpc;
        Status = fixture.Stack.Protocol switch
        {
            "HTTP/2" => OverHttp2Async(fixture.Server.Endpoint, path, isGrpc, message, first),
            "HTTP/1.1" => OverHttp1Async(fixture.Server.Endpoint, path, message, first),
            "socket" => OverSocketAsync(fixture.Server.Endpoint, path, message, first),
            var other => throw new NotSupportedException($"no peer that speaks {other}"),
        };
    }

    public Task<StatusCode> Status { get; }

    /// <summary>Sends the first bytes of a message, and the others not before <see cref="GoOn"/>.</summary>
    public static PartialRequest Send(TransportFixture fixture, string path, int message, int first) => new(fixture, path, message, first);

    public void GoOn() => goOn.TrySetResult();

    public async ValueTask DisposeAsync()
    {
        await cancellation.CancelAsync();
        await ((Task)Status).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        cancellation.Dispose();
    }

    async Task<StatusCode> OverHttp2Async(RpcEndpoint host, string path, bool isGrpc, int message, int first)
    {
        using var connection = new HttpConnection(host);
        using var invoker = new HttpMessageInvoker(connection.Handler, disposeHandler: false);
        using var content = new TwoParts(async (stream, token) =>
        {
            var prefix = new byte[isGrpc ? 5 : 0];
            if (isGrpc)
                BinaryPrimitives.WriteInt32BigEndian(prefix.AsSpan(1), message);
            await stream.WriteAsync((byte[])[.. prefix, .. new byte[first]], token);
            await stream.FlushAsync(token);
            await goOn.Task.WaitAsync(token);
            await stream.WriteAsync(new byte[message - first], token);
        });
        using var request = new HttpRequestMessage(HttpMethod.Post, new Uri(host.Url, path))
        {
            Version = HttpVersion.Version20,
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
            Content = content,
        };
        content.Headers.TryAddWithoutValidation("Content-Type", isGrpc ? "application/grpc" : "application/x-protobuf");
        if (!isGrpc)
            content.Headers.ContentLength = message;
        using var reply = await invoker.SendAsync(request, cancellation.Token);
        await reply.Content.ReadAsByteArrayAsync(cancellation.Token);
        foreach (var headers in new[] { reply.TrailingHeaders, reply.Headers })
        {
            if (headers.TryGetValues(isGrpc ? "grpc-status" : "rpc-status", out var values))
                return (StatusCode)int.Parse(values.Single());
        }

        return reply.StatusCode == HttpStatusCode.OK ? StatusCode.OK : StatusCode.Unknown;
    }

    /// <summary>Not with HttpClient, which reads no reply before it has sent the whole request.</summary>
    async Task<StatusCode> OverHttp1Async(RpcEndpoint host, string path, int message, int first)
    {
        var head = Encoding.ASCII.GetBytes($"POST {path} HTTP/1.1\r\nHost: {host.Host}\r\nContent-Length: {message}\r\n\r\n");
        await using var stream = await ConnectAsync(host);
        await stream.WriteAsync((byte[])[.. head, .. new byte[first]], cancellation.Token);
        using var reader = new StreamReader(stream);
        var reading = ReadHeadAsync();
        await SendRestAsync(stream, message - first, reading);
        return await reading;

        async Task<StatusCode> ReadHeadAsync()
        {
            const string name = "rpc-status: ";
            var isOk = (await reader.ReadLineAsync(cancellation.Token))!.Contains(" 200 ", StringComparison.Ordinal);
            while (await reader.ReadLineAsync(cancellation.Token) is { Length: > 0 } line)
            {
                if (line.StartsWith(name, StringComparison.Ordinal))
                    return (StatusCode)int.Parse(line.AsSpan(name.Length));
            }

            return isOk ? StatusCode.OK : StatusCode.Unknown;
        }
    }

    async Task<StatusCode> OverSocketAsync(RpcEndpoint host, string path, int message, int first)
    {
        var utf8 = Encoding.UTF8.GetBytes(path);
        var head = new byte[SocketFrame.HeadSize];
        SocketFrame.WriteHead(head, 1, SocketFrameKind.Request, 1 + utf8.Length + message);
        await using var stream = await ConnectAsync(host);
        await stream.WriteAsync((byte[])[.. head, (byte)utf8.Length, .. utf8, .. new byte[first]], cancellation.Token);
        var answer = new byte[SocketFrame.HeadSize + 1];
        var reading = stream.ReadExactlyAsync(answer, cancellation.Token).AsTask();
        await SendRestAsync(stream, message - first, reading);
        await reading;
        return answer[SocketFrame.HeadSize - 1] == (byte)SocketFrameKind.Failure ? (StatusCode)answer[SocketFrame.HeadSize] : StatusCode.OK;
    }

    async Task<Stream> ConnectAsync(RpcEndpoint host)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(host.Host, host.Port, cancellation.Token);
        return new NetworkStream(socket, ownsSocket: true);
    }

    /// <summary>Unless the host has answered before.</summary>
    async Task SendRestAsync(Stream stream, int bytes, Task reading)
    {
        if (await Task.WhenAny(reading, goOn.Task.WaitAsync(cancellation.Token)) != reading)
            await stream.WriteAsync(new byte[bytes], cancellation.Token);
    }

    sealed class TwoParts(Func<Stream, CancellationToken, Task> write) : HttpContent
    {
        protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) => write(stream, default);

        protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context, CancellationToken cancellationToken) =>
            write(stream, cancellationToken);

        protected override bool TryComputeLength(out long length)
        {
            length = 0;
            return false;
        }
    }
}
