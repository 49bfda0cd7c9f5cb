using ProtoBench.Rpc.Control;

namespace ProtoBench.GrpcHost;

sealed record RoundFigures(Window Window, ProcessUse Client, ProcessUse? Server,
    IReadOnlyDictionary<string, double>? Parts)
{
    /// <summary>The number of calls per second that the client could make; null if it is not known.</summary>
    public double? ClientCeiling { get; init; }

    /// <remarks>An event loop is at its limit when it does not wait any more, other clients when they use all processors, or half of them
    /// beside a host. The cost of a call decreases with more calls, so that the true limit is higher.</remarks>
    public static double? CeilingOf(Window window, ProcessUse client, bool sharesCores)
    {
        var rate = (window.Calls.Service.Count + window.Calls.Failed.Count) / window.Seconds;
        if (window.LoopBusy is { } busy)
            return busy > 0 ? rate / busy : null;
        var processors = Environment.ProcessorCount / (sharesCores ? 2.0 : 1);
        return client.CpuUsPerCall > 0 ? processors * 1e6 / client.CpuUsPerCall : null;
    }

    public LoadRound ToRecord(int position, LoadPlan plan)
    {
        var open = plan.Rate is not null;
        var calls = Window.Calls;
        return new()
        {
            Position = position,
            DurationSeconds = Window.Seconds,
            DueSeconds = open ? Window.DueSeconds : null,
            Attempted = Window.Attempted,
            Succeeded = calls.Service.Count,
            Skipped = Window.Skipped,
            FailedByStatus = calls.FailedByStatus,
            ExpectedByStatus = calls.ExpectedByStatus.Count == 0 ? null : calls.ExpectedByStatus,
            FailureMessages = calls.FailureMessages.Count == 0 ? null : calls.FailureMessages,
            SentLate = open ? calls.SentLate : null,
            ServedAfter = open ? calls.ServedAfter : null,
            LargestBacklog = open ? Window.LargestBacklog : null,
            TransparentRetries = calls.Resent > 0 ? calls.Resent : null,
            VerifiedShare = calls.CheckedNs / (double)Window.LengthNs / (open ? 1 : plan.Concurrency),
            Response = open ? Record(calls.Response) : null,
            Service = Record(calls.Service),
            Failed = calls.Failed.Count > 0 ? Record(calls.Failed) : null,
            Messages = Messages(calls.Messages?.Pack()),
            Seconds = [.. calls.Seconds.Select(one =>
                new SecondRecord(one.Second, one.Failed, Record(one.Response.Unpack()), Messages(one.Messages)))],
            ScheduleLag = open ? Record(calls.Lag) : null,
            ClientCeilingPerSecond = ClientCeiling,
            Client = Client,
            Server = Server,
        };

        LatencyRecord Record(LatencyHistogram histogram) => LatencyRecord.Of(histogram, plan.Percentiles);

        StreamRecord? Messages(PackedMessages? messages) => messages is null ? null
            : new(messages.Sent, messages.Received, Record(messages.Between.Unpack()), Record(messages.ToAnswer.Unpack()));
    }
}

/// <summary>Where the time of a call goes, in microseconds: its parts in their order, with the names of the result file.</summary>
static class CallParts
{
    public static IReadOnlyDictionary<string, double> Of(HostSnapshot clientBefore, HostSnapshot clientAfter, HostSnapshot serverBefore,
        HostSnapshot serverAfter, double meanUs, long calls)
    {
        var parts = new Dictionary<string, double>
        {
            ["clientEncode"] = PerCall(clientAfter.EncodeNs - clientBefore.EncodeNs),
            ["serverDecode"] = PerCall(serverAfter.DecodeNs - serverBefore.DecodeNs),
            ["handler"] = PerCall(serverAfter.HandlerNs - serverBefore.HandlerNs),
            ["serverEncode"] = PerCall(serverAfter.EncodeNs - serverBefore.EncodeNs),
            ["clientDecode"] = PerCall(clientAfter.DecodeNs - clientBefore.DecodeNs),
        };
        parts["rest"] = meanUs - parts.Values.Sum(); // transport, kernel, scheduling and waiting
        return parts;

        double PerCall(long nanoseconds) => nanoseconds / 1e3 / Math.Max(1, calls);
    }

    /// <summary>Returns the mean of several rounds with equal weights.</summary>
    public static IReadOnlyDictionary<string, double> Average(IReadOnlyCollection<IReadOnlyDictionary<string, double>> rounds) =>
        rounds.First().Keys.ToDictionary(part => part, part => rounds.Average(round => round[part]));
}

static class ResultFacts
{
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

    public static LoadSettings Settings(LoadPlan plan) => new()
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
    };

    /// <param name="faults">The failed checks; null for those of all rounds, each with the number of its round.</param>
    public static LoadVariant Variant(LoadSession session, string name, IReadOnlyList<RoundFigures> figures,
        IReadOnlyList<LoadRound> records, string[]? faults = null)
    {
        faults ??= [.. figures.SelectMany((round, i) => RunChecks.Faults(round, session.ComparesClient).Select(fault => $"round {i + 1}: {fault}"))];
        return new()
        {
            Name = name,
            Stack = session.Subject.Stack.Name,
            Codec = session.Subject.Codec,
            Memory = session.Subject.Memory,
            Transport = Transport(session),
            Rounds = records,
            Verdict = new()
            {
                Valid = faults.Length == 0,
                Reasons = faults,
                Notes = figures.Count == 0 ? [] : [.. RunChecks.Notes(session, figures)],
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
