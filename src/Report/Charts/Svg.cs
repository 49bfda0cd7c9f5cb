using System.Globalization;

namespace ProtoBench.Report.Charts;

/// <summary>Figures and words as SVG and HTML want them.</summary>
static class Svg
{
    /// <summary>A coordinate.</summary>
    public static string N(double value) => value.ToString("0.##", CultureInfo.InvariantCulture);

    /// <summary>A percentile, which may have several nines.</summary>
    public static string N3(double value) => value.ToString("0.####", CultureInfo.InvariantCulture);

    /// <summary>A share of the width or height.</summary>
    public static string Percent(double value) => N(value) + "%";

    /// <summary>A figure in full, from which the same double is read again.</summary>
    public static string Raw(double value) => value.ToString("R", CultureInfo.InvariantCulture);

    /// <summary>Where text at a position stands, so that it is not cut at either end.</summary>
    public static string Anchor(double percent) => percent < 8 ? "start" : percent > 92 ? "end" : "middle";

    /// <summary>Text that fits a phone; its whole is in the title and in the table.</summary>
    public static string Short(string text, int longest = 30) => text.Length <= longest ? text : string.Concat(text.AsSpan(0, longest - 1), "…");
}
