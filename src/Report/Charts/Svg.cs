namespace ProtoBench.Report.Charts;

static class Svg
{
    public static string N(double value) => value.ToString("0.##");

    /// <summary>A percentile, which may have several nines.</summary>
    public static string N3(double value) => value.ToString("0.####");

    public static string Percent(double value) => N(value) + "%";

    /// <summary>A figure in full, from which the same double is read again.</summary>
    public static string Raw(double value) => value.ToString("R");

    /// <summary>Six digits of a figure, for the page's own script; null where there is none.</summary>
    public static string? Short(double? value) => value?.ToString("G6");

    /// <summary>Where text at a position stands, so that it is not cut at either end.</summary>
    public static string Anchor(double percent) => percent < 8 ? "start" : percent > 92 ? "end" : "middle";

    public static string Short(string text, int longest) => text.Length <= longest ? text : string.Concat(text.AsSpan(0, longest - 1), "…");

    public static string Span(double from, double to) => $"left:{Percent(Math.Min(from, to))};width:{Percent(Math.Abs(to - from))}";

    /// <summary>Lines across a strip as a background of the style sheet: a layer for each, drawn by the property of its kind.</summary>
    public static string Lines(IEnumerable<(double At, string Kind)> lines) =>
        string.Join(',',
            lines.Select(line => $"var(--{line.Kind}) {Percent(line.At)} 0/{(line.Kind == "grid-line" ? "1" : "2")}px 100% no-repeat")
                .DefaultIfEmpty("none"));
}
