using System.Text.RegularExpressions;
using ProtoBench.Report.Model;

namespace ProtoBench.Report.Charts;

public sealed record Series(string Name, string Colour, IReadOnlyList<Point> Points)
{
    const int marks = 6, dashes = 4;

    public string Mark { get; private init; } = "m0";

    /// <summary>How it is dashed: 0 for a solid line, up to 3.</summary>
    public int Dash { get; private init; }

    /// <summary>The same lines, told apart: those of one colour differ in their marks, and up to four of them in their dashes.</summary>
    public static IReadOnlyList<Series> Apart(IEnumerable<Series> lines)
    {
        var before = new Dictionary<string, int>(StringComparer.Ordinal);
        return [.. lines.Select(line =>
        {
            var place = before.GetValueOrDefault(line.Colour);
            before[line.Colour] = place + 1;
            return line with { Dash = place % dashes, Mark = $"m{(line.Colour[^1] - '0' + place) % marks}" };
        })];
    }
}

/// <param name="X">From 0, left, to 100, right.</param>
/// <param name="Title">What it says in words; null for a point without a mark.</param>
/// <param name="Hollow">Whether the mark is hollow, as that of a figure which must not be believed.</param>
/// <param name="Interval">The ends of the figure's interval; null where none is drawn.</param>
public sealed record Point(double X, double Y, string? Title, bool Hollow = false, (double Low, double High)? Interval = null)
{
    internal IEnumerable<double> Figures => Interval is { } ends ? [Y, ends.Low, ends.High] : [Y];
}

/// <summary>A field of a table: what people read, and the figure in full, by which it is sorted and checked.</summary>
public readonly record struct TableCell(string Text, double? Raw = null)
{
    public static implicit operator TableCell(string? text) => FromString(text);

    public static TableCell FromString(string? text) => new(text ?? "");

    public static TableCell Of(Unit unit, double? figure) =>
        figure is { } value ? new TableCell(Figures.Of(unit, value), value) : default(TableCell) with { Text = "" };

    public static TableCell Of(long count) => new(count.ToString("N0", System.Globalization.CultureInfo.InvariantCulture), count);
}

/// <param name="Colour">The class of its colour.</param>
/// <param name="Title">What it says in words.</param>
/// <param name="Low">The lower end of the ratio's interval.</param>
public sealed record RatioBar(string Label, string Colour, string Title, string Text, double Ratio, double Low, double High);

/// <summary>A row of a forest plot: by what factor something changed.</summary>
/// <param name="Ratio">New by old; above 0.</param>
/// <param name="Low">The lower end of its interval; 0 without one.</param>
/// <param name="High">The upper end of its interval; infinite without one.</param>
public sealed partial record ForestRow(string Name, double Ratio, double Low, double High, Verdict Verdict)
{
    // What is printed as 0.00 % is no change to a reader, however sure it is.
    const double noChange = 0.00005;

    public static ForestRow? Of(string name, Change change, bool isBound = false) =>
        change.Ratio is { Value: > 0 } ratio && double.IsFinite(ratio.Value)
        ? new(name, ratio.Value, ratio.Low, ratio.High, Shown(change)) { IsBound = isBound } : null;

    /// <summary>The verdict as the page shows it: a change that is printed as 0.00 % is none.</summary>
    public static Verdict Shown(Change change) =>
        change.Verdict is Verdict.Better or Verdict.Worse && change.Ratio is { } ratio && Math.Abs(ratio.Value - 1) < noChange
        ? Verdict.Equal : change.Verdict;

    public bool HasInterval => Low > 0 && double.IsFinite(High);

    public string Interval => HasInterval ? $"[{Figures.Percent(Low)}, {Figures.Percent(High)}]" : "(too few samples for an interval)";

    /// <summary>Whether one side is a lower bound, so that the ratio is a distance and no verdict.</summary>
    public bool IsBound { get; private init; }

    public string Word =>
        IsBound ? "lower bound" : Verdict switch
        {
            Verdict.Better => "better",
            Verdict.Worse => "worse",
            Verdict.Small => "small",
            Verdict.Equal => "equal",
            _ => "~"
        };

    /// <summary>The class of its colour: the codec's, of a pair that of its second side.</summary>
    public string Colour => Palette.OfMethod(Divided().Match(Name) is { Success: true } pair
        ? pair.Groups["before"].Value + pair.Groups["new"].Value + pair.Groups["after"].Value : Name.Split('(')[0]);

    /// <summary>The name as short as it can be: a pair as what both do, old and new; the value alone of a single parameter.</summary>
    public string Label
    {
        get
        {
            if (DividedValue().Match(Name) is { Success: true } values)
            {
                var others = (values.Groups["before"].Value + values.Groups["after"].Value).Trim(' ', ',');
                return $"{values.Groups["method"].Value}: {values.Groups["old"].Value} → {values.Groups["new"].Value}" + Others(others);
            }

            if (Divided().Match(Name) is not { Success: true } pair)
                return Name;
            var (before, after, old, now) =
                (pair.Groups["before"].Value, pair.Groups["after"].Value, pair.Groups["old"].Value, pair.Groups["new"].Value);
            // a word of one side only leaves nothing to name the other side with
            var both = old.Length == 0 || now.Length == 0 ? "" : (before.TrimEnd('_') + after).TrimStart('_');
            return (both.Length > 0 ? $"{both}: {old} → {now}" : $"{before}{old}{after} → {before}{now}{after}")
                + Others(pair.Groups["parameters"].Value);

            static string Others(string parameters) => parameters.Length == 0 ? "" : ", " + parameters[
                ((parameters.Contains(", ", StringComparison.Ordinal) ? -1 : parameters.IndexOf('=', StringComparison.Ordinal)) + 1)..];
        }
    }

    /// <summary>Whether one side of a pair is a lower bound. The same lower bound before and after is a cell like others.</summary>
    public static bool WithBound(string row, params ReadOnlySpan<string> columns) =>
        columns.Contains(Measured.FloorLibrary) || (row.Contains('{', StringComparison.Ordinal) && Bound().IsMatch(row));

    [GeneratedRegex(Measured.FloorLibrary + "(?![a-z])")]
    private static partial Regex Bound();

    // "SerializeRequest{Google=Slab}_BW(Size=1 KiB)": a pair whose methods differ and whose parameters do not
    [GeneratedRegex(@"^(?<before>[^{(]*)\{(?<old>[^{}=(]*)=(?<new>[^{}=(]*)\}(?<after>[^{(]*)(\((?<parameters>[^{}]*)\))?$",
        RegexOptions.ExplicitCapture)]
    private static partial Regex Divided();

    // "DeserializeSetGoogle(DataSet=Mesh, Google.Protobuf={3.25.1=3.36.2})": one method with two values of a parameter
    [GeneratedRegex(@"^(?<method>[^{(]+)\((?<before>[^{}]*?)(, )?[^{}=,]+=\{(?<old>[^{}=]*)=(?<new>[^{}=]*)\}(?<after>[^{}]*)\)$",
        RegexOptions.ExplicitCapture)]
    private static partial Regex DividedValue();
}
