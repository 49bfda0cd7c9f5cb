using ProtoBench.GrpcHost.Control;
using ProtoBench.Results;
using ProtoBench.Rpc.Control;

namespace ProtoBench.GrpcHost.Runs;

/// <summary>The environment and the settings of a run, for a result file.</summary>
static class ResultFacts
{
    public static LoadEnvironment Environment(IReadOnlyList<LoadSession> sessions) => new()
    {
        Client = Process(ThisProcess.Facts),
        Server = sessions[0].Description is { } host ? Process(host.Process) : null,
        SharedCores = sessions[0].SharesCores,
        Commit = Git.Commit(AppContext.BaseDirectory),
        Clean = Git.IsClean(AppContext.BaseDirectory),
        PackageVersions = sessions.SelectMany(session => session.Description?.PackageVersions ?? []).Concat(ThisProcess.PackageVersions)
            .DistinctBy(package => package.Key).ToDictionary(package => package.Key, package => package.Value),
    };

    public static LoadSettings Settings(LoadPlan plan) => new()
    {
        CommandLine = plan.CommandLine,
        Loop = plan.Rate is null ? "closed" : "open",
        Arrivals = plan.Rate is null ? null : plan.Poisson ? "poisson" : "constant",
        RatePerSecond = plan.Rate,
        Concurrency = plan.Rate is null ? plan.Concurrency : null,
        RequestsPerRound = plan.Rate is null ? plan.Requests : null,
        RoundSeconds = plan.Duration?.TotalSeconds,
        MaxInFlight = plan.Rate is null ? null : plan.MaxInFlight,
        Connections = plan.Connections,
        Rounds = plan.Rounds,
        WarmupSeconds = plan.Warmup.TotalSeconds,
        TimeoutSeconds = plan.Timeout?.TotalSeconds,
        Seed = plan.Seed,
    };

    public static LoadTransport Transport(LoadSession session)
    {
        var connection = session.Connections[0];
        return new()
        {
            Protocol = connection.Protocol ?? "none",
            Socket = session.Subject.Endpoint.UnixSocket is null ? "tcp" : "uds",
            Tls = connection.Tls,
            ConnectionsOpened = session.Connections.Sum(one => one.Opened),
            Http2 = connection.Http2.Concat(session.Description?.Http2 ?? []).ToDictionary(),
            RequestBytes = session.Subject.RequestBytes,
            ResponseBytes = session.Subject.ReplyBytes,
            PayloadSha256 = session.Subject.PayloadSha256,
        };
    }

    /// <summary>A process and its machine, as a result file has them.</summary>
    public static ProcessEnvironment Process(ProcessFacts facts) => new()
    {
        Runtime = facts.Runtime,
        GcMode = facts.GcMode,
        TieredJit = facts.TieredJit,
        Cpu = facts.Cpu,
        Cores = facts.Cores,
        Os = facts.Os,
        Architecture = facts.Architecture,
    };
}
