using ProtoBench.DuetRunner;

namespace ProtoBench.Harness.Duet;

sealed class DuetMeasurement(CellPair cells, bool sharedHeap, Func<string, CellFacts?> factsOf)
{
    readonly List<DuetProcess> processes = [];
    readonly List<(RunnerSide Old, RunnerSide New)> sides = [];
    readonly HashSet<string> clocks = [];
    readonly List<double> callShares = [];

    public CellPair Cells => cells;

    public string? Failure { get; private set; } = cells.Refused;

    /// <summary>Whether the interval of the pair is as narrow as requested.</summary>
    public bool IsDone { get; set; }

    public int Processes => processes.Count;

    public IReadOnlyList<double> Ratios => [.. processes.Select(process => process.Ratio)];

    /// <param name="new">The output with the new side, which is the same object if both ran in one process.</param>
    public void Add(RunnerPairOutput old, RunnerPairOutput @new)
    {
        if ((old.Error ?? @new.Error) is { } error)
        {
            Failure = error;
            return;
        }

        // Two processes may stop within a pair, so the last slice of one of them may have no neighbour.
        var (oldSide, newSide) = (old.Old!, @new.New!);
        var pairs = oldSide.Slices.Zip(newSide.Slices).ToArray();
        var cpu = old.Clock == "cpu" && @new.Clock == "cpu";
        var wall = PairedSlices.Of(Side(oldSide, pairs.Length, cpu: false), Side(newSide, pairs.Length, cpu: false), sharedHeap);
        var found = cpu ? PairedSlices.Of(Side(oldSide, pairs.Length, cpu), Side(newSide, pairs.Length, cpu), sharedHeap) : wall;
        clocks.Add(cpu ? "cpu" : "wall");
        sides.Add((oldSide, newSide));
        callShares.Add(Math.Max(old.CallNanoseconds, @new.CallNanoseconds) / Math.Min(found.OldNanoseconds, found.NewNanoseconds));
        processes.Add(new()
        {
            Ratio = found.Ratio,
            WallRatio = wall.Ratio,
            OldNanoseconds = found.OldNanoseconds,
            NewNanoseconds = found.NewNanoseconds,
            Pairs = pairs.Length,
            Blocks = found.Pairs,
            OldOperations = oldSide.Operations,
            NewOperations = newSide.Operations,
            Disturbed = new(
                pairs.Count(pair => pair.First.Gen0 > 0 != pair.Second.Gen0 > 0),
                pairs.Count(pair => pair.First.Preemptions > 0 != pair.Second.Preemptions > 0)),
            WarmUpSeconds = Math.Max(old.WarmUpSeconds, @new.WarmUpSeconds),
            Quiet = old.Quiet && @new.Quiet,
            HandOverNanoseconds = old.HandOverNanoseconds,
        });
    }

    public ProcessMean Estimate(double alpha) => ProcessMean.Of(Ratios, alpha);

    public DuetPair ToPair(DuetSettings settings)
    {
        var estimate = Estimate(settings.Alpha / settings.Looks);
        var one = processes.Count == 1;
        return new()
        {
            Old = ToSide(cells.Old, process => process.OldNanoseconds, pair => pair.Old),
            New = ToSide(cells.New, process => process.NewNanoseconds, pair => pair.New),
            Ratio = estimate.Value,
            Low = one ? null : estimate.Low,
            High = one ? null : estimate.High,
            P = estimate.P is { } p ? Math.Min(1, p * settings.Looks) : null,
            Clock = clocks.Count == 1 ? clocks.Single() : "wall",
            Valid = !one,
            Notes = [.. Notes(settings)],
            Processes = processes,
        };
    }

    IEnumerable<string> Notes(DuetSettings settings)
    {
        if (processes.Count == 1)
            yield return "one process: layout is not in this figure";
        if (clocks.Count > 1)
            yield return "some processes measured processor time, some elapsed time";
        if (processes.Count(process => !process.Quiet) is > 0 and var loud)
            yield return $"in {loud} of {processes.Count} processes the JIT was still at work when measuring began";
        if (settings.Until is { } until && !IsDone)
            yield return FormattableString.Invariant($"the interval is still wider than {until:P1}");
        if (callShares.Max() is > 0.02 and var share)
            yield return FormattableString.Invariant(
                $"the call itself is {share:P0} of an operation; both sides have it, so the ratio is that much nearer to 1");
    }

    DuetSide ToSide(RunnerCell cell, Func<DuetProcess, double> time, Func<(RunnerSide Old, RunnerSide New), RunnerSide> side)
    {
        RunnerSide[] own = [.. sides.Select(side)];
        return new()
        {
            Cell = cell.Name,
            Type = cell.Type,
            Method = cell.Method,
            Facts = factsOf(cell.Method),
            Parameters = cell.Parameters,
            NanosecondsPerOperation = Median.Of([.. processes.Select(time)]).Value,
            AllocatedBytesPerOperation = Median.Of([.. own.Select(one => one.BytesPerOperation)]).Value,
            Collections = [Sum(slice => slice.Gen0), Sum(slice => slice.Gen1), Sum(slice => slice.Gen2)],
            PauseMilliseconds = Sum(slice => slice.Pause) / 1e6,
        };

        long Sum(Func<Slice, long> of) => own.SelectMany(one => one.Slices).Sum(of);
    }

    static SliceSide Side(RunnerSide side, int pairs, bool cpu) => new(
        [.. side.Slices.Take(pairs).Select(slice => (double)(cpu ? slice.Cpu : slice.Wall))],
        [.. side.Slices.Take(pairs).Select(slice => slice.Gen0 > 0)],
        side.Operations,
        side.BytesPerOperation);
}
