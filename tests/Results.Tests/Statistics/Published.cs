namespace ProtoBench.Results.Tests;

/// <summary>Worked examples that others have published, with the figures that they give.</summary>
static class Published
{
    /// <summary>Permeability of the human chorioamnion at term, and at 12 to 26 weeks: M. Hollander and D. A. Wolfe, Nonparametric
    /// Statistical Methods (1973), 69 ff.; also the example of R's <c>wilcox.test</c>, which prints W = 35 and p = 0.1272 for "greater",
    /// and with conf.int the difference 0.305 in [-0.15, 0.76].</summary>
    public static readonly double[] AtTerm = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];

    public static readonly double[] AtHalfTerm = [1.15, 0.88, 0.90, 0.74, 1.21];

    /// <summary>benchstat's test data (golang/perf, cmd/benchstat/testdata/old.txt and new.txt, ns/op); csvOldNew.stdout gives the medians
    /// 1718 and 1422.5 with p=0.000, 3065.5 and 3070 with p=0.446, the geomeans 2294.891936453654 and 2089.754770302007, and their change
    /// -8.94%.</summary>
    public static readonly double[] OldJson = [1726, 1723, 1707, 1707, 1713, 1729, 1736, 1707, 1705, 1774];

    public static readonly double[] NewJson = [1423, 1416, 1411, 1413, 1412, 1426, 1422, 1424, 1447, 1425];

    public static readonly double[] OldGob = [3069, 3075, 3069, 3067, 3207, 3064, 3064, 3058, 3059, 3062];

    public static readonly double[] NewGob = [3075, 3065, 3059, 3065, 3060, 3081, 3186, 3135, 3087, 3062];
}

static class Binomial
{
    /// <summary>Four standard deviations of a share that is seen in that many runs: a right program fails once in 16,000 seeds.</summary>
    public static double Bound(double share, int runs) => 4 * Math.Sqrt(share * (1 - share) / runs);
}
