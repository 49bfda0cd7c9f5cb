namespace ProtoBench.Results.Tests.Duet;

/// <summary>What it claims where nothing has changed, and what it sees where something has. Seeded.</summary>
public class DuetSimulationTests(ITestOutputHelper output)
{
    const int comparisons = 4_000;
    const int processes = 10;
    const int pairs = 30; // of a millisecond; a real process has eight times as many, which only sharpens each process's figure

    [Theory]
    [InlineData(0.02, 0.0)]
    [InlineData(0.005, 0.0)]
    [InlineData(0.02, 0.33)]
    public void Equal_programs_are_told_apart_as_often_as_alpha_says(double layoutDeviation, double unluckyLayouts)
    {
        var claimed = Claims(new(1) { LayoutDeviation = layoutDeviation, UnluckyLayouts = unluckyLayouts }, 1, comparisons);
        output.WriteLine($"{claimed} of {comparisons} false claims");
        Assert.InRange((double)claimed / comparisons, 0.03, 0.05 + Binomial.Bound(0.05, comparisons));
    }

    [Fact]
    public void Five_percent_more_work_is_seen_on_a_busy_machine()
    {
        const int runs = 1_000;
        var seen = Claims(new(2), 1.05, runs);
        output.WriteLine($"{seen} of {runs} seen");
        Assert.InRange((double)seen / runs, 0.95, 1);
    }

    // Why the process is the sample: pairs of one process agree with each other on its layout.
    [Fact]
    public void Pairs_of_one_process_as_samples_would_claim_layout_as_a_change()
    {
        const int runs = 1_000;
        var machine = new NoisyMachine(4);
        var claimed = 0;
        for (var i = 0; i < runs; i++)
        {
            var (old, @new) = machine.Process(1, processes * pairs);
            claimed += ProcessMean.Of([.. old.Nanoseconds.Zip(@new.Nanoseconds, (before, after) => after / before)], 0.05).P <= 0.05
                ? 1 : 0;
        }

        output.WriteLine($"{claimed} of {runs} false claims");
        Assert.InRange((double)claimed / runs, 0.5, 1);
    }

    [Fact]
    public void The_estimate_has_no_bias()
    {
        var machine = new NoisyMachine(5) { LayoutDeviation = 0 };
        var mean = Enumerable.Range(0, 5_000).Average(_ => Math.Log(Ratio(machine, 1)));
        Assert.InRange(Math.Exp(mean), 0.999, 1.001);
    }

    static int Claims(NoisyMachine machine, double change, int runs) =>
        Enumerable.Range(0, runs)
            .Count(_ => ProcessMean.Of([.. Enumerable.Range(0, processes).Select(_ => Ratio(machine, change))], 0.05).P <= 0.05);

    static double Ratio(NoisyMachine machine, double change)
    {
        var (old, @new) = machine.Process(change, pairs);
        return PairedSlices.Of(old, @new, sharedHeap: true).Ratio;
    }
}
