using ProtoBench.Report.Charts;
using ProtoBench.Results;

namespace ProtoBench.Report.Tests.Charts;

public class AxisTests
{
    static readonly Unit time = new("ns/op", Scale.Nanoseconds);

    [Theory]
    [InlineData(false, 10, 100)]
    [InlineData(false, 0, 1000)]
    [InlineData(true, 10, 200)]
    [InlineData(true, 1e-3, 1e9)]
    public void Range_decides_the_scale(bool logarithmic, double least, double most) =>
        Assert.Equal(logarithmic, Axis.Of([least, most]).Logarithmic);

    [Fact]
    public void A_linear_axis_begins_at_zero_and_keeps_proportions()
    {
        var axis = Axis.Of([50, 100]);
        Assert.Equal(0, axis.At(0));
        Assert.Equal(axis.At(100), 2 * axis.At(50), 9);
    }

    [Fact]
    public void On_a_logarithmic_axis_equal_factors_are_equal_distances()
    {
        var axis = Axis.Of([1, 1000]);
        Assert.Equal(axis.At(100) - axis.At(10), axis.At(1000) - axis.At(100), 9);
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(5, 5)]
    [InlineData(-3, 12)]
    [InlineData(1e-9, 1e12)]
    [InlineData(3, double.NaN)]
    [InlineData(double.PositiveInfinity, 7)]
    public void Every_range_gets_ticks_within_the_axis(double one, double other)
    {
        var axis = Axis.Of([one, other]);
        Assert.InRange(axis.Ticks.Count, 1, 14);
        Assert.All(axis.Ticks, tick => Assert.InRange(axis.At(tick), 0, 100));
        Assert.InRange(axis.At(one), 0, 100);
        Assert.InRange(axis.At(other), 0, 100);
    }

    [Theory]
    [InlineData("0", 0)]
    [InlineData("200 us", 200_000)]
    [InlineData("1.5 ms", 1_500_000)]
    [InlineData("1 s", 1e9)]
    public void Ticks_have_no_more_digits_than_they_need(string text, double nanoseconds) =>
        Assert.Equal(text, Axis.Text(time, nanoseconds));

    [Fact]
    public void Words_at_an_axis_that_would_touch_are_left_out()
    {
        (double, string)[] marks = [(0, "0"), (45, "0.95x"), (50, "no change"), (55, "1.05x"), (100, "2x")];
        Assert.Equal(["0", "0.95x", "2x"], Axis.Spaced(marks).Select(mark => mark.Text).Where(text => text != "no change"));
        Assert.All(Axis.Spaced(marks).Zip(Axis.Spaced(marks).Skip(1)), pair => Assert.InRange(pair.Second.At - pair.First.At, 10, 100));
        Assert.Empty(Axis.Spaced([]));
        Assert.Single(Axis.Spaced([(50, "one")]));
    }
}
