namespace ProtoBench.DuetRunner.Tests;

[Collection("alone")]
public class MeasuringTests
{
    const string type = "ProtoBench.DuetRunner.Tests.CountingBenchmarks.";

    readonly CellCatalog catalog = new(typeof(MeasuringTests).Assembly);

    [Fact]
    public void One_process_runs_both_sides_in_pairs()
    {
        var pair = Measure(new RunnerPair(type + "Count(Size: 3)", type + "Allocate(Size: 3)")).Single();
        Assert.Null(pair.Error);
        Assert.InRange(pair.Old!.Slices.Count, OneProcess.LeastPairs, int.MaxValue);
        Assert.All(new[] { pair.Old, pair.New! }, side =>
        {
            Assert.Equal(pair.Old.Slices.Count, side.Slices.Count);
            Assert.All(side.Slices, slice => Assert.True(slice.Wall > 0));
        });
        Assert.Equal(0, pair.Old.BytesPerOperation);
        Assert.InRange(pair.New!.BytesPerOperation, 1_000, 1_100); // the array and its head
        Assert.InRange(pair.CallNanoseconds, 0, 1_000);
        if (ThreadUse.IsKnown)
            Assert.Equal("cpu", pair.Clock);
    }

    // A list that grew, or a slice that became an object, would add collections to what is measured.
    [Fact]
    public void Slices_allocate_nothing()
    {
        using var cell = catalog.Find(type + "Count(Size: 3)");
        new SliceLog(cell, 1).Run();
        // a new list for each run, because a list that grew once would not grow in the next one
        var logs = new Stack<SliceLog>(Enumerable.Range(0, 5).Select(_ => new SliceLog(cell, 1)));
        Assert.Equal(0, AllocatedBytes.Of(() =>
        {
            var log = logs.Pop();
            for (var i = 0; i < 1_000; i++)
                log.Run();
        }));
    }

    [Fact]
    public void Elapsed_time_is_measured_where_a_cell_waits_for_others()
    {
        var pair = Measure(new RunnerPair(type + "Count(Size: 3)", type + "CountLaterAsync(Size: 3)")).Single();
        Assert.Null(pair.Error);
        Assert.Equal("wall", pair.Clock);
        Assert.Equal(0, pair.New!.Operations % 4);
    }

    [Fact]
    public void Pairs_that_share_a_process_have_an_answer_each_and_a_cell_that_throws_is_an_error_of_its_pair_only()
    {
        var pairs = Measure(
            new(type + "Count(Size: 3)", type + "Throw(Size: 3)"),
            new(type + "Count(Size: 3)", type + "ThrowLater(Size: 3)"),
            new(type + "Count(Size: 3)", type + "NoSuchCell"),
            new(type + "Count(Size: 3)", type + "Count(Size: 5)"));
        Assert.Equal(
            ["InvalidOperationException: this cell is broken", "InvalidOperationException: this cell breaks later",
                $"{type}NoSuchCell: there is no such cell in ProtoBench.DuetRunner.Tests", null],
            pairs.Select(pair => pair.Error));
        Assert.InRange(pairs[3].Old!.Slices.Count, OneProcess.LeastPairs, int.MaxValue);
        Assert.True(pairs[3].WarmUpSeconds > 0);
    }

    // The two sides on two threads: as in two processes, one at a time, and as many slices on both sides.
    [Fact]
    public async Task Two_sides_take_turns()
    {
        var job = Job() with
        {
            Pipe = PipeName(),
            Pairs = [new(type + "Count(Size: 3)", type + "Count(Size: 5)"), new(type + "Count(Size: 5)", type + "Allocate(Size: 3)")]
        };
        var old = Run(job with { RunsOld = true });
        var @new = Run(job with { RunsOld = false });
        var (olds, news) = (await old, await @new);
        Assert.Equal((2, 2), (olds.Count, news.Count));
        foreach (var (one, other) in olds.Zip(news))
        {
            Assert.Equal((null, null), (one.Error, other.Error));
            Assert.Equal(one.Old!.Slices.Count, other.New!.Slices.Count);
            Assert.InRange(one.Old.Slices.Count, OneProcess.LeastPairs, int.MaxValue);
            Assert.True(one.HandOverNanoseconds > 0 && (one.Old, one.New, other.Old) is ({ }, null, null));
            Assert.Equal(one.Clock, other.Clock);
        }
    }

    [Fact]
    public async Task A_side_that_fails_tells_the_other_and_the_next_pair_goes_on()
    {
        var job = Job() with
        {
            Pipe = PipeName(),
            Pairs = [new(type + "Count(Size: 3)", type + "Throw(Size: 5)"), new(type + "Count(Size: 3)", type + "Count(Size: 5)")]
        };
        var old = Run(job with { RunsOld = true });
        var @new = Run(job with { RunsOld = false });
        Assert.All(new[] { await old, await @new }, pairs =>
        {
            Assert.Equal("InvalidOperationException: this cell is broken", pairs[0].Error);
            Assert.Null(pairs[1].Error);
        });
    }

