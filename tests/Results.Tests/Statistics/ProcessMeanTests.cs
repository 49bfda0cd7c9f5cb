namespace ProtoBench.Results.Tests;

public class ProcessMeanTests
{
    /// <summary>Hours of sleep that one drug gave more than another: "Student", The probable error of a mean, Biometrika 6 (1908), 20. R's
    /// <c>t.test</c>, paired, prints t = 4.0621, df = 9, the mean 1.58 and the interval from 0.7001142 to 2.4598858.</summary>
    [Fact]
    public void The_example_of_Student_and_of_R()
    {
        var mean = TrimmedMean.Of([1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4], 0);
        Assert.Equal((1.58, 9), (Math.Round(mean.Value, 9), mean.Freedom));
        Assert.Equal(4.0621, mean.Value / mean.Error, 1e-4);
        Assert.Equal(2.4598858 - 1.58, mean.Error * StudentT.Critical(0.05, 9), 1e-6);
    }

    /// <summary>The same hours of sleep as two independent groups: R's <c>t.test(extra ~ group, data = sleep)</c> prints t = -1.8608,
    /// df = 17.776, p-value = 0.07939 and the interval from -3.3654832 to 0.2054832.</summary>
    [Fact]
    public void The_example_of_Welch_in_R()
    {
        double[] one = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
        double[] two = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
        var difference = TrimmedMean.Of(one, 0) - TrimmedMean.Of(two, 0);
        Assert.Equal(-1.8608, difference.Value / difference.Error, 1e-4);
        Assert.Equal(17.776, difference.Freedom, 1e-3);
        Assert.Equal(0.07939, StudentT.Both(difference.Value / difference.Error, difference.Freedom), 1e-5);
        Assert.Equal(0.2054832, difference.Value + (difference.Error * StudentT.Critical(0.05, difference.Freedom)), 1e-6);
    }

    [Fact]
    public void The_quotient_of_two_runs_is_turned_over_with_them()
    {
        double[] old = [0.50, 0.51, 0.49], @new = [0.60, 0.63, 0.61, 0.6];
        var (there, back) = (ProcessMean.Quotient(old, @new, 0.05), ProcessMean.Quotient(@new, old, 0.05));
        Assert.Equal((1 / back.Value, 1 / back.High, back.P!.Value), (there.Value, there.Low, there.P!.Value),
            (a, b) => Math.Abs(a.Item1 - b.Item1) + Math.Abs(a.Item2 - b.Item2) + Math.Abs(a.Item3 - b.Item3) < 1e-9);
        Assert.Equal(there.Low > 1.1, ProcessMean.PAbove(old, @new, 1.1) < 0.025);
        Assert.Equal(new ProcessMean(1, 0, double.PositiveInfinity, null), ProcessMean.Quotient([0.5], @new, 0.05) with { Value = 1 });
        Assert.Equal(1, ProcessMean.PAbove([0.5], @new, 1));
    }

    /// <summary>Self-awareness data: R. R. Wilcox, Introduction to Robust Estimation and Hypothesis Testing; his <c>trimci</c> gives the 20
    /// % trimmed mean 282.7 and the interval from 160.4 to 405.0, with the error divided by 1 - 2 * 0.2 where here it is the share that is
    /// left, 13 of 19.</summary>
    [Fact]
    public void The_example_of_Wilcox()
    {
        var mean = TrimmedMean.Of([77, 87, 88, 114, 151, 210, 219, 246, 253, 262, 296, 299, 306, 376, 428, 515, 666, 1310, 2611], 3);
        var half = mean.Error * StudentT.Critical(0.05, mean.Freedom) * (13.0 / 19) / 0.6;
        Assert.Equal(282.7, mean.Value, 0.05);
        Assert.Equal(160.4, mean.Value - half, 0.1);
        Assert.Equal(405.0, mean.Value + half, 0.1);
    }

    /// <summary>By hand: the mean of 1 to 6 is 3.5. The winsorized sample 1, 1, 2, 3, 4, 5, 6, 6 has the variance 30 / 7, so the error is
    /// 2.0702 / (0.75 * 2.8284). Student's t for 4 degrees of freedom is 2.7764.</summary>
    [Fact]
    public void The_smallest_and_the_largest_of_eight_are_left_out()
    {
        var mean = ProcessMean.Of([.. new double[] { 0, 1, 2, 3, 4, 5, 6, 100 }.Select(log => Math.Exp(log / 100))], 0.05);
        Assert.Equal(0.035, Math.Log(mean.Value), 1e-9);
        Assert.Equal(0.035 + (0.97590 * 2.7764 / 100), Math.Log(mean.High), 1e-6);
        Assert.Equal(0.035 - (0.97590 * 2.7764 / 100), Math.Log(mean.Low), 1e-6);
    }

    [Theory]
    [InlineData(8)]
    [InlineData(9)]
    [InlineData(10)]
    public void One_process_may_stand_apart(int processes)
    {
        double[] near = [.. new[] { 1.049, 1.05, 1.051, 1.05, 1.048, 1.052, 1.05, 1.049, 1.051 }.Take(processes - 1)];
        var mean = ProcessMean.Of([.. near, 1.74], 0.05);
        Assert.Equal(1.05, mean.Value, 0.001);
        Assert.InRange(mean.High, 1.05, 1.06);

        // Two are no accident.
        Assert.True(ProcessMean.Of([.. near[1..], 1.74, 1.74], 0.05).High > 1.2);
    }

    [Theory]
    [InlineData(3)]
    [InlineData(7)]
    [InlineData(8)]
    [InlineData(9)]
    [InlineData(20)]
    public void Equal_processes_differ_as_often_as_alpha_says(int processes)
    {
        const int seed = 20261128;
        const int runs = 40_000;
        var random = new Random(seed);
        var claimed = Enumerable.Range(0, runs).Count(_ => ProcessMean.PAbove([.. Enumerable.Range(0, processes)
            .Select(_ => Math.Exp(0.03 * Normal()))], 1) is <= 0.025 or >= 0.975);
        Assert.True((double)claimed / runs is > 0.04 && (double)claimed / runs < 0.05 + Binomial.Bound(0.05, runs),
            $"seed {seed}: {claimed} of {runs} false claims");

        double Normal() => Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
    }

    [Fact]
    public void A_bound_is_outside_the_interval_exactly_when_its_p_is_small()
    {
        var random = new Random(31);
        for (var i = 0; i < 1_000; i++)
        {
            double[] ratios = [.. Enumerable.Range(0, random.Next(2, 25)).Select(_ => 0.9 + (random.NextDouble() * 0.2))];
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
