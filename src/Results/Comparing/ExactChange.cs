namespace ProtoBench.Results;

/// <summary>The change of a figure that the same program gives again: bytes, counts, sizes.</summary>
static class ExactChange
{
    public static Change Of(Unit unit, double old, double @new, double threshold)
    {
        var ratio = old > 0 ? new RatioEstimate(@new / old, @new / old, @new / old) : (RatioEstimate?)null;
        if (Same(unit, old, @new))
            return new Change { Verdict = Verdict.Equal, Ratio = ratio };
        return new Change
        {
            Verdict = Within(ratio?.Value, threshold) ? Verdict.Small : Directed(unit, old < @new),
            Ratio = ratio,
            Limit = threshold
        };
    }

    /// <summary>Whether two figures are the same within the unit's tolerance. 0 is only the same as 0.</summary>
    public static bool Same(Unit unit, double a, double b) =>
        Math.Abs(a - b) <= (a == 0 || b == 0 ? 0 : unit.Tolerance * Math.Max(Math.Abs(a), Math.Abs(b)));

    /// <summary>Whether a factor, or its inverse, is a change of less than the limit.</summary>
    public static bool Within(double? ratio, double limit) => ratio is { } factor && factor < 1 + limit && factor > 1 / (1 + limit);

    /// <summary>What a change in a direction is called.</summary>
    public static Verdict Directed(Unit unit, bool up) => up == unit.HigherIsBetter ? Verdict.Better : Verdict.Worse;
}
