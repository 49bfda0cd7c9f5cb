using ProtoBench.Payloads;

namespace ProtoBench.Formats;

/// <summary>How many groups, of which letters.</summary>
public sealed record ColorSet(int Count, bool Ascii)
{
    /// <summary>The groups.</summary>
    public IReadOnlyList<ColorRow> Rows => ColorRow.Many(Count, Ascii);

    public override string ToString() => Ascii ? $"{Count} ASCII" : $"{Count} non-ASCII";
}
