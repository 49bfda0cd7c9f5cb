namespace ProtoBench.Results;

/// <summary>Represents the ratio of two programs over several processes: the geometric mean of their ratios, with an interval. A process is
/// one sample. Code layout differs between processes only, so the pairs of slices of one process agree on a figure that the next process
/// may not confirm. See T. Kalibera and R. Jones, Rigorous Benchmarking in Reasonable Time, ISMM 2013, on levels of repetition. From 8
/// processes on, one in ten, and at least one, is left out at each end (<see cref="TrimmedMean"/> of the logarithms). Some processes have a
/// layout that costs tens of percent, or are disturbed, and one of them would widen the interval too much. With fewer processes, a mean
/// that resists one of them would have an interval that is much wider without it. The test has one degree of freedom less than Tukey and
/// McLaughlin give. With theirs, 100,000 simulated comparisons of equal processes claimed a difference in 5.8 % with 8 processes, and in
/// 5.5 % with 10, instead of 5 %.</summary>
/// <param name="Low">The lower end of the interval; 0 with one process.</param>
/// <param name="High">The upper end of the interval; infinite with one process.</param>
/// <param name="P">The two-sided p-value: the probability that equal programs differ at least as much; null with one process.</param>
public readonly record struct ProcessMean(double Value, double Low, double High, double? P)
{
    const int fewestToTrim = 8;

    /// <summary>Gets the larger distance from the value to an end of the interval, as a share of the value.</summary>
    public double HalfWidth => Math.Max(1 - (Low / Value), (High / Value) - 1);

    /// <param name="ratios">The ratio of each process, above 0.</param>
    /// <param name="alpha">1 minus the interval's level.</param>
    public static ProcessMean Of(IReadOnlyCollection<double> ratios, double alpha) => Of(MeanOfLogs(ratios), alpha);

    /// <summary>Returns the quotient of the means of two runs, whose processes are independent of each other: B. L. Welch, Biometrika 34
    /// (1947), 28-35, on the logarithms.</summary>
    /// <param name="old">The ratio of each process of the first run.</param>
    /// <param name="new">The ratio of each process of the second run.</param>
    /// <param name="alpha">1 minus the interval's level.</param>
    public static ProcessMean Quotient(IReadOnlyCollection<double> old, IReadOnlyCollection<double> @new, double alpha) =>
        Of(MeanOfLogs(@new) - MeanOfLogs(old), alpha);

    /// <summary>Returns the p-value of the claim that the true ratio is above <paramref name="bound"/>: the probability that programs with
    /// this true ratio have these ratios or larger ones. It is 1 with one process.</summary>
    public static double PAbove(IReadOnlyCollection<double> ratios, double bound) => PAbove(MeanOfLogs(ratios), bound);

    /// <summary>Returns the p-value of the claim that the true quotient of two runs is above <paramref name="bound"/>. It is 1 if a run has
    /// one process.</summary>
    public static double PAbove(IReadOnlyCollection<double> old, IReadOnlyCollection<double> @new, double bound) =>
        PAbove(MeanOfLogs(@new) - MeanOfLogs(old), bound);

    static ProcessMean Of(TrimmedMean logs, double alpha)
    {
        if (logs.Freedom == 0)
            return new(Math.Exp(logs.Value), 0, double.PositiveInfinity, null);
        var half = StudentT.Critical(alpha, logs.Freedom) * logs.Error;
        return new(Math.Exp(logs.Value), Math.Exp(logs.Value - half), Math.Exp(logs.Value + half),
            StudentT.Both(T(logs.Value, logs.Error), logs.Freedom));
    }

    static double PAbove(TrimmedMean logs, double bound)
    {
        if (logs.Freedom == 0)
            return 1;
        var tail = StudentT.Both(T(logs.Value - Math.Log(bound), logs.Error), logs.Freedom) / 2;
        return logs.Value > Math.Log(bound) ? tail : 1 - tail;
    }

    static double T(double distance, double error) => distance == 0 ? 0 : distance / error;

    static TrimmedMean MeanOfLogs(IReadOnlyCollection<double> ratios)
    {
        if (ratios.Count == 0 || ratios.Any(ratio => !(ratio > 0 && double.IsFinite(ratio))))
            throw new ArgumentException("a mean of ratios needs ratios above 0", nameof(ratios));
        var cut = ratios.Count < fewestToTrim ? 0 : Math.Max(1, ratios.Count / 10);
        var mean = TrimmedMean.Of([.. ratios.Select(ratio => Math.Log(ratio))], cut);
        return cut == 0 ? mean : mean with { Freedom = mean.Freedom - 1 };
    }
}

/// <summary>Represents a mean without the smallest and the largest values, and its standard error.</summary>
/// <param name="Error">From the winsorized sample: the nearest neighbour replaces each value that is left out.</param>
/// <param name="Freedom">The degrees of freedom of Student's t: the number of remaining values minus 1; 0 if there is no error.</param>
readonly record struct TrimmedMean(double Value, double Error, double Freedom)
{
    /// <summary>Returns the difference of the means of two independent samples, with Welch's degrees of freedom.</summary>
    public static TrimmedMean operator -(TrimmedMean a, TrimmedMean b)
    {
        var (x, y) = (a.Error * a.Error, b.Error * b.Error);
        var freedom = a.Freedom == 0 || b.Freedom == 0 ? 0
            : x + y == 0 ? Math.Min(a.Freedom, b.Freedom)
            : (x + y) * (x + y) / ((x * x / a.Freedom) + (y * y / b.Freedom));
        return new(a.Value - b.Value, Math.Sqrt(x + y), freedom);
    }

    /// <summary>Computes the mean after J. W. Tukey and D. H. McLaughlin, Sankhya A 25 (1963), 331-352. If nothing is left out, it is the
    /// usual mean with its standard error.</summary>
    /// <param name="cut">The number of values to leave out at each end, less than half of the values.</param>
    public static TrimmedMean Of(IReadOnlyCollection<double> values, int cut)
    {
        double[] sorted = [.. values.Order()];
        var n = sorted.Length;
        var left = sorted[cut..(n - cut)];
        double[] winsorized = [.. sorted.Select((_, i) => sorted[Math.Clamp(i, cut, n - 1 - cut)])];
        var middle = winsorized.Average();
        var deviation = n == 1 ? 0 : Math.Sqrt(winsorized.Sum(value => (value - middle) * (value - middle)) / (n - 1));
        return new(left.Average(), deviation / ((double)left.Length / n * Math.Sqrt(n)), left.Length - 1);
    }
}
