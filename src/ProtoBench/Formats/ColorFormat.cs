using ProtoBench.Payloads;

namespace ProtoBench.Formats;

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
