using System.Globalization;

namespace ProtoBench.Results;

/// <summary>The parts of a row in words, which the text and the Markdown table share.</summary>
static class RowText
{
    public static string Title(Unit unit) =>
        $"{unit.Name}, {(unit.HigherIsBetter ? "higher" : "lower")} is better{(unit.Exact ? ", compared without a test" : "")}";

    public static string Value(Unit unit, SampleSummary? sample) => sample == null ? "" : Figures.Of(unit, sample.Median.Value);

    /// <summary>How far the interval of the median reaches, relative to it.</summary>
    public static string Spread(Unit unit, SampleSummary? sample) =>
        sample is not { N: > 1, Median: { Value: > 0 } median } || (unit.Exact && median.Low == median.High) ? ""
        : "± " + Figures.Share(Math.Round(Math.Max((median.High / median.Value) - 1, 1 - (median.Low / median.Value)), 3));

    public static string Percent(Unit unit, Change? change)
    {
        if (change == null)
            return "";
        if (change.Verdict is Verdict.Unclear or Verdict.Equal)
            return "~";
        if (change.Ratio is not { } ratio)
            return "?";
        return Figures.Percent(ratio.Value) + (unit.HigherIsBetter ? string.Create(CultureInfo.InvariantCulture, $" {ratio.Value:F2}x") : "");
    }

    public static string Interval(Unit unit, Change? change) => change switch
    {
        null => "",
        { Verdict: Verdict.Equal } => "equal",
        { Verdict: Verdict.Unclear, Sees: { } sees } => "sees " + Figures.Share(sees),
        { Verdict: Verdict.Unclear } => "",
        { Ratio: { } ratio } when !unit.Exact => $"[{Figures.Percent(ratio.Low)}, {Figures.Percent(ratio.High)}]",
        _ => "",
    };

    public static string Word(Change? change, double threshold) => change?.Verdict switch
    {
        Verdict.Better => "better",
        Verdict.Worse => "worse",
        Verdict.Small => "below " + Figures.Share(threshold),
        _ => "",
    };

    public static string Numbers(Row row, int column)
    {
        if (row.Changes[column] is not { } change || row.Samples[0] is not { } old || row.Samples[column] is not { } sample)
            return "";
        var n = old.N == sample.N ? $"n={old.N}" : $"n={old.N}+{sample.N}";
        var holm = change is { P: { } raw, CorrectedP: { } corrected } && corrected != raw ? " holm" + Figures.P(corrected) : "";
        return change.P is { } p ? $"(p{Figures.P(p)}{holm} {n})" : $"({n})";
    }

    /// <summary>What each column is and where it comes from.</summary>
    public static IEnumerable<string> Heading(Comparison comparison) => comparison.Sides.Select(side =>
        $"{side.Label}: {side.Files} {(side.Files == 1 ? "file" : "files")}{(side.Commits.Count == 0 ? "" : ", commit " + string.Join(" and ", side.Commits.Select(Commit)))}"
        + (side.Environment.Length == 0 ? "" : "; " + side.Environment));

    /// <summary>Rows that are not in every column, and those that failed.</summary>
    public static IEnumerable<string> Missing(Comparison comparison) =>
    [
        .. comparison.Failed.Select(missing => $"failed in {string.Join(" and ", missing.Columns)}: {missing.Row}"),
        .. comparison.Unmatched.Select(missing => $"only in {string.Join(" and ", missing.Columns)}: {missing.Row}"),
    ];

    /// <summary>The table in one sentence, and how to read it.</summary>
    public static IEnumerable<string> Legend(Comparison comparison)
    {
        var changes = comparison.Changes().CountBy(change => change.Verdict).ToDictionary();
        int Count(Verdict verdict) => changes.GetValueOrDefault(verdict);
        var sentence = $"{Count(Verdict.Better)} better, {Count(Verdict.Worse)} worse, "
            + (comparison.Threshold > 0 ? $"{Count(Verdict.Small)} below the threshold of {Figures.Share(comparison.Threshold)}, " : "")
            + $"{Count(Verdict.Equal)} equal, {Count(Verdict.Unclear)} cannot say";
        yield return comparison.Tests == 0
            ? sentence + "; no row could be tested"
            : sentence + string.Create(CultureInfo.InvariantCulture, $"; {comparison.Tests} {(comparison.Tests == 1 ? "test" : "tests")} (Mann-Whitney), alpha {comparison.Alpha}{(comparison.Corrected ? " over the table (Holm)" : " for each")}");
        if (comparison.Tests > 0)
        {
            yield return string.Create(CultureInfo.InvariantCulture, $"change: Hodges-Lehmann ratio [{(1 - comparison.Alpha) * 100:0.##}% interval]; ~: no significant change, and \"sees\" is the smallest that this n could have shown");
            yield return "±: 95% interval of the median (the range where n < 6); n: processes, or rounds under load";
        }
    }

    static string Commit(string commit)
    {
        var hash = commit.TrimEnd('+');
        return (hash.Length > 10 ? hash[..10] : hash) + (hash.Length < commit.Length ? " with other changes" : "");
    }
}
