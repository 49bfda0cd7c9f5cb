using System.Diagnostics;
using ProtoBench.DuetRunner;

namespace ProtoBench.Harness.Duet;

/// <summary>Measures pairs in one process after another, each with one or several pairs, until the stopping rule ends every pair.</summary>
sealed class DuetSeries(Build old, Build @new, DuetSettings settings, MachineLoad load, TextWriter progress)
{
    const double warmUpLimitSeconds = 5;
    const double warmUpLimitSecondsOfFurtherPair = 0.25;

    readonly Stopwatch clock = Stopwatch.StartNew();
    readonly string mutex = $"protobench-duet-{Guid.NewGuid():N}";
    readonly TextWriter progress = TextWriter.Synchronized(progress);

    /// <summary>Pairs of the same two methods, one after the other in random order. They share the start and the warm-up.</summary>
    public int PairsPerProcess { get; init; } = 1;

    /// <summary>The number of concurrent processes. One of them measures, while the others start and warm up.</summary>
    public int Lanes { get; init; } = 1;

    public StoppingRule Rule { get; init; } = StoppingRule.Of(settings);

    /// <summary>No process starts after it, once each pair has three. It ignores ratios, so claims are no more likely.</summary>
    public TimeSpan? Limit { get; init; }

    /// <summary>Whether the progress is how many processes have ended, without figures.</summary>
    public bool IsBrief { get; init; }

    bool OneProcess => settings.Form == "oneProcess";

    /// <param name="stop">Stops the measurement. What was measured until then is kept.</param>
    public async Task RunAsync(IReadOnlyList<DuetMeasurement> pairs, CancellationToken stop)
    {
        var random = new Random(settings.Seed);
        for (var number = 1; number <= Rule.Looks[^1]; number++)
        {
            var began = clock.Elapsed;
            DuetMeasurement[] open = [.. pairs.Where(pair => pair.Failure is null && !pair.IsDone)];
            if (open.Length == 0)
                return;
            random.Shuffle(open);
            (DuetMeasurement[] Pairs, int Seed)[] processes =
                [.. SharedProcesses.Of(open, PairsPerProcess).Select(group => (group, random.Next()))];
            if (IsBrief && number == 1)
                await progress.WriteLineAsync($"0 of {Rule.Looks[^1] * processes.Length} processes");
            await Parallel.ForEachAsync(
                processes,
                new ParallelOptions { MaxDegreeOfParallelism = Lanes, CancellationToken = stop },
                async (process, either) =>
                {
                    await RunAsync(process.Pairs, process.Seed, number, either);
                    lock (load)
                        load.Look();
                });
            if (IsBrief)
            {
                var left = clock.Elapsed / number * (Rule.Looks[^1] - number);
                await progress.WriteLineAsync(string.Create(CultureInfo.InvariantCulture,
                    $"{number * processes.Length} of {Rule.Looks[^1] * processes.Length} processes, {left.TotalSeconds:F0} s left"));
            }

            if (Rule.Looks.Contains(number))
            {
                foreach (var pair in open.Where(pair => pair.Failure is null))
                    pair.IsDone = Rule.IsEnough(pair);
            }

            if (number >= 3 && clock.Elapsed + LengthOfNext(pairs, open.Length, clock.Elapsed - began) > Limit)
                return;
        }
    }

    // The next round takes as long as the last one, or less if pairs are done.
    static TimeSpan LengthOfNext(IEnumerable<DuetMeasurement> pairs, int before, TimeSpan last) =>
        last * Math.Sqrt((double)pairs.Count(pair => pair.Failure is null && !pair.IsDone) / before);

    async Task RunAsync(DuetMeasurement[] group, int seed, int number, CancellationToken stop)
    {
        var job = new RunnerJob
        {
            Assembly = @new.Assembly,
            Output = "",
            Pairs = [.. group.Select(pair => new RunnerPair(pair.Cells.Old.Name, pair.Cells.New.Name))],
            Seed = seed,
            Mutex = Lanes > 1 ? mutex : null,
            Seconds = settings.SecondsPerProcess,
            SliceMilliseconds = settings.SliceMilliseconds,
            AllocatingSliceMilliseconds = settings.AllocatingSliceMilliseconds,
            WarmUpLimitSeconds = warmUpLimitSeconds + (OneProcess ? (group.Length - 1) * warmUpLimitSecondsOfFurtherPair : 0),
        };
        var limit = TimeSpan.FromSeconds(120 + (group.Length * 10 * (warmUpLimitSeconds + settings.SecondsPerProcess)));
        try
        {
            var (olds, news) = await AnswersAsync(job, limit, stop);
            for (var i = 0; i < group.Length; i++)
                group[i].Add(olds.Pairs[i], news.Pairs[i]);
        }
        catch (RunException e)
        {
            foreach (var pair in group)
                pair.Add(new() { Error = e.Message }, new());
        }

        foreach (var pair in group.Where(pair => !IsBrief || pair.Failure is not null))
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
        var looks = Rule.Looks;
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
}

/// <param name="Looks">Numbers of processes, fixed before it begins. The probability of a false claim is divided among them.</param>
sealed record StoppingRule(IReadOnlyList<int> Looks, Func<DuetMeasurement, bool> IsEnough)
{
    public static StoppingRule Of(DuetSettings settings) => settings.Until is { } until
        ? new(Results.Looks.Of(settings.Processes), pair => pair.Estimate(settings.Alpha / settings.Looks).HalfWidth <= until)
        : new([settings.Processes], _ => false);
}
