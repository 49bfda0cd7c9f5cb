using System.Globalization;
using System.Security.Cryptography.X509Certificates;
using Google.Protobuf.Collections;
using Grpc.Core;
using ProtoBench.GrpcHost.Protocol;

namespace ProtoBench.GrpcHost;

sealed class WorkerServer : IAsyncDisposable
{
    readonly CancellationTokenSource stop = new();
    readonly CallCounters counters = new(timed: false);
    readonly ProcessTimes times = new();
    MachineTicks machine = MachineTicks.Now();
    X509Certificate2? ownCertificate;
    IRpcServer? server;
    CoreLimit? cores;
    long handledBefore;
    bool disposed;

    public int Port => server!.Endpoint.Port;

    public int Cores => cores?.Count ?? Environment.ProcessorCount;

    /// <summary>The number of calls, or messages of streams, since its start.</summary>
    public long Handled => counters.Handled;

    /// <exception cref="RpcException">INVALID_ARGUMENT if this worker has no such server, UNAVAILABLE if it cannot listen.</exception>
    public static async Task<WorkerServer> StartAsync(ServerConfig config, WorkerSettings settings)
    {
        var worker = new WorkerServer();
        try
        {
            await worker.ListenAsync(config, settings);
            return worker;
        }
        catch
        {
            await worker.DisposeAsync();
            throw;
        }
    }

    public ServerStats Stats(bool reset)
    {
        var (elapsed, user, system) = times.Take(reset);
        var (now, handled) = (MachineTicks.Now(), counters.Handled);
        var stats = new ServerStats
        {
            TimeElapsed = elapsed,
            TimeUser = user,
            TimeSystem = system,
            TotalCpuTime = now.Total - machine.Total,
            IdleCpuTime = now.Idle - machine.Idle,
            CoreStats = WorkerMetrics.Of(WorkerMetrics.ServerCalls, handled - handledBefore),
        };
        if (reset)
            (machine, handledBefore) = (now, handled);
        return stats;
    }

    public async ValueTask DisposeAsync()
    {
        if (disposed)
            return;
        disposed = true;
        await stop.CancelAsync();
        if (server is not null)
            await server.DisposeAsync();
        ownCertificate?.Dispose();
        cores?.Dispose();
        stop.Dispose();
    }

    async Task ListenAsync(ServerConfig config, WorkerSettings settings)
    {
        var port = settings.ServerPort ?? config.Port;
        if (port is < 0 or > 65_535)
            throw Invalid.Argument($"{port} is not a port");
        var (stack, handlers) = Handlers(config);
        cores = CoreLimit.Of(config.CoreLimit, config.CoreList);
        X509Certificate2? certificate = null;
        if (config.SecurityParams is not null)
            certificate = settings.Certificate ?? (ownCertificate = SelfSignedCertificate.Create());
        var listen = new RpcEndpoint { Host = settings.Listen, Port = port };
        try
        {
            server = await stack.StartAsync(
                listen, stack.SpeaksGrpc ? [.. handlers, new HealthAndReflection()] : handlers, Limits(stack), certificate);
        }
        catch (Exception e) when (e is IOException or System.Net.Sockets.SocketException)
        {
            throw new RpcException(new(StatusCode.Unavailable, $"the server cannot listen on {listen}: {e.Message}"));
        }
    }

    /// <summary>No maximum message size, and many calls: the driver chooses both, and tells the server neither.</summary>
    internal static RpcLimits Limits(RpcTransport stack) => stack.HasLibraryDefaults ? RpcLimits.LibraryDefaults
        : new() { MaxReceiveBytes = int.MaxValue, MaxStreamsPerConnection = 16_384 };