    // A call of 0 ns made a slice of 2^63 calls, which never ended.
    [Theory]
    [InlineData(0, 10_000_000)]
    [InlineData(-5, 10_000_000)]
    [InlineData(10, 100_000)]
    [InlineData(5e9, 1)]
    public void A_clock_that_stood_still_makes_no_endless_slice(double callNanoseconds, long calls) =>
        Assert.Equal(calls, new Calibration(callNanoseconds, 0, false).CallsIn(1));

    [Fact]
    public void The_order_of_slices_is_the_same_in_every_process()
    {
        // Drawn once and written down: HashCode would differ from process to process.
        var random = Job().RandomOf(3);
        Assert.Equal("1001100001", string.Concat(Enumerable.Range(0, 10).Select(_ => random.Next(2))));
    }

    IReadOnlyList<RunnerPairOutput> Measure(params RunnerPair[] pairs) => OneProcess.Measure(catalog, Job() with { Pairs = pairs });

    Task<IReadOnlyList<RunnerPairOutput>> Run(RunnerJob job) =>
        Task.Factory.StartNew(() => TurnTaking.Measure(catalog, job), CancellationToken.None, TaskCreationOptions.LongRunning,
            TaskScheduler.Default);

    static string PipeName() =>
        OperatingSystem.IsWindows()
        ? Guid.NewGuid().ToString("N") : Path.Combine(Path.GetTempPath(), $"protobench-test-{Guid.NewGuid():N}");

    static RunnerJob Job() => new()
    {
        Assembly = "",
        Seed = 1,
        Seconds = 0.01,
        SliceMilliseconds = 0.2,
        AllocatingSliceMilliseconds = 0.5,
        WarmUpLimitSeconds = 0.05,
    };
}

/// <summary>Measurements allocate, and count the whole process's bytes.</summary>
[CollectionDefinition("alone", DisableParallelization = true)]
#pragma warning disable CA1711 // xunit's word
public class AloneCollection;
#pragma warning restore CA1711

public class WarmUpTests
{
    // The first line is what three of 48 processes showed on a busy machine:
    // the JIT had not even begun to count calls, and tier-0 code was measured.
    [Theory]
    [InlineData(364, 64, 60, false)]
    [InlineData(900, 64, 100, false)]
    [InlineData(4_100, 64, 300, true)] // nothing to compile again: TieredCompilation is off, or all of it was compiled ahead
    [InlineData(1_260, 944, 30, false)]
    [InlineData(1_450, 944, 50, true)]
    [InlineData(1_450, 944, 1, false)] // a long round: not every cell was called since
    public void Quiet_is_a_while_after_a_method_of_a_higher_tier(int elapsed, int lastCompiled, int rounds, bool quiet) =>
        Assert.Equal(quiet, WarmUp.IsQuiet(TimeSpan.FromMilliseconds(elapsed), TimeSpan.FromMilliseconds(lastCompiled), rounds));
}

public class MeasuringTurnTests
{
    [Fact]
    public async Task One_measures_at_a_time()
    {
        var name = $"protobench-test-{Guid.NewGuid():N}";
        var (inside, most) = (0, 0);
        await Task.WhenAll(Enumerable.Range(0, 4)
            .Select(_ => Task.Factory.StartNew(Take, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default)));
        Assert.Equal((0, 1), (inside, most));

        void Take()
        {
            for (var i = 0; i < 200; i++)
            {
                using var turn = MeasuringTurn.Await(name);
                most = Math.Max(most, Interlocked.Increment(ref inside));
                Thread.Yield();
                Interlocked.Decrement(ref inside);
            }
        }
    }

    [Fact]
    public async Task The_turn_of_a_runner_that_ended_without_giving_it_back_is_taken()
    {
        var name = $"protobench-test-{Guid.NewGuid():N}";
        using var keep = new Mutex(initiallyOwned: false, name);
        var thread = new Thread(() => MeasuringTurn.Await(name));
        thread.Start();
        thread.Join();
        await Task.Factory.StartNew(() => MeasuringTurn.Await(name).Dispose(), CancellationToken.None, TaskCreationOptions.LongRunning,
            TaskScheduler.Default).WaitAsync(TimeSpan.FromMinutes(2), TestContext.Current.CancellationToken);
    }

    [Fact]
    public void A_single_runner_waits_for_nobody() => MeasuringTurn.Await(null).Dispose();
}
