namespace ProtoBench.Results;

/// <summary>A mean without the smallest and the largest values, and its standard error.</summary>
/// <param name="Value">The mean of what is left.</param>
/// <param name="Error">Its standard error, from the winsorized sample: the values left out are replaced by their nearest neighbour.</param>
/// <param name="Freedom">Degrees of freedom of Student's t for it: the values left, less one.</param>
readonly record struct TrimmedMean(double Value, double Error, int Freedom)
{
    /// <summary>J. W. Tukey and D. H. McLaughlin, Sankhya A 25 (1963), 331-352.
    /// With nothing left out it is the mean and its usual standard error.</summary>
    /// <param name="values">The values.</param>
    /// <param name="cut">How many to leave out at each end; more values than twice that.</param>
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
