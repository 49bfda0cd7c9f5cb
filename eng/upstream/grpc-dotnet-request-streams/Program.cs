using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Net;
using Google.Protobuf;
using Grpc.Core;
using Grpc.Net.Client;
using Grpc.Net.Client.Configuration;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Upstream;

// Calls of grpc-dotnet with a stream of requests and a retry or hedging policy, of which some never end (README.md).
// Service and client are Google's stubs in one process. A service refuses some calls with UNAVAILABLE, at once or in the middle.
// Arguments: the seconds for each policy (60), and the policies (none retry hedging).
const int callers = 32;
var seconds = args.Length > 0 ? int.Parse(args[0], CultureInfo.InvariantCulture) : 60;
var policies = args.Length > 1 ? args[1..] : new[] { "none", "retry", "hedging" };

// longer than any call: a deadline or a cancellation of at most 200 ms ends it, or the service, which needs a few ms
var patience = TimeSpan.FromSeconds(30);
var seed = Environment.TickCount;
Console.WriteLine($"seed {seed}, {callers} calls at a time, grpc-dotnet {FileVersionInfo.GetVersionInfo(typeof(GrpcChannel).Assembly.Location).FileVersion}");

var builder = WebApplication.CreateEmptyBuilder(new());
builder.Services.AddRoutingCore();
builder.Services.AddSingleton(new ChatService()).AddGrpc();
builder.WebHost.UseKestrelCore().ConfigureKestrel(kestrel =>
{
    // hedging resets many streams, which Kestrel would refuse
    kestrel.Limits.Http2.MaxStreamsPerConnection = 10_000;
    kestrel.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http2);
});
await using var app = builder.Build();
app.UseRouting();
app.MapGrpcService<ChatService>();
await app.StartAsync();

foreach (var policy in policies)
{
    var watch = Stopwatch.StartNew();
    var hung = new ConcurrentBag<string>();
    var statuses = new ConcurrentDictionary<string, int>();
    var calls = 0;
    await Task.WhenAll(Enumerable.Range(0, callers).Select(caller => Task.Run(async () =>
    {
        // a connection for each caller, so that no call waits for the flow control of another one
        using var channel = GrpcChannel.ForAddress(app.Urls.First(), new() { ServiceConfig = Config(policy) });
        var client = new Chat.ChatClient(channel);
        var random = new Random(seed + caller);
        while (watch.Elapsed.TotalSeconds < seconds)
        {
            var call = new OneCall(client, random);
            Interlocked.Increment(ref calls);
            try
            {
                statuses.AddOrUpdate(await call.RunAsync().WaitAsync(patience), 1, (_, count) => count + 1);
            }
            catch (TimeoutException)
            {
                hung.Add(call.ToString());
            }
        }
    })));
    Console.WriteLine($"{policy}: {hung.Count} of {calls} calls had not ended after {patience.TotalSeconds} s; the others: "
        + string.Join(", ", statuses.OrderBy(one => one.Key).Select(one => $"{one.Key} {one.Value}")));
    foreach (var one in hung)
        Console.WriteLine("  " + one);
}

static ServiceConfig Config(string policy)
{
    var method = new MethodConfig { Names = { MethodName.Default } };
    if (policy == "retry")
        method.RetryPolicy = new()
        {
            MaxAttempts = 5,
            InitialBackoff = TimeSpan.FromMilliseconds(1),
            MaxBackoff = TimeSpan.FromMilliseconds(5),
            BackoffMultiplier = 1.5,
            RetryableStatusCodes = { StatusCode.Unavailable },
        };
    if (policy == "hedging")
        method.HedgingPolicy = new()
        {
            MaxAttempts = 5,
            HedgingDelay = TimeSpan.FromMilliseconds(2),
            NonFatalStatusCodes = { StatusCode.Unavailable },
        };
    return new() { MethodConfigs = { method } };
}

