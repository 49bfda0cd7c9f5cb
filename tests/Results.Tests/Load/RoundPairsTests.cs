namespace ProtoBench.Results.Tests.Load;

public class RoundPairsTests
{
    [Fact]
    public void The_ratio_is_the_second_figure_by_the_first()
    {
        var pairs = Pairs([100, 400], [110, 440])!;
        Assert.Equal(200, pairs.Old, 9);
        Assert.Equal(220, pairs.New, 9);
        Assert.Equal(pairs.New / pairs.Old, pairs.Ratio);
        Assert.Null(pairs.Low); // two pairs are too few
    }

    // The machine becomes three times slower, and both variants with it: ratios 1.1, 1.2, 1.1, 1.2 around 1.149.
    // By hand: mean of the logarithms 0.138816, standard error 0.025119, t of 3 degrees of freedom 3.18245.
    [Fact]
    public void A_drift_of_the_machine_is_not_in_the_interval()
    {
        var pairs = Pairs([300, 200, 150, 100], [330, 240, 165, 120])!;
        Assert.Equal(1.1489, pairs.Ratio, 4);
        Assert.Equal(1.0606, pairs.Low!.Value, 4);
        Assert.Equal(1.2445, pairs.High!.Value, 4);
    }

    [Fact]
    public void A_pair_without_the_figure_is_left_out()
    {
        Assert.Equal(2, Pairs([100, 0, 100], [200, 500, 200])!.Ratio, 9);
        Assert.Null(Pairs([0], [1]));
        Assert.Null(Pairs([], []));
    }

    static RoundPairs? Pairs(double[] old, double[] @new) =>
        RoundPairs.Of(Variant(old), Variant(@new), round => round.DurationSeconds, 0.05);

    // the duration carries the figure of a round
    static LoadVariant Variant(double[] figures)
    {
        var sample = Samples.Load().Variants[0];
        return sample with { Rounds = [.. figures.Select(figure => sample.Rounds[0] with { DurationSeconds = figure })] };
    }
}
