using ProtoBench.DuetRunner;

namespace ProtoBench.Harness.Duet;

sealed class DuetRun(Build old, Build @new, DuetRequest asked, TextWriter progress)
{
    public Func<string, CellFacts?> FactsOf { get; init; } = _ => null;

    /// <summary>Measures the pairs of an answer in this build. Pairs whose interval is wide are measured again.</summary>
    public static Task<DuetResult> CompareAsync(MeasuredProgram program, Answer answer, int processes, double seconds, TextWriter progress,
        CancellationToken stop)
    {
        var current = program.Current;
        return new DuetRun(current, current, Request(processes, seconds), progress)
        {
            FactsOf = program.FactsOf,
        }.RunAsync((_, cells) => answer.Pairs(cells), stop);
    }

    /// <summary>The request of an answer.</summary>
    public static DuetRequest Request(int processes, double seconds)
    {
        var settings = DuetOptions.Defaults(isTwoProcesses: false, processes) with
        {
            SecondsPerProcess = seconds,
            Until = Answer.Wide,
            Looks = Looks.ByWidth,
        };
        return new(settings, Rule: StoppingRule.Until(settings, Looks.Twice(processes)), IsBrief: true);
    }

    /// <summary>Measures. If it is stopped, the result is marked as partial and has the measurements until then.</summary>
    public async Task<DuetResult> RunAsync(Func<IReadOnlyList<RunnerCell>, IReadOnlyList<RunnerCell>, CellPair[]> choose,
        CancellationToken stop)
    {
        var news = await ListAsync(@new, stop);
        var olds = old == @new ? news : await ListAsync(old, stop);
        return await MeasureAsync(choose(olds.Cells, news.Cells), olds, news, stop);
    }

    public CellPair[] Choose(IReadOnlyList<RunnerCell> olds, IReadOnlyList<RunnerCell> news) => asked switch
    {
        { Base: not null } => CellPairs.Builds(olds, news, asked.Filters, warning => progress.WriteLine("warning: " + warning)),
        { Against: { } against } => CellPairs.Against(news, asked.Filters, against),
        { Pairs.Count: > 0 } => CellPairs.Named(news, asked.Filters, asked.Pairs),
        _ => CellPairs.Same(news, asked.Filters),
    };

    async Task<DuetResult> MeasureAsync(CellPair[] pairs, RunnerOutput olds, RunnerOutput news, CancellationToken stop)
    {
        if (pairs.All(pair => pair.Refused is not null))
            throw new UsageException(pairs[0].Refused!);
        var started = DateTimeOffset.Now;
        DuetMeasurement[] measured = [.. pairs.Select(pair => new DuetMeasurement(pair, asked.Settings.Form == "oneProcess", FactsOf))];
        var partial = false;
        var load = new MachineLoad();
        try
        {
            await new DuetSeries(old, @new, asked, load, progress).RunAsync(measured, stop);
        }
        catch (OperationCanceledException)
        {
            partial = true;
        }

        DuetPair[] found =
            [.. measured.Where(pair => pair.Failure is null && pair.Processes > 0).Select(pair => pair.ToPair(asked.Settings))];
        var corrected = Holm.Correct([.. found.Select(pair => pair.P ?? 1)]);
        return new()
        {
            StartedAt = started,
            Partial = partial,
            OtherCores = load.Busy,
            Environment = Environment(@new, news.Facts!),
            Base = old == @new ? null : Environment(old, olds.Facts!),
            Settings = asked.Settings,
            Duets = [.. found.Select((pair, i) => pair.P is null ? pair : pair with { CorrectedP = corrected[i] })],
            Failed = [.. measured.Where(pair => pair.Failure is not null)
                .Select(pair => new DuetFailure(pair.Cells.Old.Name, pair.Cells.New.Name, pair.Failure!))],
        };
    }

    static Task<RunnerOutput> ListAsync(Build build, CancellationToken stop) =>
        RunnerProcess.RunAsync(build, new() { Assembly = build.Assembly }, TimeSpan.FromMinutes(2), stop);

    static DuetEnvironment Environment(Build build, ProcessEnvironment process) => new()
    {
        Label = build.Label,
        Commit = build.Commit,
        Clean = build.Clean,
        PackageVersions = build.PackageVersions(),
        Process = process,
    };
}