/// <summary>A call with up to 19 requests, which ends by itself, by a deadline or by a cancelled token.</summary>
sealed class OneCall(Chat.ChatClient client, Random random)
{
    readonly bool isDuplex = random.Next(2) == 0;
    readonly int notes = random.Next(1, 20);
    readonly int bytes = random.Next(2) * 1_000;
    readonly int? deadlineMs = random.Next(3) == 0 ? random.Next(1, 200) : null;
    readonly int? cancelMs = random.Next(3) == 0 ? random.Next(1, 200) : null;
    volatile string doing = "begins";
    volatile string reading = "";

    public override string ToString() =>
        $"{(isDuplex ? "duplex" : "client")} stream of {notes} x {bytes} bytes, deadline {deadlineMs?.ToString() ?? "none"}, "
            + $"cancelled after {cancelMs?.ToString() ?? "none"} ms: {doing}{reading}";

    /// <summary>Makes the call.</summary>
    /// <returns>Its status, or the name of another exception.</returns>
    public async Task<string> RunAsync()
    {
        using var cancellation = new CancellationTokenSource();
        if (cancelMs is { } ms)
            cancellation.CancelAfter(ms);
        var options = new CallOptions(deadline: deadlineMs is { } limit ? DateTime.UtcNow.AddMilliseconds(limit) : null,
            cancellationToken: cancellation.Token);
        try
        {
            if (isDuplex)
                await TalkAsync(options);
            else
                await UploadAsync(options);
            return nameof(StatusCode.OK);
        }
        catch (RpcException e)
        {
            return e.StatusCode.ToString();
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            return e.GetType().Name;
        }
    }

    async Task UploadAsync(CallOptions options)
    {
        using var call = client.Upload(options);
        await WriteAsync(call.RequestStream);
        doing = "waits for the reply";
        await call;
    }

    async Task TalkAsync(CallOptions options)
    {
        using var call = client.Talk(options);
        await Task.WhenAll(WriteAsync(call.RequestStream), ReadAsync(call.ResponseStream));
    }

    async Task ReadAsync(IAsyncStreamReader<Note> replies)
    {
        reading = ", reads";
        try
        {
            while (await replies.MoveNext(CancellationToken.None))
            {
            }

            reading = ", has read all replies";
        }
        catch (RpcException e)
        {
            reading = $", reading has failed with {e.StatusCode}";
            throw;
        }
    }

    async Task WriteAsync(IClientStreamWriter<Note> requests)
    {
        var content = ByteString.CopyFrom(new byte[bytes]);
        for (var i = 0; i < notes; i++)
        {
            doing = $"writes {i}";
            await requests.WriteAsync(new() { Number = i, Content = content });
        }

        doing = "completes the requests";
        await requests.CompleteAsync();
        doing = "has completed the requests";
    }
}

/// <summary>The service, which refuses two of five calls: one before the first request, and one after some if it has so many.</summary>
sealed class ChatService : Chat.ChatBase
{
    public override async Task<Note> Upload(IAsyncStreamReader<Note> requestStream, ServerCallContext context)
    {
        var refuseAfter = Draw();
        var count = 0;
        while (count != refuseAfter && await requestStream.MoveNext(context.CancellationToken))
            count++;
        return count == refuseAfter ? throw Refused() : new() { Number = count };
    }

    public override async Task Talk(
        IAsyncStreamReader<Note> requestStream, IServerStreamWriter<Note> responseStream, ServerCallContext context)
    {
        var refuseAfter = Draw();
        var count = 0;
        while (count != refuseAfter && await requestStream.MoveNext(context.CancellationToken))
        {
            count++;
            if (count > 10)
                await responseStream.WriteAsync(new() { Number = count });
        }

        if (count == refuseAfter)
            throw Refused();
    }

    static int Draw() => Random.Shared.Next(5) switch { 0 => 0, 1 => Random.Shared.Next(1, 10), _ => -1 };

    static RpcException Refused() => new(new(StatusCode.Unavailable, "not now"));
}
