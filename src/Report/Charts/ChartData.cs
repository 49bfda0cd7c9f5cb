using ProtoBench.Results;

namespace ProtoBench.Report.Charts;

/// <summary>A line of a chart.</summary>
/// <param name="Name">What it shows.</param>
/// <param name="Colour">The class of its colour.</param>
/// <param name="Mark">The id of its marks.</param>
/// <param name="Dashed">Whether it is drawn dashed.</param>
/// <param name="Points">Its points, from left to right.</param>
public sealed record Series(string Name, string Colour, string Mark, bool Dashed, IReadOnlyList<Point> Points);

/// <summary>A point of a line.</summary>
/// <param name="X">From 0, left, to 100, right.</param>
/// <param name="Y">The figure.</param>
/// <param name="Title">What it says in words; null for a point without a mark.</param>
/// <param name="Hollow">Whether the mark is hollow, as that of a figure which must not be believed.</param>
/// <param name="Interval">The ends of the figure's interval; null where none is drawn.</param>
public sealed record Point(double X, double Y, string? Title, bool Hollow = false, (double Low, double High)? Interval = null)
{
    /// <summary>The figures that the axis has to hold.</summary>
    internal IEnumerable<double> Figures => Interval is { } ends ? [Y, ends.Low, ends.High] : [Y];
}

/// <summary>A field of a table: what people read, and the figure in full, by which it is sorted and checked.</summary>
/// <param name="Text">The text.</param>
/// <param name="Raw">The figure; null for words.</param>
public readonly record struct TableCell(string Text, double? Raw = null)
{
    /// <summary>A word.</summary>
    public static implicit operator TableCell(string? text) => FromString(text);

    /// <summary>A word.</summary>
    public static TableCell FromString(string? text) => new(text ?? "");

    /// <summary>A figure in its unit; empty where there is none.</summary>
    public static TableCell Of(Unit unit, double? figure) =>
        figure is { } value ? new TableCell(Figures.Of(unit, value), value) : default(TableCell) with { Text = "" };

    /// <summary>A count.</summary>
    public static TableCell Of(long count) => new(count.ToString("N0", System.Globalization.CultureInfo.InvariantCulture), count);
}

/// <summary>A row of a forest plot: by what factor something changed.</summary>
/// <param name="Name">The row.</param>
/// <param name="Ratio">New by old; above 0.</param>
/// <param name="Low">The lower end of its interval; 0 without one.</param>
/// <param name="High">The upper end of its interval; infinite without one.</param>
/// <param name="Verdict">What the change comes to.</param>
public sealed record ForestRow(string Name, double Ratio, double Low, double High, Verdict Verdict)
{
    // What is printed as 0.00 % is no change to a reader, however sure it is.
    const double noChange = 0.00005;

    /// <summary>The row of a change; null where it has no ratio above 0.</summary>
    public static ForestRow? Of(string name, Change change) =>
        change.Ratio is { Value: > 0 } ratio && double.IsFinite(ratio.Value)
        ? new(name, ratio.Value, ratio.Low, ratio.High, Shown(change)) : null;

    /// <summary>The verdict as the page shows it: a change that is printed as 0.00 % is none.</summary>
    public static Verdict Shown(Change change) =>
        change.Verdict is Verdict.Better or Verdict.Worse && change.Ratio is { } ratio && Math.Abs(ratio.Value - 1) < noChange
        ? Verdict.Equal : change.Verdict;

    /// <summary>Whether there is an interval.</summary>
    public bool HasInterval => Low > 0 && double.IsFinite(High);

    /// <summary>The interval in words.</summary>
    public string Interval => HasInterval ? $"[{Figures.Percent(Low)}, {Figures.Percent(High)}]" : "(too few samples for an interval)";

    /// <summary>The verdict as one word.</summary>
    public string Word =>
        Verdict switch
        {
            Verdict.Better => "better",
            Verdict.Worse => "worse",
            Verdict.Small => "small",
            Verdict.Equal => "equal",
            _ => "~"
        };

    /// <summary>The class of its colour.</summary>
    public string Colour => Verdict switch { Verdict.Better => "better", Verdict.Worse => "worse", _ => "unclear" };
}
