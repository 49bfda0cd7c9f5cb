using System.Diagnostics;
using ProtoBench.DuetRunner;

namespace ProtoBench.Harness.Duet;

/// <summary>Measures pairs in one process after another, each with one or several pairs, until the stopping rule ends every pair.</summary>
sealed class DuetSeries(Build old, Build @new, DuetRequest asked, MachineLoad load, TextWriter progress)
{
    const double warmUpLimitSeconds = 5;
    const double warmUpLimitSecondsOfFurtherPair = 0.25;

    readonly Stopwatch clock = Stopwatch.StartNew();
    readonly string mutex = $"protobench-duet-{Guid.NewGuid():N}";
    readonly TextWriter progress = TextWriter.Synchronized(progress);
    readonly DuetSettings settings = asked.Settings;
    readonly StoppingRule rule = asked.Rule ?? StoppingRule.Of(asked.Settings);

    /// <summary>Measures a job, and returns the outputs of both sides. In tests, it returns made ones.</summary>
    public Func<RunnerJob, TimeSpan, CancellationToken, Task<(RunnerOutput Old, RunnerOutput New)>>? Measure { get; init; }

    bool OneProcess => settings.Form == "oneProcess";

    /// <param name="stop">Stops the measurement. What was measured until then is kept.</param>
    public async Task RunAsync(IReadOnlyList<DuetMeasurement> pairs, CancellationToken stop)
    {
        var random = new Random(settings.Seed);
        var (done, lookedAt, lastLook) = (0, clock.Elapsed, 0);
        for (var number = 1; number <= rule.Looks[^1]; number++)
        {
            var began = clock.Elapsed;
            DuetMeasurement[] open = [.. pairs.Where(pair => pair.Failure is null && !pair.IsDone)];
            if (open.Length == 0)
                return;
            random.Shuffle(open);
            (DuetMeasurement[] Pairs, int Seed)[] processes =
                [.. SharedProcesses.Of(open, asked.PairsPerProcess).Select(group => (group, random.Next()))];
            if (asked.IsBrief && number == 1)
                await progress.WriteLineAsync($"0 of {rule.Looks[0] * processes.Length} processes");
            foreach (var group in processes.GroupBy(
                process => SharedProcesses.AtATime(process.Pairs, OneProcess, Environment.ProcessorCount)))
            {
                await Parallel.ForEachAsync(
                    group,
                    new ParallelOptions { MaxDegreeOfParallelism = group.Key, CancellationToken = stop },
                    async (process, either) =>
                    {
                        await RunAsync(process.Pairs, process.Seed, number, group.Key > 1 ? mutex : null, either);
                        lock (load)
                            load.Look();
                    });
            }

            done += processes.Length;
            if (asked.IsBrief)
            {
                var rounds = rule.Looks.First(look => look >= number) - number;
                var left = (clock.Elapsed - lookedAt) / (number - lastLook) * rounds;
                await progress.WriteLineAsync(string.Create(CultureInfo.InvariantCulture,
                    $"{done} of {done + (rounds * processes.Length)} processes, {left.TotalSeconds:F0} s left"));
            }

            if (rule.Looks.Contains(number))
            {
                foreach (var pair in open.Where(pair => pair.Failure is null))
                    pair.IsDone = rule.IsEnough(pair);
                (lookedAt, lastLook) = (clock.Elapsed, number);
                if (asked.IsBrief && rule.Looks.FirstOrDefault(look => look > number) is > 0 and var next
                    && pairs.Count(pair => pair.Failure is null && !pair.IsDone) is > 0 and var wide)
                {
                    await progress.WriteLineAsync($"{wide} of {pairs.Count(pair => pair.Failure is null)} comparisons have wide intervals: "
                        + $"{next - number} more processes each");
                }
            }

            if (number >= 3 && clock.Elapsed + LengthOfNext(pairs, open.Length, clock.Elapsed - began) > asked.Limit)
                return;
        }
    }

    // The next round takes as long as the last one, or less if pairs are done.
    static TimeSpan LengthOfNext(IEnumerable<DuetMeasurement> pairs, int before, TimeSpan last) =>
        last * Math.Sqrt((double)pairs.Count(pair => pair.Failure is null && !pair.IsDone) / before);

