namespace ProtoBench.GrpcHost;

/// <summary>A host process for each GC mode, number of processors and codec, with increasing numbers of callers. The client always uses the
/// slab codec, so that its own collections do not hide those of the server.</summary>
sealed class GcModeRun(LoadPlan plan, IReadOnlyList<int> callers, TextWriter output)
{
    readonly RunStart start = RunStart.Now();
    readonly List<LoadVariant> variants = [];
    LoadEnvironment? environment;
    int position;

    /// <summary>Measures one host, which is stopped afterwards.</summary>
    public async Task MeasureAsync(Variant variant, HostRuntime runtime, IEnumerable<string> arguments, CancellationToken stop)
    {
        using var cancellation = new RunCancellation(stop);
        await using var host = await ChildProcess.StartHostAsync(arguments, runtime);
        foreach (var number in callers)
        {
            if (stop.IsCancellationRequested)
                return;
            var closed = plan with
            {
                Concurrency = number,
                Connections = variant.Stack.Multiplexed ? Math.Min(plan.Connections, number) : number
            };
            var client = HiveServices.Create("slab", HiveServices.Roots[0]);
            await using var session = new LoadSession(new HiveSubject(variant, host.Endpoint, plan.Payload, client), closed);
            await session.ConnectAsync(stop);
            await session.WarmUpAsync(cancellation);
            environment ??= ResultFacts.Environment([session]);
            await MeasureAsync(session, runtime, closed, cancellation);
        }
    }

    public LoadResult Result(bool partial)
    {
        var known = environment ?? throw new StoppedException(measured: false, file: null);
        var result = ResultFacts.Result(start, plan, known, variants, partial);
        return result with { Settings = result.Settings with { Concurrency = null } };
    }

    async Task MeasureAsync(LoadSession session, HostRuntime runtime, LoadPlan closed, RunCancellation cancellation)
    {
        List<LoadRound> rounds = [];
        for (var round = 0; round < plan.Rounds && !cancellation.Token.IsCancellationRequested; round++)
            rounds.Add(await session.MeasureAsync(closed, cancellation) with { Position = position++ });
        if (rounds.Count == 0)
            return;
        var name = $"{session.Subject.Name}, {runtime}, {closed.Concurrency} caller{(closed.Concurrency == 1 ? "" : "s")}";
        var variant = ResultFacts.Variant(session, name, rounds) with
        {
            GcMode = runtime.Gc.Name,
            Callers = closed.Concurrency,
            Server = session.Description is { } host ? ResultFacts.Process(host.Process) : null,
        };
        variants.Add(variant);
        await output.WriteLineAsync(GcModeTable.Line(variant));
    }
}
