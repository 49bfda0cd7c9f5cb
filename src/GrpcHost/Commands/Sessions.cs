using System.CommandLine;
using ProtoBench.GrpcHost.Hosting;
using ProtoBench.GrpcHost.Runs;

namespace ProtoBench.GrpcHost.Commands;

/// <summary>A host process and a load session for each variant. Hosts that are not under load do nothing.</summary>
sealed class Sessions : IAsyncDisposable
{
    readonly List<HostProcess> hosts = [];
    readonly List<LoadSession> sessions = [];

    public IReadOnlyList<LoadSession> All => sessions;

    public static Option<bool> UnixSocket() => new("--uds") { Description = "over a Unix domain socket instead of TCP" };

    /// <summary>The arguments of a host that listens on a free port, or on a new Unix domain socket.</summary>
    public static string[] Address(bool unixSocket) =>
        unixSocket ? ["--uds", Path.Combine(Path.GetTempPath(), $"protobench-{Guid.NewGuid():N}.sock")] : ["--port", "0"];

    /// <exception cref="RunException">A host did not start.</exception>
    public static async Task<Sessions> StartAsync(HostOptions options, ParseResult parsed, LoadPlan plan, bool unixSocket)
    {
        var started = new Sessions();
        try
        {
            foreach (var variant in options.Variants(parsed))
            {
                var host = await HostProcess.StartAsync([.. Address(unixSocket), .. options.ForHost(parsed, variant)]);
                started.hosts.Add(host);
                started.sessions.Add(new(variant, host.Endpoint, plan));
            }

            return started;
        }
        catch
        {
            await started.DisposeAsync();
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var session in sessions)
            await session.DisposeAsync();
        foreach (var host in hosts)
            await host.DisposeAsync();
    }
}
