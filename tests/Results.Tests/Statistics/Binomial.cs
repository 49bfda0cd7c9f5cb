namespace ProtoBench.Results.Tests;

static class Binomial
{
    /// <summary>Four standard deviations of a share that is seen in that many runs: a right program fails once in 16,000 seeds.</summary>
    public static double Bound(double share, int runs) => 4 * Math.Sqrt(share * (1 - share) / runs);
}
