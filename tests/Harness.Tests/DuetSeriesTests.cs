using System.Collections.Concurrent;
using ProtoBench.DuetRunner;
using ProtoBench.Harness.Duet;
using ProtoBench.Results;

namespace ProtoBench.Harness.Tests;

/// <summary>The processes of an answer, with made ratios instead of processes.</summary>
public class DuetSeriesTests
{
    static readonly double[] near = [0.32, 0.31, 0.33, 0.32, 0.31, 0.32, 0.33, 0.32];

    // the first process was disturbed: [0.11 to 2.48] with four processes
    static readonly double[] disturbed = [2.27, .. near[1..]];

    [Fact]
    public async Task A_disturbed_process_does_not_decide_a_pair()
    {
        var four = ProcessMean.Of(disturbed[..4], 0.05);
        Assert.True(four is { Value: > 0.5, Low: < 0.12, High: > 2.4 });

        var (pairs, settings, lines) = await RunAsync(4, near, disturbed, near);
        Assert.Equal([4, 8, 4], pairs.Select(pair => pair.Processes.Count));
        var pair = pairs[1];
        Assert.Equal(0.321, pair.Ratio, 0.002);
        Assert.InRange(pair.Low!.Value, 0.305, 0.321);
        Assert.InRange(pair.High!.Value, 0.321, 0.337);
        Assert.Empty(pair.Notes);

        Assert.Equal(
            [
                "0 of 12 processes", "3 of 12 processes", "6 of 12 processes", "9 of 12 processes", "12 of 12 processes",
                "1 of 3 comparisons have wide intervals: 4 more processes each",
                "13 of 16 processes", "14 of 16 processes", "15 of 16 processes", "16 of 16 processes",
            ], lines);
        Assert.Equal("1 of 3 comparisons was measured again with 4 more processes, because its interval was wide.\n", Doubts(pairs, settings));
    }

    [Fact]
    public async Task Narrow_intervals_need_no_more_processes()
    {
        var (pairs, settings, lines) = await RunAsync(4, near, near);
        Assert.All(pairs, pair => Assert.Equal(4, pair.Processes.Count));
        Assert.Equal("8 of 8 processes", lines[^1]);
        Assert.Equal("", Doubts(pairs, settings));
    }

    // They are no accident of one process.
    [Fact]
    public async Task An_interval_that_stays_wide_is_not_measured_a_third_time()
    {
        double[] apart = [0.2, 0.5, 0.2, 0.5, 0.2, 0.5, 0.2, 0.5];
        var (pairs, settings, lines) = await RunAsync(3, apart, disturbed);
        Assert.All(pairs, pair => Assert.Equal(8, pair.Processes.Count));
        Assert.Equal("the interval is still wider than 15.0 %", Assert.Single(pairs[0].Notes).Replace("\u00a0", " ", StringComparison.Ordinal));
        Assert.Contains("2 of 2 comparisons have wide intervals: 5 more processes each", lines);
        Assert.Equal("16 of 16 processes", lines[^1]);
        Assert.Equal("2 of 2 comparisons were measured again with 5 more processes, because their intervals were wide.\n"
            + "Some intervals are wide. More processes make them narrower: --processes 10.\n", Doubts(pairs, settings));
    }

    static async Task<(DuetPair[] Pairs, DuetSettings Settings, string[] Lines)> RunAsync(int processes, params double[][] ratios)
    {
        var request = DuetRun.Request(processes, 0.25);
        DuetMeasurement[] pairs =
            [.. ratios.Select((_, i) => new DuetMeasurement(new(Cell($"Google{i}"), Cell($"Slab{i}")), sharedHeap: true, _ => null))];
        var measured = new ConcurrentDictionary<string, int>();
        var build = new Build("made.dll", null, null, null, []);
        using var progress = new StringWriter { NewLine = "\n" };
        await new DuetSeries(build, build, request, new(), progress) { Measure = MeasureAsync }
            .RunAsync(pairs, TestContext.Current.CancellationToken);
        return ([.. pairs.Select(pair => pair.ToPair(request.Settings))], request.Settings,
            [.. progress.ToString().TrimEnd('\n').Split('\n').Select(line => line.Split(',')[0])]);

        Task<(RunnerOutput Old, RunnerOutput New)> MeasureAsync(RunnerJob job, TimeSpan limit, CancellationToken stop)
        {
            var name = Assert.Single(job.Pairs).New;
            var number = measured.AddOrUpdate(name, 1, (_, before) => before + 1);
            var ratio = ratios[name[^1] - '0'][number - 1];
            var output = new RunnerOutput { Pairs = [new() { Old = Side(1_000), New = Side(1_000 * ratio), Quiet = true }] };
            return Task.FromResult((output, output));
        }
    }

    static RunnerCell Cell(string name) => new("N.T." + name, "T", name, new Dictionary<string, string>(), false, false);

    static RunnerSide Side(double nanoseconds) =>
        new(1, 0, [.. Enumerable.Repeat(new Slice((long)nanoseconds, 0, 0, 0, 0, 0, 0), 5)]);

    static string Doubts(DuetPair[] pairs, DuetSettings settings)
    {
        using var output = new StringWriter { NewLine = "\n" };
        Answer.WriteDoubts(MadeDuet.Result(pairs) with { Settings = settings }, output);
        return output.ToString();
    }
}
