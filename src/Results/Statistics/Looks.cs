namespace ProtoBench.Results;

/// <summary>When a measurement that stops early may look at its interval, without more false claims than it allows.</summary>
/// <remarks>Whoever looks after each process and stops at the first interval that pleases has many chances to be wrong. Here the numbers of
/// processes at which there is a look are fixed before, and the chance of a false claim is divided evenly among the looks. An interval at 1
/// - alpha/looks misses the truth at one given look with chance alpha/looks, so at any of them with at most alpha, whatever the rule of
/// stopping (Bonferroni's inequality; the even division is the simplest of the spending functions of K. K. G. Lan and D. L. DeMets,
/// Biometrika 70 (1983), 659-663).</remarks>
public static class Looks
{
    /// <summary>The numbers of processes at which to look: half of <paramref name="processes"/>
    /// (at least 3), all of them, twice and four times as many.</summary>
    /// <param name="processes">At least 3.</param>
    public static IReadOnlyList<int> Of(int processes) =>
        [.. new[] { Math.Max(3, processes / 2), processes, 2 * processes, 4 * processes }.Distinct()];
}
