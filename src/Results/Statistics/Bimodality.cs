namespace ProtoBench.Results;

/// <summary>Whether a sample has two groups, so that its median may lie between two states of the machine or the code. The sample is
/// divided where the variance between the two groups has the largest share of the total variance (N. Otsu, IEEE Transactions on Systems,
/// Man, and Cybernetics 9 (1979), 62-66). Each group has at least 15 % of the values and at least two. The limit of that share decreases
/// from 0.985 for 6 values to 0.80. In the limit, uniform values have 0.75 and normal values 0.64. In simulations, at most 4 % of normal,
/// uniform and exponential samples of any size exceed it. Groups with a distance of less than 5 % are ignored.</summary>
public static class Bimodality
{
    /// <summary>The minimum number of values that can show two groups.</summary>
    public const int Fewest = 6;

    const double smallestGroup = 0.15;
    const double smallestDistance = 0.05;

    /// <param name="values">The values in any order. The result is false for fewer than <see cref="Fewest"/>.</param>
    public static bool Of(IReadOnlyCollection<double> values)
    {
        if (values.Count < Fewest)
            return false;
        double[] sorted = [.. values.Order()];
        var n = sorted.Length;
        var (mean, fewest) = (sorted.Average(), Math.Max(2, (int)Math.Ceiling(n * smallestGroup)));
        var whole = sorted.Sum(value => (value - mean) * (value - mean));
        var (sum, largest, distance) = (0.0, 0.0, 0.0);
        for (var count = 1; count <= n - fewest; count++)
        {
            sum += sorted[count - 1];
            var (low, high) = (sum / count, ((mean * n) - sum) / (n - count));
            var between = (count * (low - mean) * (low - mean)) + ((n - count) * (high - mean) * (high - mean));
            if (count >= fewest && between > largest)
                (largest, distance) = (between, (high - low) / low);
        }

        return whole > 0 && distance >= smallestDistance && largest / whole >= Math.Min(0.985, 0.8 + (1.3 / n));
    }
}
