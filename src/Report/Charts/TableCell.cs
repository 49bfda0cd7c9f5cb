namespace ProtoBench.Report.Charts;

/// <summary>A field of a table: what people read, and the figure in full, by which it is sorted and checked.</summary>
public readonly record struct TableCell(string Text, double? Raw = null)
{
    public static implicit operator TableCell(string? text) => FromString(text);

    public static TableCell FromString(string? text) => new(text ?? "");

    public static TableCell Of(Unit unit, double? figure) =>
        figure is { } value ? new TableCell(Figures.Of(unit, value), value) : default(TableCell) with { Text = "" };

    public static TableCell Of(long count) => new(count.ToString("N0", System.Globalization.CultureInfo.InvariantCulture), count);
}
