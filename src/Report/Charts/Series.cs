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
