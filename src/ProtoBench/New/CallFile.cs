namespace ProtoBench.New;

/// <summary>Writes the file with the cells of calls: the service and its client on grpc-dotnet, with the messages of either
/// library.</summary>
static class CallFile
{
    static readonly string[] usings =
    [
        "System.Diagnostics", "System.Net", "BenchmarkDotNet.Attributes", "Google.Protobuf", "Grpc.Core", "Grpc.Net.Client",
        "Microsoft.AspNetCore.Builder", "Microsoft.AspNetCore.Hosting", "Microsoft.AspNetCore.Server.Kestrel.Core",
        "Microsoft.Extensions.DependencyInjection", "Microsoft.Extensions.Logging", "ProtoBench.Codec", "ProtoBench.Codec.Grpc",
        "ProtoBench.Harness",
    ];

    public static string Write(ProjectNames names, MethodNames method)
    {
        var (m, google, slab) = (method.Name, names.Google, names.Slab);

        // members of the services, whose names no method may have
        var (replies, next, received) = (method.Free("replies"), method.Free("next"), method.Free("Received"));
        return $$"""
            {{ProgramFile.Usings(usings)}}

            /// <summary>Each cell is one call of {{method.Path}} over grpc-dotnet. The service and its client are in this
            /// process, so the allocated bytes are those of both sides. Time is that of the run divided by its calls.
            /// Requests and replies are taken in turn. The service fills each reply with the content of the next one in
            /// the folder "replies".</summary>
            public class {{method.Class}}
            {
                const int calls = 256;
                CallFixture fixture = null!;

                /// <summary>Calls at a time. It has to divide the number of calls.</summary>
                [Params(1, 8)]
                public int Callers { get; set; } = 1;

                [GlobalSetup(Target = nameof(Call{{m}}Google))]
                public async Task StartGoogle() => fixture = await CallsWithGoogle.StartAsync();

                [GlobalSetup(Target = nameof(Call{{m}}Slab))]
                public async Task StartSlab() => fixture = await CallsWithSlab.StartAsync();

                [GlobalCleanup]
                public async Task StopAsync()
                {
                    Console.WriteLine(fixture.Latencies);
                    await fixture.DisposeAsync();
                }

                [Benchmark(Baseline = true, OperationsPerInvoke = calls), BenchmarkCategory("Call"), Measures("Google")]
                public Task Call{{m}}Google() => fixture.CallAsync(calls, Callers);

                [Benchmark(OperationsPerInvoke = calls), BenchmarkCategory("Call"), Measures("Slab")]
                public Task Call{{m}}Slab() => fixture.CallAsync(calls, Callers);
            }

            /// <summary>Google's messages and stubs.</summary>
            sealed class CallsWithGoogle(WebApplication app, GrpcChannel channel, CallsWithGoogle.Service service)
                : CallsOnLoopback(app, channel)
            {
                readonly {{google}}[] requests =
                    [.. Captured.Payloads.Of(PayloadSet.Mix).Select({{google}}.Parser.ParseFrom)];

                readonly {{method.GoogleService}}.{{method.Client}} client = new(channel);

                public static async Task<CallFixture> StartAsync()
                {
                    var service = new Service();
                    var (app, channel) = await HostAsync(service);
                    return new CallsWithGoogle(app, channel, service);
                }

                protected override async Task RunCallerAsync(int caller, int calls)
                {
                    for (var i = caller; i < caller + calls; i++)
                    {
                        var began = Stopwatch.GetTimestamp();
                        await client.{{m}}Async(requests[i % requests.Length]);
                        Latencies.Add(began);
                    }
                }

                public override async Task<ExchangedMessages> ExchangeAsync(int request)
                {
                    byte[] received = [];
                    service.{{received}} = bytes => received = bytes;
                    var reply = await client.{{m}}Async(requests[request % requests.Length]);
                    service.{{received}} = null;
                    return new(received, reply.ToByteArray());
                }

                public sealed class Service : {{method.GoogleService}}.{{method.Base}}
                {
                    readonly {{method.GoogleReply}}[] {{replies}} =
                        [.. Replies.All.Of(PayloadSet.Mix).Select({{method.GoogleReply}}.Parser.ParseFrom)];
                    int {{next}} = -1;

                    public Action<byte[]>? {{received}} { get; set; }

                    public override Task<{{method.GoogleReply}}> {{m}}({{google}} request, ServerCallContext context)
                    {
                        {{received}}?.Invoke(request.ToByteArray());
                        return Task.FromResult({{replies}}[(uint)Interlocked.Increment(ref {{next}}) % {{replies}}.Length].Clone());
                    }
                }
            }

            /// <summary>The slab codec's messages and stubs.</summary>
            sealed class CallsWithSlab(WebApplication app, GrpcChannel channel, CallsWithSlab.Service service)
                : CallsOnLoopback(app, channel)
            {
                readonly Message<{{slab}}>[] requests = [.. Captured.Payloads.Of(PayloadSet.Mix).Select(bytes =>
                {
                    var message = {{slab}}.Rent();
                    message.Parse(bytes);
                    return message;
                })];

                readonly {{method.SlabService}}.{{method.Client}} client = new(channel);

                public static async Task<CallFixture> StartAsync()
                {
                    var service = new Service();
                    var (app, channel) = await HostAsync(service);
                    return new CallsWithSlab(app, channel, service);
                }

                protected override async Task RunCallerAsync(int caller, int calls)
                {
                    for (var i = caller; i < caller + calls; i++)
                    {
                        var began = Stopwatch.GetTimestamp();
                        using var reply = await client.{{method.SlabCall}}(requests[i % requests.Length]);
                        Latencies.Add(began);
                    }
                }

                public override async Task<ExchangedMessages> ExchangeAsync(int request)
                {
                    byte[] received = [];
                    service.{{received}} = bytes => received = bytes;
                    using var reply = await client.{{method.SlabCall}}(requests[request % requests.Length]);
                    service.{{received}} = null;
                    return new(received, reply.ToByteArray());
                }

                public override async ValueTask DisposeAsync()
                {
                    await base.DisposeAsync();
                    foreach (var request in requests)
                        request.Dispose();
                    service.Dispose();
                }

                public sealed class Service : {{method.SlabService}}.{{method.Base}}, IDisposable
                {
                    readonly Message<{{method.SlabReply}}>[] {{replies}} = [.. Replies.All.Of(PayloadSet.Mix).Select(bytes =>
                    {
                        var message = {{method.SlabReply}}.Rent();
                        message.Parse(bytes);
                        return message;
                    })];
                    int {{next}} = -1;

                    public Action<byte[]>? {{received}} { get; set; }

                    public override ValueTask {{method.SlabHandler}}(
                        {{slab}} request, {{method.SlabReply}} reply, ServerCallContext context)
                    {
                        {{received}}?.Invoke(request.ToByteArray());
                        reply.CopyFrom({{replies}}[(uint)Interlocked.Increment(ref {{next}}) % {{replies}}.Length].Value);
                        return default;
                    }

                    public void Dispose()
                    {
                        foreach (var reply in {{replies}})
                            reply.Dispose();
                    }
                }
            }

            /// <summary>A service on a free port of this machine, and one connection to it.</summary>
            abstract class CallsOnLoopback(WebApplication app, GrpcChannel channel) : CallFixture
            {
                public override async ValueTask DisposeAsync()
                {
                    channel.Dispose();
                    await app.StopAsync();
                    await app.DisposeAsync();
                }

                protected static async Task<(WebApplication App, GrpcChannel Channel)> HostAsync<TService>(TService service)
                    where TService : class
                {
                    var builder = WebApplication.CreateSlimBuilder();
                    builder.Logging.ClearProviders();
                    builder.WebHost.ConfigureKestrel(kestrel =>
                        kestrel.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http2));
                    builder.Services.AddGrpc(grpc => grpc.MaxReceiveMessageSize = null).AddSlabMessages();
                    builder.Services.AddSingleton(service);
                    var app = builder.Build();
                    app.MapGrpcService<TService>();
                    await app.StartAsync();
                    return (app, GrpcChannel.ForAddress(app.Urls.Single(), new() { MaxReceiveMessageSize = null }));
                }
            }

            /// <summary>The replies, from the folder beside the program.</summary>
            static class Replies
            {
                static readonly Lazy<PayloadSet> all = new(() => PayloadSet.Find("replies"));

                public static PayloadSet All => all.Value;
            }

            """;
    }
}
