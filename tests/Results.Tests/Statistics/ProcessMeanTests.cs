namespace ProtoBench.Results.Tests;

public class ProcessMeanTests
{
    /// <summary>Hours of sleep that one drug gave more than another: "Student", The probable error of a mean, Biometrika 6 (1908), 20. R's <c>t.test</c>, paired, prints
    /// t = 4.0621, df = 9, p-value = 0.002833, the mean 1.58 and the interval from 0.7001142 to 2.4598858.</summary>
    static readonly double[] sleep = [.. new[] { 1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4 }.Select(Math.Exp)];

    [Fact]
    public void The_example_of_Student_and_of_R()
    {
        var mean = ProcessMean.Of(sleep, 0.05);
        Assert.Equal(1.58, Math.Log(mean.Value), 1e-9);
        Assert.Equal(0.7001142, Math.Log(mean.Low), 1e-6);
        Assert.Equal(2.4598858, Math.Log(mean.High), 1e-6);
        Assert.Equal(0.002833, mean.P!.Value, 1e-6);
        Assert.Equal(0.002833 / 2, ProcessMean.PAbove(sleep, 1), 1e-6);
    }

    [Fact]
    public void A_bound_is_outside_the_interval_exactly_when_its_p_is_small()
    {
        var random = new Random(31);
        for (var i = 0; i < 1_000; i++)
        {
            double[] ratios = [.. Enumerable.Range(0, random.Next(2, 12)).Select(_ => 0.9 + (random.NextDouble() * 0.2))];
            var alpha = random.NextDouble() * 0.4;
            var mean = ProcessMean.Of(ratios, alpha);
            Assert.InRange(mean.Value, mean.Low, mean.High);
            Assert.Equal(mean.P <= alpha, mean.Low > 1 || mean.High < 1);
            Assert.Equal(mean.Low > 0.99, ProcessMean.PAbove(ratios, 0.99) < alpha / 2);
            Assert.Equal(1 - ProcessMean.PAbove(ratios, 0.99), ProcessMean.PAbove([.. ratios.Select(ratio => 1 / ratio)], 1 / 0.99), 1e-9);
        }
    }

    [Fact]
    public void One_process_has_no_interval()
    {
        Assert.Equal(new ProcessMean(1.05, 0, double.PositiveInfinity, null), ProcessMean.Of([1.05], 0.05) with { Value = 1.05 });
        Assert.Equal(1, ProcessMean.PAbove([1.05], 1));
    }

    [Fact]
    public void Processes_that_agree_exactly()
    {
        Assert.Equal(1, ProcessMean.Of([1, 1, 1], 0.05).P);
        Assert.Equal(0, ProcessMean.Of([2, 2, 2], 0.05).P!.Value, 1e-12);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(double.NaN)]
    [InlineData(double.PositiveInfinity)]
    public void What_is_no_ratio_is_refused(double ratio)
    {
        Assert.Throws<ArgumentException>(() => ProcessMean.Of([1, ratio], 0.05));
        Assert.Throws<ArgumentException>(() => ProcessMean.Of([], 0.05));
    }
}
