using System.Text.RegularExpressions;
using ProtoBench.Report.Model;

namespace ProtoBench.Report.Charts;

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
