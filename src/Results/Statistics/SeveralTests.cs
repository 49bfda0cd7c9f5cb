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

/// <summary>When a measurement that stops early may look at its interval, without more false claims than it allows.</summary>
/// <remarks>A measurement that looks at its interval after each process, and stops at the first narrow one, has many chances to be wrong.
/// Here the numbers of processes at which there is a look are fixed in advance, and the chance of a false claim is divided evenly among the
/// looks. An interval at 1 - alpha/looks misses the truth at one given look with chance alpha/looks, so at any of them with at most alpha,
/// under any stopping rule (Bonferroni's inequality; the even division is the simplest of the spending functions of K. K. G. Lan and
/// D. L. DeMets, Biometrika 70 (1983), 659-663).</remarks>
public static class Looks
{
    /// <summary>The numbers of processes at which to look: half of <paramref name="processes"/>
    /// (at least 3), all of them, twice and four times as many.</summary>
    /// <param name="processes">At least 3.</param>
    public static IReadOnlyList<int> Of(int processes) =>
        [.. new[] { Math.Max(3, processes / 2), processes, 2 * processes, 4 * processes }.Distinct()];
}
