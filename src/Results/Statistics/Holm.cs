namespace ProtoBench.Results;

/// <summary>With it, alpha is the probability that a table of any size claims a change if there is none.</summary>
public static class Holm
{
    /// <summary>Returns the corrected p-values in the given order. The k-th smallest of n is multiplied by (n - k + 1). It is at least that
    /// of a smaller p, and at most 1. S. Holm, Scandinavian Journal of Statistics 6 (1979), 65-70.</summary>
    public static double[] Correct(IReadOnlyList<double> p)
    {
        var corrected = new double[p.Count];
        var (rest, largest) = (p.Count, 0.0);
        foreach (var index in Enumerable.Range(0, p.Count).OrderBy(i => p[i]))
            corrected[index] = largest = Math.Max(largest, Math.Min(1, p[index] * rest--));
        return corrected;
    }
}
