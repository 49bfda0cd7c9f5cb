namespace ProtoBench.Results.Tests.Duet;

public class DuetVerdictTests
{
    [Theory]
    [InlineData(new[] { 1.049, 1.05, 1.051 }, 0, Verdict.Worse)]
    [InlineData(new[] { 0.949, 0.95, 0.951 }, 0, Verdict.Better)]
    [InlineData(new[] { 0.99, 1.0, 1.02 }, 0, Verdict.Unclear)]
    [InlineData(new[] { 1.049, 1.05, 1.051 }, 0.03, Verdict.Worse)]
    [InlineData(new[] { 1.049, 1.05, 1.051 }, 0.10, Verdict.Small)]
    [InlineData(new[] { 1.05 }, 0, Verdict.Unclear)]
    public void A_claim_needs_more_than_the_threshold(double[] ratios, double threshold, Verdict verdict) =>
        Assert.Equal([verdict], DuetVerdict.Of(MadeDuet.Result(MadeDuet.Pair("A", "B", ratios)), threshold));

    // +5.1 % with an interval from +1 % is surely a change, and not surely one of more than 5 %.
    [Fact]
    public void The_interval_is_held_against_the_threshold_and_not_the_estimate()
    {
        var result = MadeDuet.Result(MadeDuet.Pair("A", "B", [1.02, 1.03, 1.05, 1.07, 1.085]));
        Assert.InRange(result.Duets[0].Ratio, 1.0501, 1.06);
        Assert.True(result.Duets[0].Low > 1);
        Assert.Equal([Verdict.Worse], DuetVerdict.Of(result, 0));
        Assert.Equal([Verdict.Small], DuetVerdict.Of(result, 0.05));
    }

    // p = 0.03 or so is a claim when it is alone, and none among twenty.
    [Fact]
    public void Several_pairs_are_corrected()
    {
        var pair = MadeDuet.Pair("A", "B", [1.02, 1.03, 1.05, 1.02]);
        Assert.InRange(pair.P!.Value, 0.01, 0.05);
        Assert.Equal(Verdict.Worse, DuetVerdict.Of(MadeDuet.Result(pair), 0)[0]);
        DuetPair[] others = [.. Enumerable.Range(0, 19).Select(i => MadeDuet.Pair("A" + i, "B" + i, [0.99, 1.0, 1.02]))];
        Assert.Equal(Verdict.Unclear, DuetVerdict.Of(MadeDuet.Result([pair, .. others]), 0)[0]);
    }
}
