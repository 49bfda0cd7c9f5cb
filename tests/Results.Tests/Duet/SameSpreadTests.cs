namespace ProtoBench.Results.Tests;

public class SameSpreadTests
{
    [Fact]
    public void It_is_the_distance_from_one_on_either_side()
    {
        double[] ratios = [1.01, 0.98, 1.03, 0.96, 1.05, 1, 1, 1, 1, 0.9];
        Assert.Equal(new(10, 0.015, 0.05, 0.1), Rounded(SameSpread.Of(Same(ratios))));
    }

    [Fact]
    public void Other_duets_have_none() =>
        Assert.Throws<InvalidDataException>(() => SameSpread.Of(MadeDuet.Of([1, 1])));

    static SameSpread Rounded(SameSpread spread) => spread with
    {
        Median = Math.Round(spread.Median, 9),
        Ninety = Math.Round(spread.Ninety, 9),
        Largest = Math.Round(spread.Largest, 9),
    };

    static DuetResult Same(double[] ratios)
    {
        var result = MadeDuet.Of([.. ratios.Select(ratio => new[] { ratio, ratio })]);
        return result with { Settings = result.Settings with { Same = true } };
    }
}
