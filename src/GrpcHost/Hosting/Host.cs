using System.Security.Cryptography.X509Certificates;
using ProtoBench.Rpc.Control;

namespace ProtoBench.GrpcHost;

sealed class Host(IRpcServer server, X509Certificate2? certificate) : IAsyncDisposable
{
    public RpcEndpoint Endpoint => server.Endpoint;

    public static async Task<Host> StartAsync(HostSettings settings)
    {
        var counters = new CallCounters(settings.Attribute);
        var codec = HiveServices.Create(settings.Codec, settings.Root);
        var limits = (settings.Stack.HasLibraryDefaults ? RpcLimits.LibraryDefaults : new()) with
        {
            MaxStreamsPerConnection = settings.MaxStreams,
            Tuning = settings.Tuning,
        };
        var certificate = settings.Tls ? SelfSignedCertificate.Create() : null;
        IRpcServer? server = null;
        RpcHandler[] handlers =
        [
            settings.Prepared ?? codec.Serve(settings.Payload, counters, settings.Allocate),
            .. ControlService.Handlers(() => Describe(settings, codec, limits), counters, () => server?.ConnectionsAccepted ?? 0),
            .. settings.Stack.SpeaksGrpc
                ? [codec.ServeStream(settings.Payload, counters, settings.Allocate), new HealthAndReflection()] : Array.Empty<RpcHandler>(),
        ];
        try
        {
            server = await settings.Stack.StartAsync(settings.Listen, handlers, limits, certificate);
            return new(server, certificate);
        }
        catch (Exception e) when (e is IOException or System.Net.Sockets.SocketException or FormatException)
        {
            certificate?.Dispose();
            throw new RunException(e is FormatException ? ExitCode.Usage : ExitCode.Failed,
                $"cannot listen on {settings.Listen}: {e.Message}", e);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await server.DisposeAsync();
        certificate?.Dispose();
    }

    static HostDescription Describe(HostSettings settings, HiveService codec, RpcLimits limits)
    {
        var description = new HostDescription
        {
            Stack = settings.Stack.Name,
            Codec = settings.Codec,
            Memory = codec.Memory,
            Root = settings.Root,
            Attribute = settings.Attribute,
            ProcessId = Environment.ProcessId,
            Process = HostProcess.Facts,
        };
        if (settings.Stack.Protocol == "HTTP/2")
            description.Http2.Add(KestrelHost.Http2(limits).ToDictionary());
        description.PackageVersions.Add(HostProcess.PackageVersions.ToDictionary());
        return description;
    }
}

sealed record HostSettings
{
    public RpcEndpoint Listen { get; init; } = new();

    /// <summary>Whether to use TLS, with a certificate that is created for this run.</summary>
    public bool Tls { get; init; }

    public RpcTransport Stack { get; init; } = RpcTransports.All[0];

    public string Codec { get; init; } = HiveServices.Names[0];

    public string Root { get; init; } = HiveServices.Roots[0];

    public int MaxStreams { get; init; } = new RpcLimits().MaxStreamsPerConnection;

    public RpcTuning Tuning { get; init; } = new();

    public required HivePayload Payload { get; init; }

    public bool Attribute { get; init; }

    /// <summary>The number of bytes that the handler allocates in each call, to verify the measurement of allocations.</summary>
    public int Allocate { get; init; }

    /// <summary>A method that is answered with prepared bytes instead of the hive's service; null for the hive's service.</summary>
    public RpcHandler? Prepared { get; init; }
}
