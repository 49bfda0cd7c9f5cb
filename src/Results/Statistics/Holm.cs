namespace ProtoBench.Results;

/// <summary>Holm's correction: with it, alpha is the chance that a table without
/// any real change shows one at all, however many rows it has.</summary>
public static class Holm
{
    /// <summary>The corrected p of each p, in the order given: the k-th smallest of n times (n - k + 1), never below that of a smaller p,
    /// at most 1. S. Holm, Scandinavian Journal of Statistics 6 (1979), 65-70.</summary>
    /// <param name="p">The raw p of every test of the table.</param>
    public static double[] Correct(IReadOnlyList<double> p)
    {
        var corrected = new double[p.Count];
        var (rest, largest) = (p.Count, 0.0);
        foreach (var index in Enumerable.Range(0, p.Count).OrderBy(i => p[i]))
            corrected[index] = largest = Math.Max(largest, Math.Min(1, p[index] * rest--));
        return corrected;
    }
}
