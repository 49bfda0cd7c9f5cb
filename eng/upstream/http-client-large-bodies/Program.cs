using System.Buffers.Binary;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Server.Kestrel.Core;

// Calls of HttpClient over HTTP/2, one at a time on one connection, beside a client that sends the same frames from a blocking socket.
const int request = 290_000, answer = 150_000, rounds = 9;
if (args is ["host"])
{
    var builder = WebApplication.CreateSlimBuilder();
    builder.Logging.ClearProviders();
    builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0, one => one.Protocols = HttpProtocols.Http2));
    builder.WebHost.ConfigureKestrel(kestrel => kestrel.Limits.Http2.MaxFrameSize = 1 << 20); // HttpClient's frames have 16 KB
    var app = builder.Build();
    app.Run(async context =>
    {
        await context.Request.Body.CopyToAsync(Stream.Null);
        await context.Response.BodyWriter.WriteAsync(new byte[answer]);
    });
    await app.StartAsync();
    Console.WriteLine(new Uri(app.Urls.First()).Port);
    Console.In.ReadToEnd(); // until the parent ends
    return;
}

var body = new byte[request];
using var host = Process.Start(new ProcessStartInfo(Environment.ProcessPath!, ["exec", typeof(FrameClient).Assembly.Location, "host"])
{ RedirectStandardInput = true, RedirectStandardOutput = true })!;
var port = int.Parse(host.StandardOutput.ReadLine()!);
var frames = new FrameClient(port, body);
(string Name, Func<Task> Call)[] clients =
[
    ("HttpClient", By(new())),
    ("InitialHttp2StreamWindowSize 1 MB", By(new() { InitialHttp2StreamWindowSize = 1 << 20 })),
    ("EnableMultipleHttp2Connections", By(new() { EnableMultipleHttp2Connections = true })),
    ("content that writes 16,366 bytes", By(new(), 16_366)),
    ("the same, and a window of 1 MB", By(new() { InitialHttp2StreamWindowSize = 1 << 20 }, 16_366)),
    ("a blocking socket", () => { frames.Call(answer); return Task.CompletedTask; }),
];
clients = [.. clients.Where(client => args is not [var part] || client.Name.Contains(part))];
foreach (var (_, call) in clients)
    await Measure(call, 2);
var measured = clients.Select(_ => new List<(double Rate, double Cpu)>()).ToArray();
for (var turn = 0; turn < rounds * clients.Length; turn++)
    measured[turn % clients.Length].Add(await Measure(clients[turn % clients.Length].Call, 0.4));
foreach (var (client, all) in clients.Zip(measured))
    Console.WriteLine($"{client.Name,-36} {all.Select(one => one.Rate).Order().ElementAt(rounds / 2),6:N0} calls/s, "
        + $"{all.Select(one => one.Cpu).Order().ElementAt(rounds / 2),4:N0} us of the client's processor time for a call");

static async Task<(double Rate, double Cpu)> Measure(Func<Task> call, double seconds)
{
    var (start, cpu, calls) = (Stopwatch.GetTimestamp(), Environment.CpuUsage.TotalTime, 0);
    for (; Stopwatch.GetElapsedTime(start).TotalSeconds < seconds; calls++)
        await call();
    return (calls / Stopwatch.GetElapsedTime(start).TotalSeconds, (Environment.CpuUsage.TotalTime - cpu).TotalMicroseconds / calls);
}

Func<Task> By(SocketsHttpHandler handler, int piece = request)
{
    var (client, url, buffer) = (new HttpMessageInvoker(handler), new Uri($"http://127.0.0.1:{port}/"), new byte[answer]);
    return async () =>
    {
        using var message = new HttpRequestMessage(HttpMethod.Post, url) { Content = new Pieces(body, piece), Version = new(2, 0) };
        message.VersionPolicy = HttpVersionPolicy.RequestVersionExact;
        using var response = await client.SendAsync(message, CancellationToken.None);
        await (await response.EnsureSuccessStatusCode().Content.ReadAsStreamAsync()).ReadExactlyAsync(buffer);
    };
}

sealed class Pieces(byte[] body, int piece) : HttpContent
{
    protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context)
    {
        for (var done = 0; done < body.Length; done += piece)
            await stream.WriteAsync(body.AsMemory(done, Math.Min(piece, body.Length - done)));
    }

    protected override bool TryComputeLength(out long length) => (length = body.Length) > 0;
}

/// <summary>The same frames, with few headers, and without another thread.</summary>
sealed class FrameClient
{
    readonly Socket socket = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
    readonly byte[] body, output, input = new byte[1 << 17];
    int stream = 1, window = 65_535, written = 24, start, end;

    public FrameClient(int port, byte[] body)
    {
        (this.body, output) = (body, new byte[2 * body.Length]);
        socket.Connect(IPAddress.Loopback, port);
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"u8.CopyTo(output);
        Frame(4, 0, 0, [0, 4, 0x3f, 0, 0, 0]); // the window of a stream
        Frame(8, 0, 0, [0x3f, 0, 0, 0]); // the window of the connection
    }

    public void Call(int expected)
    {
        Frame(1, 4, stream, [0x83, 0x86, 0x84, 0x41, 9, .. "localhost"u8]);
        for (int done = 0, size; done < body.Length; (done, window) = (done + size, window - size))
        {
            while (window == 0) // Kestrel's window of a stream is larger than the request
                Read();
            size = Math.Min(Math.Min(16_384, body.Length - done), window);
            Frame(0, done + size == body.Length ? 1 : 0, stream, body.AsSpan(done, size));
        }

        for (var (ended, total) = (false, 0); !ended || total != expected;)
        {
            var (type, flags, of, length) = Read();
            if (of == stream && type is 0 or 1)
                (ended, total) = (ended || (flags & 1) != 0, total + (type == 0 ? length : 0));
        }

        Frame(8, 0, 0, [0, (byte)(expected >> 16), (byte)(expected >> 8), (byte)expected]);
        stream += 2;
    }

    void Frame(int type, int flags, int of, ReadOnlySpan<byte> payload)
    {
        var frame = output.AsSpan(written, 9 + payload.Length);
        BinaryPrimitives.WriteInt32BigEndian(frame, (payload.Length << 8) | type);
        frame[4] = (byte)flags;
        BinaryPrimitives.WriteInt32BigEndian(frame[5..], of);
        payload.CopyTo(frame[9..]);
        written += frame.Length;
    }

    (int Type, int Flags, int Stream, int Length) Read()
    {
        written -= written > 0 ? socket.Send(output.AsSpan(0, written)) : 0;
        while (end - start < 9 || end - start < 9 + (Int(0) >>> 8))
        {
            input.AsSpan(start, end - start).CopyTo(input);
            (start, end) = (0, end - start);
            end += socket.Receive(input.AsSpan(end)) is > 0 and var bytes ? bytes : throw new EndOfStreamException();
        }

        var (type, flags, of, length) = (input[start + 3], input[start + 4], Int(5), Int(0) >>> 8);
        window += type == 8 && of == 0 ? Int(9) : 0;
        start += 9 + length;
        if (type == 4 && flags == 0)
            Frame(4, 1, 0, []);
        return type is not (3 or 7) ? (type, flags, of, length) : throw new InvalidDataException($"frame {type}");
    }

    int Int(int at) => BinaryPrimitives.ReadInt32BigEndian(input.AsSpan(start + at));
}
