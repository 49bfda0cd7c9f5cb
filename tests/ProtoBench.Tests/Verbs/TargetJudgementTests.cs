using ProtoBench.Results;

namespace ProtoBench.Tests;

public class TargetJudgementTests
{
    static readonly double[] five = [.. Enumerable.Range(0, 8).Select(i => 0.2 * (1 + (0.004 * (i - 3.5))))];

    [Fact]
    public void Every_target_is_reached_or_not_and_certain_or_not()
    {
        Target[] targets = [new("A", "B", 4), new("A", "B", 4.999), new("A", "B", 5.005), new("A", "B", 6), new("A", "Other", 1)];
        var judged = TargetJudgement.Of(Result([five]), targets);
        Assert.Equal(["yes", "yes, uncertain", "no, uncertain", "no"], judged.Select(one => one.Answer));
        Assert.All(judged, one => Assert.InRange(one.Times, 4.99, 5.01));
        Assert.All(judged, one => Assert.Equal(one.Certain, one.P <= 0.05));
        Assert.Contains("| B against A | 5.00 | 4.9", TargetJudgement.Table(judged).ToMarkdown(), StringComparison.Ordinal);
    }

    [Fact]
    public void One_process_is_never_certain() =>
        Assert.Equal("yes, uncertain", Assert.Single(TargetJudgement.Of(Result([[0.001]]), [new("A", "B", 1)])).Answer);

    // A pair that is left at an early look is certain in the finished table too, whatever the others come to.
    [Fact]
    public void What_is_certain_at_a_look_stays_so()
    {
        var settings = Result([five]).Settings;
        Assert.True(TargetJudgement.IsCertain(five, new("A", "B", 4), settings, 58));
        Assert.True(TargetJudgement.IsCertain(five, new("A", "B", 6), settings, 58));
        Assert.False(TargetJudgement.IsCertain(five, new("A", "B", 4.99), settings, 58));
        Assert.False(TargetJudgement.IsCertain(five[..1], new("A", "B", 1), settings, 58));

        // certain alone, and not among 58 targets
        Assert.True(TargetJudgement.IsCertain(five, new("A", "B", 4.9), settings, 1));
        Assert.False(TargetJudgement.IsCertain(five, new("A", "B", 4.9), settings, 58));
    }

    // 20 targets whose pairs are exactly at their limits, so that any certainty is unfounded. Each pair
    // ends at the look, after 4, 8 or 16 processes, at which it looks most certain: no rule could be worse.
    [Theory]
    [InlineData(1)]
    [InlineData(20261122)]
    public void Tables_without_a_true_claim_make_one_in_at_most_5_percent(int seed)
    {
        const int tables = 400;
        var random = new Random(seed);
        var wrong = 0;
        for (var table = 0; table < tables; table++)
        {
            var pairs = Enumerable.Range(0, 20).Select(_ => Pick([.. Enumerable.Range(0, 16).Select(_ => Math.Exp(0.05 * Normal()))]))
                .ToArray();
            Target[] targets = [.. pairs.Select((_, i) => new Target($"A{(i == 0 ? "" : i)}", $"B{(i == 0 ? "" : i)}", 1))];
            wrong += TargetJudgement.Of(Result(pairs), targets).Any(one => one.Certain) ? 1 : 0;
        }

        // Binomial: more than 34 of 400 at a true 5 % has a chance of 0.1 %.
        Assert.True(wrong <= 34, $"seed {seed}: {wrong} of {tables} tables claim something");

        double[] Pick(double[] ratios) => new[] { 4, 8, 16 }.Select(count => ratios[..count]).MinBy(some => ProcessMean.Of(some, 0.05).P)!;
        double Normal() => Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
    }

    [Fact]
    public void The_exit_code_says_whether_a_target_is_surely_missed()
    {
        Assert.Equal(0, TargetsVerb.ExitCodeOf(Result([five]), [new("A", "B", 5.005)], 0)); // not reached, but nobody can say so
        Assert.Equal(1, TargetsVerb.ExitCodeOf(Result([five]), [new("A", "B", 6)], 0));
        Assert.Equal(1,
            TargetsVerb.ExitCodeOf(Result([five]) with { Failed = [new("N.T.A", "N.T.B", "broken")] }, [new("A", "B", 4)], 0));
        Assert.Equal(4, TargetsVerb.ExitCodeOf(Result([five]), [new("A", "B", 4), new("A", "Gone", 4)], 1));
        Assert.Equal(1, TargetsVerb.ExitCodeOf(Result([five]), [new("A", "B", 6), new("A", "Gone", 4)], 1));
    }

    [Fact]
    public void A_saved_table_names_its_day_commit_machine_packages_and_command()
    {
        var result = Result([five]);
        result = result with
        {
            StartedAt = new(2026, 11, 22, 23, 30, 0, TimeSpan.FromHours(-1)),
            Settings = result.Settings with { CommandLine = "targets --measure --save" },
            Environment = result.Environment with
            {
                Process = result.Environment.Process with { Cpu = "Some CPU", Cores = 4, Runtime = ".NET 10.0.12", GcMode = "Server" },
                Commit = "abc",
                Clean = false,
                PackageVersions = new Dictionary<string, string> { ["ProtoBench.Codec"] = "0.1.0", ["Google.Protobuf"] = "3.25.1" },
            },
        };
        Assert.Equal(
            [
                "2026-11-23, commit abc, with changes that are not committed", "Some CPU, 4 cores, .NET 10.0.12, Server GC",
                "Google.Protobuf 3.25.1, ProtoBench.Codec 0.1.0", "`targets --measure --save`",
            ], Saved.Head(result));
    }

    static DuetResult Result(double[][] pairs)
    {
        var result = MadeDuet.Of(pairs);
        return result with { Settings = result.Settings with { Looks = 3 } };
    }
}
