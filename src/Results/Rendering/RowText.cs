using System.Globalization;

namespace ProtoBench.Results;

static class RowText
{
    public const string BimodalMark = "‡";

    public static string Title(Unit unit) =>
        $"{unit.Name}, {(unit.HigherIsBetter ? "higher" : "lower")} is better"
        + (unit.Derived ? ", shown only: not tested" : unit.Exact ? ", compared without a test where it does not vary" : "");

    public static string Value(Unit unit, SampleSummary? sample) => sample == null ? "" : Figures.Of(unit, sample.Median.Value);

    /// <summary>Returns the half-width of the median's interval, relative to the median, and the mark of two groups.</summary>
    public static string Spread(Unit unit, SampleSummary? sample) =>
        sample is not { N: > 1, Median: { Value: > 0 } median } || (unit.Exact && median.Low == median.High) ? ""
        : "± " + Figures.Share(Math.Round(Math.Max((median.High / median.Value) - 1, 1 - (median.Low / median.Value)), 3))
            + (sample.Bimodal ? BimodalMark : "");

    public static string Percent(Unit unit, Change? change)
    {
        if (change == null)
            return "";
        if (change.Verdict is Verdict.Unclear or Verdict.Equal)
            return "~";
        if (change.Ratio is not { } ratio)
            return "?";
        return Figures.Percent(ratio.Value)
            + (unit.HigherIsBetter ? string.Create(CultureInfo.InvariantCulture, $" {ratio.Value:F2}x") : "");
    }

    public static string Interval(RatioEstimate? estimate) =>
        estimate is { Low: > 0 } ratio && double.IsFinite(ratio.High) && ratio.High > ratio.Low
        ? $"[{Figures.Percent(ratio.Low)}, {Figures.Percent(ratio.High)}]" : "";

    public static string Interval(Unit unit, Change? change) => change switch
    {
        null => "",
        { Verdict: Verdict.Equal } => "equal",
        _ when unit.Derived => "",
        _ => Interval(change.Ratio),
    };

    public static string Word(Change? change, double threshold) => change?.Verdict switch
    {
        Verdict.Better => "better",
        Verdict.Worse => "worse",
        Verdict.Small => (change.SurelyBelow ? "below " : "maybe ") + (change.Limit > threshold ? "the floor" : Figures.Share(threshold)),
        _ => "",
    };

    public static string Numbers(Row row, int column)
    {
        if (row.Changes[column] is not { } change || row.Samples[0] is not { } old || row.Samples[column] is not { } sample)
            return "";
        var n = old.N == sample.N ? $"n={old.N}" : $"n={old.N}+{sample.N}";
        return (change.CorrectedP ?? change.P) is { } p ? $"(p{Figures.P(p)} {n})" : $"({n})";
    }

    public static IEnumerable<string> Heading(Comparison comparison) => comparison.Sides.Select(side =>
        $"{side.Label}: {side.Files} {(side.Files == 1 ? "file" : "files")}{(side.Commits.Count == 0 ? "" : ", commit " + string.Join(" and ", side.Commits.Select(Commit)))}"
        + (side.Environment.Length == 0 ? "" : "; " + side.Environment));

    public static IEnumerable<string> Missing(Comparison comparison) =>
    [
        .. comparison.Failed.Select(missing => $"failed in {string.Join(" and ", missing.Columns)}: {missing.Row}"),
        .. comparison.Unmatched.Select(missing => $"only in {string.Join(" and ", missing.Columns)}: {missing.Row}"),
        .. comparison.HiddenRows == 0
        ? Array.Empty<string>() : [$"{comparison.HiddenRows} {(comparison.HiddenRows == 1 ? "row is" : "rows are")} not shown"],
    ];

