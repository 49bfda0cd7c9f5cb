namespace ProtoBench.Formats;

/// <summary>The formats.</summary>
public static class ColorFormats
{
    /// <summary>All of them.</summary>
    public static IReadOnlyList<ColorFormat> All { get; } =
    [
        GoogleColors.Format, SlabColors.Format, SystemTextJsonColors.Format, SchemaColors.Format, ProtobufNetColors.Format,
        MessagePackColors.Format, MemoryPackColors.Format,
    ];

    /// <summary>The format of a cell, by the cell's name: <c>UnmarshalByGoogle_Reuse</c> is Google's.</summary>
    public static ColorFormat Of(string cell) =>
        All.Single(format => cell[(cell.IndexOf("By", StringComparison.Ordinal) + 2)..].Split('_')[0] == format.Name);
}
