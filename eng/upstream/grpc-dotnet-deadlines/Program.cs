using System.Diagnostics;
using System.Net;
using Grpc.AspNetCore.Server.Model;
using Grpc.Core;
using Grpc.Net.Client;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;

// A deadline passes while the server of grpc-dotnet serializes a response (README.md). Server and clients are in one process, with the
// defaults of the libraries.
const int others = 4;
const int length = 100_000;
var duration = TimeSpan.FromSeconds(3);
var builder = WebApplication.CreateEmptyBuilder(new());
builder.Services.AddRoutingCore().AddSingleton<IServiceMethodProvider<Service>, Methods>().AddSingleton(new Service()).AddGrpc();
builder.WebHost.UseKestrelCore().ConfigureKestrel(kestrel =>
    kestrel.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http2));
await using var app = builder.Build();
app.UseRouting();
app.MapGrpcService<Service>();
await app.StartAsync();

var version = FileVersionInfo.GetVersionInfo(typeof(GrpcChannel).Assembly.Location).FileVersion;
Console.WriteLine($"grpc-dotnet {version}, .NET {Environment.Version}");
foreach (var hasDeadline in new[] { false, true })
{
    // one response is written slowly, as by a thread that the system does not schedule
    using var slowChannel = GrpcChannel.ForAddress(app.Urls.First());
    Service.Until = Stopwatch.GetTimestamp() + (long)(duration.TotalSeconds * Stopwatch.Frequency);
    var slow = slowChannel.CreateCallInvoker().AsyncUnaryCall(Service.Slow, null,
        new(deadline: hasDeadline ? DateTime.UtcNow.AddMilliseconds(200) : null), []).ResponseAsync;

    // and others have connections of their own, and no deadline
    var (calls, wrong, failed, failure) = (0, 0, 0, "");
    await Task.WhenAll(Enumerable.Range(1, others).Select(other => Task.Run(async () =>
    {
        using var channel = GrpcChannel.ForAddress(app.Urls.First());
        while (Stopwatch.GetTimestamp() < Service.Until)
        {
            var expected = new byte[length];
            expected.AsSpan().Fill((byte)other);
            Interlocked.Increment(ref calls);
            try
            {
                var reply = await channel.CreateCallInvoker().AsyncUnaryCall(Service.Echo, null, default, expected);
                if (!reply.AsSpan().SequenceEqual(expected))
                    Interlocked.Increment(ref wrong);
            }
            catch (RpcException e)
            {
                Interlocked.Increment(ref failed);
                failure = e.Status.DebugException?.GetBaseException().Message ?? e.Status.Detail;
            }
        }
    })));
    await Task.WhenAny(slow);
    Console.WriteLine($"{(hasDeadline ? "the deadline passes" : "no deadline")}: {calls} calls of others, {wrong} got wrong bytes, {failed} failed");
    if (failed > 0) Console.WriteLine($"the last failure: {failure}");
}

sealed class Service
{
    static readonly Marshaller<byte[]> bytes = Marshallers.Create(array => array, array => array);

    public static Method<byte[], byte[]> Echo { get; } = new(MethodType.Unary, "upstream.Service", "Echo", bytes, bytes);

    public static Method<byte[], byte[]> Slow { get; } = new(MethodType.Unary, "upstream.Service", "Slow", bytes,
        new(WriteSlowly, context => context.PayloadAsNewBuffer()));

    /// <summary>When the slow response is written, as a time stamp.</summary>
    public static long Until { get; set; }

    static void WriteSlowly(byte[] message, SerializationContext context)
    {
        context.SetPayloadLength(1000);
        var writer = context.GetBufferWriter();
        var span = writer.GetSpan(1000)[..1000];
        while (Stopwatch.GetTimestamp() < Until)
        {
            span.Fill(0xFF); // the span is this serializer's until Advance
            Thread.Yield();
        }

        writer.Advance(1000);
        context.Complete();
    }
}

sealed class Methods : IServiceMethodProvider<Service>
{
    public void OnServiceMethodDiscovery(ServiceMethodProviderContext<Service> context)
    {
        context.AddUnaryMethod(Service.Echo, [], (_, request, _) => Task.FromResult(request));
        context.AddUnaryMethod(Service.Slow, [], (_, request, _) => Task.FromResult(request));
    }
}
