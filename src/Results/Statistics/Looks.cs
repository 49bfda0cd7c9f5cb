namespace ProtoBench.Results;

/// <summary>Computes when a measurement that stops early may evaluate its interval without too many false claims.</summary>
/// <remarks>A measurement that evaluates its interval after each process, and stops at the first narrow one, has many chances to be wrong.
/// So the numbers of processes at which it looks are fixed in advance, and the probability of a false claim is divided evenly among the
/// looks. An interval at level 1 - alpha/looks misses the truth at one given look with probability alpha/looks, so at any of them with at
/// most alpha, for any stopping rule (Bonferroni's inequality). The even division is the simplest of the spending functions of K. K. G. Lan
/// and D. L. DeMets, Biometrika 70 (1983), 659-663.</remarks>
public static class Looks
{
    /// <summary>What alpha is divided by for <see cref="Twice"/>, if the width of the first interval, and nothing else, decides whether
    /// there is a second one. The mean of normal values is independent of their deviation, so this does less harm than a rule that sees the
    /// mean, for which it is 2. It is not without harm, because an interval that is narrow by chance is kept. Without a division,
    /// simulated intervals of 3 and more processes miss the truth in up to 1.6 times alpha.</summary>
    public const double ByWidth = 1.6;

    /// <summary>All processes, and twice as many. These are at least 8, from which on the mean resists a bad one.</summary>
    public static IReadOnlyList<int> Twice(int processes) => [processes, Math.Max(8, 2 * processes)];

    /// <summary>Half of <paramref name="processes"/> (at least 3), all of them, twice and four times as many.</summary>
    public static IReadOnlyList<int> Of(int processes) =>
        [.. new[] { Math.Max(3, processes / 2), processes, 2 * processes, 4 * processes }.Distinct()];
}
