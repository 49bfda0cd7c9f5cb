namespace ProtoBench.GrpcHost.Tests;

public class ArrivalsTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Poisson_gaps_at_20_000_a_second_are_exponential(int seed)
    {
        const int count = 200_000;
        var gaps = Gaps(Arrivals.Poisson(20_000, seed), count);
        var mean = gaps.Average();
        var deviation = Math.Sqrt(gaps.Average(gap => (gap - mean) * (gap - mean)));
        // the standard error of both is 0.2 %; rounded to milliseconds the deviation would be more than 4 times the mean
        Assert.InRange(mean, 49_500, 50_500);
        Assert.InRange(deviation / mean, 0.98, 1.02);
        // half of them are shorter than ln 2 of the mean, 1 in e longer than the mean
        Assert.InRange(gaps.Count(gap => gap < Math.Log(2) * 50_000) / (double)count, 0.49, 0.51);
        Assert.InRange(gaps.Count(gap => gap > 50_000) / (double)count, 0.358, 0.378);
        Assert.True(gaps.Min() > 0);
    }

    [Fact]
    public void Poisson_gaps_are_those_of_their_seed()
    {
        Assert.Equal(Gaps(Arrivals.Poisson(100, 5), 50), Gaps(Arrivals.Poisson(100, 5), 50));
        Assert.NotEqual(Gaps(Arrivals.Poisson(100, 5), 50), Gaps(Arrivals.Poisson(100, 6), 50));
    }

    [Theory]
    [InlineData(50_000)]
    [InlineData(30_000)]
    [InlineData(0.5)]
    public void A_constant_schedule_does_not_drift(double rate)
    {
        var arrivals = Arrivals.Constant(rate);
        var last = 0.0;
        for (var i = 0; i <= 300_000; i++)
            last = arrivals.Next();
        Assert.Equal(300_000 / rate * 1e9, last, 1.0);
    }

    static double[] Gaps(Arrivals arrivals, int count)
    {
        var gaps = new double[count];
        var last = 0.0;
        for (var i = 0; i < count; i++)
        {
            var next = arrivals.Next();
            (gaps[i], last) = (next - last, next);
        }

        return gaps;
    }

    /// <summary>The integral of a rate from 100 to 300 in a second: 200 calls, and 75 of them in its first half.</summary>
    [Theory]
    [InlineData(100, 300, 200, 75)]
    [InlineData(300, 100, 200, 125)]
    [InlineData(100, 100, 100, 50)]
    public void A_line_is_followed(double from, double to, int calls, int inFirstHalf)
    {
        var line = Arrivals.Line(from, to, 1);
        double[] times = [.. Enumerable.Range(0, 1_000).Select(_ => line.Next()).TakeWhile(time => time < 1e9)];
        Assert.Equal(calls, times.Length);
        Assert.Equal(inFirstHalf, times.Count(time => time < 0.5e9));
        Assert.Equal(times.Order(), times);
    }
}