    (RpcTransport Stack, RpcHandler[] Handlers) Handlers(ServerConfig config)
    {
        var extras = Extras.Of(config.ChannelArgs);
        switch (config.ServerType)
        {
            case ServerType.SyncServer or ServerType.AsyncServer or ServerType.CallbackServer:
                if (config.PayloadConfig is not null)
                    throw Invalid.Argument("payload_config is for a generic server; requests tell the others how much to answer");
                return (extras.GrpcStack(), Benchmark.Serve(Benchmark.Requests, Benchmark.Responses,
                    static request => Benchmark.Response(request?.ResponseSize ?? 0), counters, stop.Token));
            case ServerType.AsyncGenericServer:
                if (config.PayloadConfig is { PayloadCase: not PayloadConfig.PayloadOneofCase.BytebufParams })
                    throw Invalid.Argument("a generic server has bytebuf_params");
                var size = config.PayloadConfig?.BytebufParams.RespSize ?? 0;
                var response = Benchmark.Payload(size).Body.Memory;
                return (extras.GrpcStack(), Benchmark.Serve(Benchmark.Bytes, Benchmark.Bytes, _ => response, counters, stop.Token));
            case ServerType.OtherServer:
                Extras.CheckApi(config.OtherServerApi);
                var codec = HiveServices.Create(extras.Codec, extras.Root);
                return (extras.Stack, [codec.Serve(HivePayload.Hive(extras.Items), counters, allocate: 0)]);
            default:
                throw Invalid.Argument($"a server of type {(int)config.ServerType} is not known here");
        }
    }
}

/// <summary>The hive's service with a codec, in <c>other_server_api</c>, <c>other_client_api</c> and <c>channel_args</c>: the protocol has
/// no field for them. Arguments with other prefixes belong to other implementations and are ignored.</summary>
sealed record Extras
{
    const string prefix = "protobench.";

    public const string ClientArgument = prefix + "client";

    const string api = "hive";

    public string Codec { get; private init; } = HiveServices.Names[0];

    public string Root { get; private init; } = HiveServices.Roots[0];

    public int Items { get; private init; } = Payloads.Hive.Items;

    public RpcTransport Stack { get; private init; } = RpcTransports.All[0];

    public string Client { get; private init; } = StackClient.Name;

    /// <exception cref="RpcException">INVALID_ARGUMENT when an argument of this project is unknown or invalid.</exception>
    public static Extras Of(RepeatedField<ChannelArg> arguments)
    {
        var extras = new Extras();
        foreach (var argument in arguments.Where(argument => argument.Name.StartsWith(prefix, StringComparison.Ordinal)))
        {
            var value = argument.ValueCase == ChannelArg.ValueOneofCase.IntValue ? argument.IntValue.ToString() : argument.StrValue;
            extras = argument.Name[prefix.Length..] switch
            {
                "codec" => extras with { Codec = OneOf(argument.Name, value, HiveServices.Names) },
                "root" => extras with { Root = OneOf(argument.Name, value, HiveServices.Roots) },
                "client" => extras with { Client = OneOf(argument.Name, value, [StackClient.Name, EventLoopClient.Name]) },
                "stack" => extras with { Stack = RpcTransports.Named(OneOf(argument.Name, value, Stacks)) },
                "items" => int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out var items) && items <= mostItems
                    ? extras with { Items = items } : throw Invalid.Argument($"{argument.Name} is from 0 to {mostItems}, not '{value}'"),
                _ => throw Invalid.Argument(
                    $"'{argument.Name}' is not known here: {prefix}codec, {prefix}root, {prefix}stack, {prefix}client, {prefix}items"),
            };
        }

        return extras.Stack.Carries(extras.Codec) ? extras
            : throw Invalid.Argument($"{extras.Stack.Name} does not carry {extras.Codec}: {string.Join(", ", extras.Stack.OnlyCodecs!)}");
    }

    // a request of 350 MB
    const int mostItems = 3_500_000;

    static string[] Stacks => [.. RpcTransports.All.Select(stack => stack.Name)];

    /// <exception cref="RpcException">Thrown with INVALID_ARGUMENT when it is unknown.</exception>
    public static void CheckApi(string name)
    {
        if (name != api)
            throw Invalid.Argument($"the other API '{name}' is not known here: {api}");
    }

    /// <summary>The stack of the benchmark service. INVALID_ARGUMENT if it is not gRPC.</summary>
    public RpcTransport GrpcStack() => Stack.Name.StartsWith(RpcTransports.All[0].Name, StringComparison.Ordinal)
        ? Stack : throw Invalid.Argument($"the benchmark service is on {RpcTransports.All[0].Name} only, not on {Stack.Name}");

    static string OneOf(string name, string value, IReadOnlyList<string> choice) =>
        choice.Contains(value) ? value : throw Invalid.Argument($"'{value}' is no value of {name}: {string.Join(", ", choice)}");
}