    public static IEnumerable<string> Legend(Comparison comparison)
    {
        int Count(Verdict verdict) => comparison.Verdicts.GetValueOrDefault(verdict);
        var threshold = comparison.Threshold > 0 ? $"the threshold of {Figures.Share(comparison.Threshold)}" : "";
        var sentence = $"{Count(Verdict.Better)} better, {Count(Verdict.Worse)} worse, "
            + (threshold.Length > 0 ? $"{Count(Verdict.Small)} not surely beyond {threshold}, " : "")
            + $"{Count(Verdict.Equal)} equal, {Count(Verdict.Unclear)} undecided";
        yield return comparison.Tests == 0
            ? sentence + "; no row could be tested"
            : sentence + string.Create(
                CultureInfo.InvariantCulture,
                $"; {comparison.Tests} {(comparison.Tests == 1 ? "test" : "tests")} ({comparison.Test}), alpha "
                    + $"{comparison.Alpha} over the table (Holm)");
        if (comparison.Tests > 0)
        {
            var level = string.Create(CultureInfo.InvariantCulture, $"{(1 - comparison.Alpha) * 100:0.##}%");
            yield return $"change: {comparison.Estimate} [{level} interval of this row alone]; p: "
                + "corrected over the table; ~: no significant change";
            if (threshold.Length > 0)
                yield return "below: significant, the whole interval is smaller than the limit; maybe: significant, but perhaps "
                    + "smaller than the limit";
            yield return $"±: {comparison.Spread}; n: processes, or rounds under load";
        }

        if (comparison.Scope is { } scope)
            yield return scope;

        if (comparison.Blocks.SelectMany(block => block.Rows).SelectMany(row => row.Samples).Any(sample => sample?.Bimodal == true))
            yield return BimodalMark + ": the values fall into two groups, so the median may lie between two states";
    }

    static string Commit(string commit)
    {
        var hash = commit.TrimEnd('+');
        return (hash.Length > 10 ? hash[..10] : hash) + (hash.Length < commit.Length ? " with other changes" : "");
    }
}

/// <summary>Formats figures with four digits, in a unit of suitable size.</summary>
static class Figures
{
    static readonly (double Nanoseconds, string Name)[] times = [(1, "ns"), (1e3, "μs"), (1e6, "ms"), (1e9, "s")];

    public static string Of(Unit unit, double value) => unit.Scale switch
    {
        Scale.Nanoseconds => Time(value),
        Scale.Microseconds => Time(value * 1e3),
        _ => Digits(value),
    };

    public static string Nanoseconds(double value) => Time(value);

    /// <summary>Formats a factor as a relative change: 1.05 is "+5.00%". A factor other than 1 is never printed as no change.</summary>
    public static string Percent(double factor)
    {
        var percent = (factor - 1) * 100;
        if (!double.IsFinite(percent))
            return "?";
        return (percent < 0 ? "-" : percent > 0 ? "+" : "")
            + Math.Abs(percent).ToString(Math.Abs(percent) < 1000 ? "F2" : "N0", CultureInfo.InvariantCulture) + "%";
    }

    public static string Share(double share) => (share * 100).ToString(share < 0.1 ? "0.##" : "0", CultureInfo.InvariantCulture) + "%";

    public static string P(double p) => p < 0.001 ? "<0.001" : "=" + p.ToString("F3", CultureInfo.InvariantCulture);

    static string Time(double nanoseconds)
    {
        // 999.96 ns is printed as 1.000 μs, so the choice of the unit rounds like the output.
        var (size, name) = times.LastOrDefault(time => Math.Abs(nanoseconds) * 1.00005 >= time.Nanoseconds, times[0]);
        return $"{Digits(nanoseconds / size)} {name}";
    }

    static string Digits(double value) => value.ToString(
        Math.Abs(value) switch
        {
            >= 999.95 => "N0",
            _ when value == Math.Truncate(value) && Math.Abs(value) < 1000 && value != 0 => "0.###",
            >= 99.995 => "F1",
            >= 9.9995 => "F2",
            >= 0.9995 => "F3",
            0 => "0",
            _ => "G4",
        },
        CultureInfo.InvariantCulture);
}

public static class PackageList
{
    /// <summary>Returns names and versions of the packages, by name: "Google.Protobuf 3.25.1, protobuf-net 3.4.40".</summary>
    public static string Of(IReadOnlyDictionary<string, string> versions) => string.Join(", ",
        versions.OrderBy(version => version.Key, StringComparer.OrdinalIgnoreCase).Select(version => $"{version.Key} {version.Value}"));
}
