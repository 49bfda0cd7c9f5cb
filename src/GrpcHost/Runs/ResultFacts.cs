using ProtoBench.Rpc.Control;

namespace ProtoBench.GrpcHost;

/// <summary>What a command notes before it measures.</summary>
/// <param name="OtherCores">See <see cref="LoadResult.OtherCores"/>.</param>
sealed record RunStart(DateTimeOffset At, double? OtherCores)
{
    public static RunStart Now() => new(DateTimeOffset.Now, MachineLoad.Now());
}

static class ResultFacts
{
    public static LoadResult Result(RunStart start, LoadPlan plan, LoadEnvironment environment, IReadOnlyList<LoadVariant> variants,
        bool partial) => new()
        {
            StartedAt = start.At,
            Partial = partial,
            OtherCores = start.OtherCores,
            Environment = environment,
            Settings = Settings(plan),
            LeftOut = plan.LeftOut.Count == 0 ? null : plan.LeftOut,
            Variants = variants,
        };

    public static LoadEnvironment Environment(IReadOnlyList<LoadSession> sessions) => new()
    {
        Client = Process(HostProcess.Facts),
        Server = sessions[0].Description is { } host ? Process(host.Process) : null,
        SharedCores = sessions[0].SharesCores,
        Clock = sessions[0].Clock,
        Commit = Git.Commit(AppContext.BaseDirectory),
        Clean = Git.IsClean(AppContext.BaseDirectory),
        PackageVersions = sessions.SelectMany(session => session.Description?.PackageVersions ?? []).Concat(HostProcess.PackageVersions)
            .DistinctBy(package => package.Key).ToDictionary(package => package.Key, package => package.Value),
    };

    static LoadSettings Settings(LoadPlan plan) => new()
    {
        CommandLine = plan.CommandLine,
        Client = plan.Client,
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
        FailIf = plan.FailIf.Count == 0 ? null : [.. plan.FailIf.Select(condition => condition.Text)],
    };

    /// <param name="faults">The failed checks; null for those of all rounds, each with the number of its round.</param>
    public static LoadVariant Variant(LoadSession session, string name, IReadOnlyList<LoadRound> rounds, string[]? faults = null)
    {
        faults ??= [.. rounds.SelectMany((round, i) => RunChecks.Faults(round, session.ComparesClient).Select(fault => $"round {i + 1}: {fault}"))];
        return new()
        {
            Name = name,
            Stack = session.Subject.Stack.Name,
            Codec = session.Subject.Codec,
            Memory = session.Subject.Memory,
            Transport = Transport(session),
            Rounds = rounds,
            Verdict = new()
            {
                Valid = faults.Length == 0,
                Reasons = faults,
                Notes = rounds.Count == 0 ? [] : [.. RunChecks.Notes(session, rounds)],
            },
        };
    }

    static LoadTransport Transport(LoadSession session)
    {
        var connection = session.Connections[0];
        return new()
        {
            Protocol = connection.Protocol ?? "none",
            Socket = session.Subject.Endpoint.UnixSocket is null ? "tcp" : "uds",
            Tls = connection.Tls,
            ConnectionsOpened = session.Connections.Sum(one => one.Opened),
            Http2 = session.Http2,
            RequestBytes = session.Subject.RequestBytes,
            ResponseBytes = session.Subject.ReplyBytes,
            PayloadSha256 = session.Subject.PayloadSha256,
        };
    }

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
