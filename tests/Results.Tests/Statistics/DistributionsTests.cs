namespace ProtoBench.Results.Tests;

public class StudentTTests
{
    /// <summary>NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2. A tail there is half of a two-sided chance here.</summary>
    [Theory]
    [InlineData(1, 0.10, 6.314)]
    [InlineData(1, 0.05, 12.706)]
    [InlineData(2, 0.05, 4.303)]
    [InlineData(4, 0.05, 2.776)]
    [InlineData(4, 0.02, 3.747)]
    [InlineData(9, 0.05, 2.262)]
    [InlineData(9, 0.01, 3.250)]
    [InlineData(19, 0.05, 2.093)]
    [InlineData(30, 0.002, 3.385)]
    [InlineData(100, 0.05, 1.984)]
    public void The_published_table(int freedom, double alpha, double critical)
    {
        Assert.Equal(critical, StudentT.Critical(alpha, freedom), 3);
        Assert.Equal(alpha, StudentT.Both(critical, freedom), 0.001 * alpha);
    }

    // With 1 and 2 degrees of freedom the distribution has a closed form.
    [Theory]
    [InlineData(0)]
    [InlineData(0.01)]
    [InlineData(1)]
    [InlineData(3.7)]
    [InlineData(-3.7)]
    [InlineData(250)]
    public void The_closed_forms(double t)
    {
        Assert.Equal(1 - (2 / Math.PI * Math.Atan(Math.Abs(t))), StudentT.Both(t, 1), 1e-12);
        Assert.Equal(1 - (Math.Abs(t) / Math.Sqrt(2 + (t * t))), StudentT.Both(t, 2), 1e-12);
    }

    [Fact]
    public void Infinitely_far_is_impossible() => Assert.Equal(0, StudentT.Both(double.NegativeInfinity, 5));

    // I_x(a, 1) = x^a and I_x(1, b) = 1 - (1 - x)^b; gamma of whole numbers is a factorial, of 1/2 the root of pi.
    [Fact]
    public void What_it_is_made_of()
    {
        foreach (var x in (double[])[0, 0.001, 0.2, 0.5, 0.77, 0.999, 1])
        {
            foreach (var a in (double[])[0.5, 1, 2.25, 40, 300])
            {
                Assert.Equal(Math.Pow(x, a), IncompleteBeta.Of(x, a, 1), 1e-12);
                Assert.Equal(1 - Math.Pow(1 - x, a), IncompleteBeta.Of(x, 1, a), 1e-12);
            }
        }

        Assert.Equal(Math.Log(Math.PI) / 2, LogGamma.Of(0.5), 1e-13);
        Assert.Equal(0, LogGamma.Of(1), 1e-13);
        Assert.Equal(Math.Log(3_628_800), LogGamma.Of(11), 1e-12);
        Assert.Equal(Math.Log(24), LogGamma.Of(5), 1e-13);
    }
}

public class BinomialIntervalTests
{
    /// <summary>R's <c>binom.test</c>, which has the interval of Clopper and Pearson.</summary>
    [Theory]
    [InlineData(5, 10, 0.1870860, 0.8129140)]
    [InlineData(0, 10, 0, 0.3084971)]
    [InlineData(10, 10, 0.6915029, 1)]
    [InlineData(1, 20, 0.0012651, 0.2487328)]
    public void The_figures_of_R(int hits, int trials, double low, double high)
    {
        var interval = BinomialInterval.Of(hits, trials, 0.95);
        Assert.Equal(low, interval.Low, 1e-7);
        Assert.Equal(high, interval.High, 1e-7);
    }

    [Theory]
    [InlineData(1, 0)]
    [InlineData(-1, 3)]
    [InlineData(4, 3)]
    public void More_hits_than_trials_are_refused(int hits, int trials) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => BinomialInterval.Of(hits, trials, 0.95));
}
