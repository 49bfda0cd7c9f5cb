using System.Buffers.Binary;
using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using System.Reflection;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;

// Kestrel loses the response of a stream object that is used again (README.md). Server and clients are in one process.
const int length = 150;
const int connections = 4;
var duration = TimeSpan.FromSeconds(args.Length > 0 ? int.Parse(args[0]) : 20);
var reply = new byte[length];
var requests = new ConcurrentDictionary<int, object>(); // by the port of the client
var builder = WebApplication.CreateEmptyBuilder(new());
builder.WebHost.UseKestrelCore().ConfigureKestrel(kestrel =>
    kestrel.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http2));
await using var app = builder.Build();
app.Run(context =>
{
    requests[context.Connection.RemotePort] = context.Features;
    // as grpc-dotnet writes a unary reply: without a flush before the end
    reply.CopyTo(context.Response.BodyWriter.GetSpan(length));
    context.Response.BodyWriter.Advance(length);
    return Task.CompletedTask;
});
await app.StartAsync();
var port = new Uri(app.Urls.First()).Port;

Console.WriteLine($".NET {Environment.Version}, {Environment.ProcessorCount} cores");
foreach (var window in new[] { 0, length, length + 1 })
{
    var (calls, lost, state) = (0, 0, "");
    var end = DateTime.UtcNow + duration;
    await Task.WhenAll(Enumerable.Range(0, connections).Select(seed => Task.Factory.StartNew(() =>
    {
        var random = new Random(seed);
        while (DateTime.UtcNow < end)
        {
            using var client = new Http2Client(port, window);
            try
            {
                while (DateTime.UtcNow < end)
                {
                    Interlocked.Increment(ref calls);
                    client.Request();
                    Thread.SpinWait(random.Next(100)); // so that the update arrives at different moments of the response
                    client.EnlargeWindow();
                    client.ReadResponse();
                }
            }
            catch (SocketException e) when (e.SocketErrorCode is SocketError.TimedOut or SocketError.WouldBlock)
            {
                Interlocked.Increment(ref lost);
                state = StateOf(requests[client.Port]);
            }
        }
    }, TaskCreationOptions.LongRunning)));
    Console.WriteLine($"window of {window} bytes, responses of {length}: {calls} calls, {lost} lost");
    if (lost > 0) Console.WriteLine($"state of a lost response: {state}");
}

// fields of Http2OutputProducer
static string StateOf(object stream)
{
    var producer = Field(stream, "_http2Output")!;
    string[] names = ["_isScheduled", "_unobservedState", "_currentState", "_unconsumedBytes", "_streamWindow", "_completedResponse"];
    return string.Join(", ", names.Select(name => $"{name} {Field(producer, name)}"));
}

static object? Field(object owner, string name)
{
    for (var type = owner.GetType(); type is not null; type = type.BaseType)
    {
        if (type.GetField(name, BindingFlags.Instance | BindingFlags.NonPublic) is { } field)
            return field.GetValue(owner);
    }

    throw new MissingFieldException(owner.GetType().Name, name);
}

/// <summary>One connection with one call at a time.</summary>
sealed class Http2Client : IDisposable
{
    const byte data = 0, headers = 1, settings = 4, windowUpdate = 8, endStream = 1;
    const int secondsUntilLost = 5;

    readonly Socket socket = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true, ReceiveTimeout = secondsUntilLost * 1000 };
    readonly byte[] buffer = new byte[64 * 1024];
    int buffered;
    int stream = -1;

    /// <param name="window">SETTINGS_INITIAL_WINDOW_SIZE.</param>
    public Http2Client(int port, int window)
    {
        socket.Connect(IPAddress.Loopback, port);
        Port = ((IPEndPoint)socket.LocalEndPoint!).Port;
        socket.Send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"u8);
        Send(settings, 0, 0, [0, 4, .. BigEndian(window)]);
        Send(windowUpdate, 0, 0, BigEndian(1 << 30)); // so that the window of the connection does not matter
        Send(settings, flags: 1, 0, []);
    }

    public int Port { get; }

    public void Request()
    {
        stream += 2;
        // :method GET, :path /, :scheme http, :authority a
        Send(headers, flags: 4 | endStream, stream, [0x82, 0x84, 0x86, 0x41, 1, (byte)'a']);
    }

    public void EnlargeWindow() => Send(windowUpdate, 0, stream, BigEndian(1 << 20));

    /// <exception cref="SocketException">There was nothing to read for 5 s.</exception>
    public void ReadResponse()
    {
        const int header = 9;
        for (var ended = false; !ended;)
        {
            var read = socket.Receive(buffer.AsSpan(buffered));
            if (read == 0)
                throw new IOException("the server closed the connection");
            buffered += read;
            var at = 0;
            while (buffered - at >= header)
            {
                var frame = buffer.AsSpan(at, buffered - at);
                var size = header + (frame[0] << 16 | frame[1] << 8 | frame[2]);
                if (frame.Length < size)
                    break;
                ended |= BinaryPrimitives.ReadInt32BigEndian(frame[5..]) == stream
                    && (frame[3] is data or headers) && (frame[4] & endStream) != 0;
                at += size;
            }

            buffer.AsSpan(at, buffered - at).CopyTo(buffer);
            buffered -= at;
        }
    }

    public void Dispose() => socket.Dispose();

    void Send(byte type, byte flags, int id, ReadOnlySpan<byte> payload) =>
        socket.Send([0, 0, (byte)payload.Length, type, flags, .. BigEndian(id), .. payload]);

    static byte[] BigEndian(int value)
    {
        var bytes = new byte[4];
        BinaryPrimitives.WriteInt32BigEndian(bytes, value);
        return bytes;
    }
}
