using ProtoBench.Payloads;

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

/// <summary>One format as tests and the column of sizes see it. Never used
/// inside a measurement: there the cell calls the library itself.</summary>
/// <param name="Name">How cells spell it: what follows <c>MarshalBy</c>.</param>
/// <param name="WriteOne">A group to bytes.</param>
/// <param name="ReadOne">Bytes to a group.</param>
/// <param name="WriteMany">Groups to bytes.</param>
/// <param name="ReadMany">Bytes to groups.</param>
/// <param name="RowsOf">What an object of this format's own types holds; null for anything else.</param>
public sealed record ColorFormat(
    string Name,
    Func<ColorRow, byte[]> WriteOne,
    Func<byte[], object> ReadOne,
    Func<IReadOnlyList<ColorRow>, byte[]> WriteMany,
    Func<byte[], object> ReadMany,
    Func<object, IReadOnlyList<ColorRow>?> RowsOf);

/// <summary>How many groups, of which letters.</summary>
public sealed record ColorSet(int Count, bool Ascii)
{
    /// <summary>The groups.</summary>
    public IReadOnlyList<ColorRow> Rows => ColorRow.Many(Count, Ascii);

    public override string ToString() => Ascii ? $"{Count} ASCII" : $"{Count} non-ASCII";
}
