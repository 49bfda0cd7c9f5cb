using System.Buffers.Binary;
using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using System.Text;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Tests;

/// <summary>A test writes the frames by hand: it is asked for an answer to each request that is complete.</summary>
sealed class FrameServer : IAsyncDisposable
{
    readonly TcpListener listener = new(IPAddress.Loopback, 0);
    readonly Func<FramePeer, int, int, Task> answer;
    readonly Func<FramePeer, Task>? opened;
    readonly ConcurrentBag<(FramePeer Peer, Task Served)> peers = [];
    readonly Task accepting;
    int calls = -1;

    /// <param name="answer">Answers a request: the connection, the stream, and the number of the call from 0 on, over all connections.</param>
    /// <param name="opened">Says hello; null for an empty SETTINGS.</param>
    public FrameServer(Func<FramePeer, int, int, Task> answer, Func<FramePeer, Task>? opened = null)
    {
        (this.answer, this.opened) = (answer, opened);
        listener.Start();
        accepting = AcceptAsync();
    }

    public RpcEndpoint Endpoint => new() { Port = ((IPEndPoint)listener.LocalEndpoint).Port };

    /// <summary>What went wrong in this server, other than a client that has gone.</summary>
    public ConcurrentQueue<Exception> Faults { get; } = [];

    public int Connections { get; private set; }

    public async ValueTask DisposeAsync()
    {
        listener.Dispose();
        await accepting;
        await CloseAllAsync();
    }

    public async Task CloseAllAsync()
    {
        foreach (var (peer, _) in peers)
            peer.Dispose();
        await Task.WhenAll(peers.Select(one => one.Served));
    }

    async Task AcceptAsync()
    {
        try
        {
            while (true)
            {
                var socket = await listener.AcceptSocketAsync();
                socket.NoDelay = true; // else a second small frame waits 40 ms for the client's acknowledgement of the first
                Connections++;
                var peer = new FramePeer(socket);
                peers.Add((peer, Task.Run(() => ServeAsync(peer))));
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // stopped
        }
    }

    async Task ServeAsync(FramePeer peer)
    {
        using var closing = peer;
        try
        {
            await peer.ReadAsync(FramePeer.Preface.Length);
            if (opened is null)
                await peer.SendAsync(Frames.Settings, 0, 0);
            else
                await opened(peer);
            while (await peer.ReadFrameAsync() is { } frame)
            {
                if (frame.Type == Frames.Data && frame.Payload.Length > 0 && peer.GrantsWindow)
                {
                    await peer.SendAsync(Frames.WindowUpdate, 0, 0, Frames.Number(frame.Payload.Length));
                    if ((frame.Flags & Frames.EndStream) == 0)
                        await peer.SendAsync(Frames.WindowUpdate, 0, frame.Stream, Frames.Number(frame.Payload.Length));
                }

                if (frame is { Type: Frames.Ping, Flags: 0 } && peer.AnswersPings)
                    await peer.SendAsync(Frames.Ping, Frames.Ack, 0, frame.Payload);
                if (frame is { Type: Frames.Ping, Flags: 0 } && peer.Pinged is { } pinged)
                    await pinged(frame);
                peer.Received.Add(frame);
                if (frame.Type is Frames.Data or Frames.Headers && (frame.Flags & Frames.EndStream) != 0)
                    await answer(peer, frame.Stream, Interlocked.Increment(ref calls));
            }
        }
        catch (Exception e) when (e is IOException or SocketException or ObjectDisposedException)
        {
            // the client has gone, or the test has closed the connection
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            Faults.Enqueue(e);
        }
    }
}

sealed record ReceivedFrame(byte Type, byte Flags, int Stream, byte[] Payload);

sealed class FramePeer(Socket socket) : IDisposable
{
    readonly NetworkStream stream = new(socket, ownsSocket: true);

    public static byte[] Preface { get; } = [.. "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"u8];

    /// <summary>Whether bytes of requests are answered with as large a window.</summary>
    public bool GrantsWindow { get; set; } = true;

    public bool AnswersPings { get; set; } = true;

    /// <summary>Called for each PING.</summary>
    public Func<ReceivedFrame, Task>? Pinged { get; set; }

    public List<ReceivedFrame> Received { get; } = [];

    public async Task<byte[]> ReadAsync(int length)
    {
        var bytes = new byte[length];
        await stream.ReadExactlyAsync(bytes);
        return bytes;
    }

    public async Task<ReceivedFrame?> ReadFrameAsync()
    {
        try
        {
            var head = await ReadAsync(9);
            var length = (int)(BinaryPrimitives.ReadUInt32BigEndian(head) >> 8);
            return new(head[3], head[4], BinaryPrimitives.ReadInt32BigEndian(head.AsSpan(5)), await ReadAsync(length));
        }
        catch (EndOfStreamException)
        {
            return null;
        }
    }

    public Task SendAsync(byte type, int flags, int stream, params byte[] payload) => WriteAsync(Frames.Of(type, flags, stream, payload));

    public async Task WriteAsync(byte[] bytes) => await stream.WriteAsync(bytes);

    public async Task ReplyAsync(int stream)
    {
        await SendAsync(Frames.Headers, Frames.EndHeaders, stream, Frames.Ok);
        await SendAsync(Frames.Data, 0, stream, Frames.Message);
        await SendAsync(Frames.Headers, Frames.EndHeaders | Frames.EndStream, stream, Frames.Status(0));
    }

    public void Dispose() => stream.Dispose();
}

static class Frames
{
    public const byte Data = 0;
    public const byte Headers = 1;
    public const byte Priority = 2;
    public const byte Reset = 3;
    public const byte Settings = 4;
    public const byte Push = 5;
    public const byte Ping = 6;
    public const byte GoAway = 7;
    public const byte WindowUpdate = 8;
    public const byte Continuation = 9;
    public const int Ack = 1;
    public const int EndStream = 1;
    public const int EndHeaders = 4;
    public const int Padded = 8;

    /// <summary>:status 200 and content-type application/grpc.</summary>
    public static byte[] Ok { get; } = [0x88, .. Header("content-type", "application/grpc")];

    public static byte[] Message { get; } = [0, 0, 0, 0, 1, 7];

    public static byte[] Status(int status, string? message = null) =>
        [.. Header("grpc-status", $"{status}"), .. message is null ? [] : Header("grpc-message", message)];

    /// <summary>A literal that no table keeps.</summary>
    public static byte[] Header(string name, string value) =>
        [0, (byte)name.Length, .. Encoding.ASCII.GetBytes(name), (byte)value.Length, .. Encoding.ASCII.GetBytes(value)];

    public static byte[] Number(int number)
    {
        var bytes = new byte[4];
        BinaryPrimitives.WriteInt32BigEndian(bytes, number);
        return bytes;
    }

    public static byte[] Setting(int id, int value) => [0, (byte)id, .. Number(value)];

    public static byte[] Of(byte type, int flags, int stream, params byte[] payload) =>
        [.. Number(payload.Length)[1..], type, (byte)flags, .. Number(stream), .. payload];
}
