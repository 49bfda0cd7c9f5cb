using ProtoBench.GrpcHost.Load;

namespace ProtoBench.GrpcHost.Tests.Load;

public class ArrivalsTests
{
    // An exponential distribution has a coefficient of variation of 1. Gaps rounded to milliseconds, as in a timer, would be 0 nearly always.
    [Fact]
    public void Poisson_gaps_at_20000_per_second_are_not_rounded()
    {
        var arrivals = Arrivals.Poisson(20_000, seed: 7);
        var last = 0.0;
        var gaps = new double[200_000];
        for (var i = 0; i < gaps.Length; i++)
        {
            var next = arrivals.Next();
            gaps[i] = next - last;
            last = next;
        }

        var mean = gaps.Average();
        var deviation = Math.Sqrt(gaps.Average(gap => (gap - mean) * (gap - mean)));
        Assert.InRange(mean, 49_500, 50_500);
        Assert.InRange(deviation / mean, 0.99, 1.01);
    }

    [Fact]
    public void Constant_gaps_add_up_without_drift()
    {
        var arrivals = Arrivals.Constant(3);
        for (var i = 0; i < 3_000_000; i++)
            arrivals.Next();
        Assert.Equal(1e15, arrivals.Next());
    }
}
