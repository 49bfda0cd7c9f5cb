namespace ProtoBench.Results;

/// <summary>A change from the first column to another.</summary>
public sealed record Change
{
    /// <summary>What it comes to.</summary>
    public required Verdict Verdict { get; init; }

    /// <summary>New by old: Hodges-Lehmann, the quotient of exact figures, or a ratio that was measured as such. Null where a figure is not
    /// above 0. Its interval is for this row alone, at 1 - alpha.</summary>
    public RatioEstimate? Ratio { get; init; }

    /// <summary>The p of this row alone; null where there was no test.</summary>
    public double? P { get; init; }

    /// <summary>The p over the whole table; null where there was no test or no correction.</summary>
    public double? CorrectedP { get; init; }

    /// <summary>The smallest relative change that these samples could have shown as
    /// significant in this table; null where none, or without a test.</summary>
    public double? Sees { get; init; }

    /// <summary>The relative change that a verdict on this row needed: the threshold,
    /// or what the floor comes to in this row; 0 where every change counts.</summary>
    public double Limit { get; init; }

    /// <summary>False where no change, however large, could have been called better or worse: too
    /// few launches for the table, or a run that said of itself that it is invalid.</summary>
    public bool Judgeable { get; init; } = true;

    /// <summary>Why there is no more to say.</summary>
    public string? Note { get; init; }

    /// <summary>Whether the whole interval lies within the limit, so that the change is surely smaller.</summary>
    internal bool SurelyBelow => Ratio is { } ratio && ratio.High < 1 + Limit && ratio.Low > 1 / (1 + Limit);
}

/// <summary>What a change comes to.</summary>
public enum Verdict
{
    /// <summary>Cannot say: not significant, or no test was possible. Printed as <c>~</c>.</summary>
    Unclear,

    /// <summary>Exact figures that are the same. Printed as <c>~</c>.</summary>
    Equal,

    /// <summary>Significant, but surely or possibly smaller than the threshold or the floor.</summary>
    Small,

    /// <summary>Significant, beyond the threshold, and in the good direction of its unit.</summary>
    Better,

    /// <summary>Significant, beyond the threshold, and in the bad direction of its unit.</summary>
    Worse,

    /// <summary>A figure that follows from another unit: shown, and not judged a second time.</summary>
    Untested,
}