    async Task RunAsync(DuetMeasurement[] group, int seed, int number, string? turn, CancellationToken stop)
    {
        var job = new RunnerJob
        {
            Assembly = @new.Assembly,
            Pairs = [.. group.Select(pair => new RunnerPair(pair.Cells.Old.Name, pair.Cells.New.Name))],
            Seed = seed,
            Mutex = turn,
            Seconds = settings.SecondsPerProcess,
            SliceMilliseconds = settings.SliceMilliseconds,
            AllocatingSliceMilliseconds = settings.AllocatingSliceMilliseconds,
            WarmUpLimitSeconds = warmUpLimitSeconds + (OneProcess ? (group.Length - 1) * warmUpLimitSecondsOfFurtherPair : 0),
        };
        var limit = TimeSpan.FromSeconds(120 + (group.Length * 10 * (warmUpLimitSeconds + settings.SecondsPerProcess)));
        try
        {
            var (olds, news) = await (Measure ?? AnswersAsync)(job, limit, stop);
            for (var i = 0; i < group.Length; i++)
                group[i].Add(olds.Pairs[i], news.Pairs[i]);
        }
        catch (Exception e) when (e is RunException || ResultPath.IsUnwritable(e)) // the folder for temporary files may be full
        {
            foreach (var pair in group)
                pair.Add(new() { Error = e.Message }, new());
        }

        foreach (var pair in group.Where(pair => !asked.IsBrief || pair.Failure is not null))
            await progress.WriteLineAsync(Line(pair, number));
    }

    async Task<(RunnerOutput Old, RunnerOutput New)> AnswersAsync(RunnerJob job, TimeSpan limit, CancellationToken stop)
    {
        if (OneProcess)
        {
            var answer = await RunnerProcess.RunAsync(@new, job, limit, stop);
            return (answer, answer);
        }

        // If one of the two fails, the other must not wait for it.
        using var either = CancellationTokenSource.CreateLinkedTokenSource(stop);
        var folder = Directory.CreateTempSubdirectory("protobench-turns-").FullName;
        try
        {
            var pipe = OperatingSystem.IsWindows() ? Path.GetFileName(folder) : Path.Combine(folder, "turn");
            Task<RunnerOutput>[] both =
            [
                RunnerProcess.RunAsync(old, job with { Pipe = pipe, RunsOld = true }, limit, either.Token),
                RunnerProcess.RunAsync(@new, job with { Pipe = pipe, RunsOld = false }, limit, either.Token),
            ];
            var first = await Task.WhenAny(both);
            if (!first.IsCompletedSuccessfully)
            {
                await either.CancelAsync();
                await Task.WhenAll(both)
                    .ContinueWith(_ => { }, CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default);
                await first;
            }

            return (await both[0], await both[1]);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    string Line(DuetMeasurement pair, int number)
    {
        var looks = rule.Looks;
        var head = string.Create(CultureInfo.InvariantCulture,
            $"[{clock.Elapsed.TotalSeconds,4:F0} s] {number} of {(looks.Count > 1 ? "at most " : "")}{looks[^1]}  {pair.Cells.Name}: ");
        if (pair.Failure is { } failure)
            return head + "failed: " + failure;
        var estimate = pair.Estimate(settings.Alpha / looks.Count);
        return head + (pair.Processes == 1
            ? DuetFigures.Change(estimate.Value)
            : $"{DuetFigures.Change(estimate.Value)} {DuetFigures.Interval(estimate.Low, estimate.High)}");
    }
}

static class SharedProcesses
{
    /// <summary>Groups the pairs of the same two methods, which differ in their parameters only, into processes with at most <paramref
    /// name="most"/> pairs. Other pairs do not share a process, because the JIT would optimize shared library code for all of them
    /// together. For example, the lead of SerializeResponse over Google was 26 % larger in a process with seven other pairs than
    /// alone.</summary>
    public static IReadOnlyList<DuetMeasurement[]> Of(IEnumerable<DuetMeasurement> pairs, int most) =>
        [.. pairs.GroupBy(pair => (pair.Cells.Old.Type, pair.Cells.Old.Method, pair.Cells.New.Type, pair.Cells.New.Method))
            .SelectMany(methods => methods.Chunk(most))];

    /// <summary>Returns how many processes like this one may run at a time. One of them measures, while the others start and warm up. The
    /// other threads of a cell that waits, and the two processes of two builds, need the cores for themselves.</summary>
    public static int AtATime(IEnumerable<DuetMeasurement> process, bool oneProcess, int cores) =>
        oneProcess && !process.Any(pair => pair.Cells.Waits) ? Math.Clamp(cores, 1, 3) : 1;
}

/// <param name="Looks">Numbers of processes, fixed before it begins. The probability of a false claim is divided among them.</param>
sealed record StoppingRule(IReadOnlyList<int> Looks, Func<DuetMeasurement, bool> IsEnough)
{
    public static StoppingRule Of(DuetSettings settings) =>
        settings.Until is null ? new([settings.Processes], _ => false) : Until(settings, Results.Looks.Of(settings.Processes));

    public static StoppingRule Until(DuetSettings settings, IReadOnlyList<int> looks) =>
        new(looks, pair => pair.Estimate(settings.Alpha / settings.Looks).HalfWidth <= settings.Until);
}
