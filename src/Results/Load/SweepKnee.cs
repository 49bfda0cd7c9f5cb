using System.Globalization;

namespace ProtoBench.Results;

/// <summary>The last VALID step before the first VALID one whose p99 is more than three times that of the first step.</summary>
/// <param name="Percent">The load of that step; null if the sweep has no knee, or the knee is not known.</param>
public sealed record SweepKnee(double? Percent, string Sentence)
{
    const double kneeAt = 3;

    /// <summary>Finds the knee of a sweep. INVALID steps are skipped, because their latencies are not reliable.</summary>
    /// <param name="steps">Ascending: percent of the peak, p99 (null if no call succeeded), and whether the step is VALID.</param>
    /// <param name="unit">Of the loads, if they are no percents.</param>
    public static SweepKnee Of(IReadOnlyList<(double Percent, double? P99, bool Valid)> steps, string unit = " %")
    {
        if (steps.Count == 0)
            return new(null, "no knee: there is no step");
        if (steps.All(step => !step.Valid))
            return new(null, "no knee: every step is INVALID");
        var first = steps[0];
        if (first is not { Valid: true, P99: { } reference })
            return new(null, $"no knee: the step at {Text(first.Percent)}{unit}, with which the others are compared, is INVALID");
        var knee = first.Percent;
        foreach (var (percent, p99, _) in steps.Skip(1).Where(step => step is { Valid: true, P99: not null }))
        {
            if (p99 > kneeAt * reference)
                return new(knee,
                    $"the knee is at {Text(knee)}{unit}: at {Text(percent)}{unit} p99 is more than {kneeAt} times that of {Text(first.Percent)}{unit}");
            knee = percent;
        }

        return new(null, $"no knee up to {Text(knee)}{unit}: p99 stays within {kneeAt} times that of {Text(first.Percent)}{unit}"
            + (knee < steps[^1].Percent ? "; all steps above are INVALID" : ""));
    }

    static string Text(double percent) => percent.ToString("0.##", CultureInfo.InvariantCulture);
}
