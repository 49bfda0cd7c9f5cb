using ProtoBench.Results;

namespace ProtoBench.Report.Charts;

/// <summary>A field of a table: what people read, and the figure in full, by which it is sorted and checked.</summary>
/// <param name="Text">The text.</param>
/// <param name="Raw">The figure; null for words.</param>
public readonly record struct TableCell(string Text, double? Raw = null)
{
    /// <summary>A word.</summary>
    /// <param name="text">The word.</param>
    public static implicit operator TableCell(string? text) => FromString(text);

    /// <summary>A word.</summary>
    /// <param name="text">The word.</param>
    public static TableCell FromString(string? text) => new(text ?? "");

    /// <summary>A figure in its unit; empty where there is none.</summary>
    /// <param name="unit">The unit.</param>
    /// <param name="figure">The figure.</param>
    public static TableCell Of(Unit unit, double? figure) =>
        figure is { } value ? new TableCell(Figures.Of(unit, value), value) : default(TableCell) with { Text = "" };

    /// <summary>A count.</summary>
    /// <param name="count">The count.</param>
    public static TableCell Of(long count) => new(count.ToString("N0", System.Globalization.CultureInfo.InvariantCulture), count);
}
