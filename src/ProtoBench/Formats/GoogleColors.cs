using Google.Protobuf;
using ProtoBench.Gpb;
using ProtoBench.Payloads;

namespace ProtoBench.Formats;

/// <summary>Groups of colors in Google's types.</summary>
static class GoogleColors
{
    public static ColorFormat Format { get; } = new(
        "Google",
        row => From(row).ToByteArray(),
        ColorGroup.Parser.ParseFrom,
        rows => From(rows).ToByteArray(),
        ColorGroups.Parser.ParseFrom,
        message => message switch
        {
            ColorGroup group => [RowOf(group)],
            ColorGroups groups => [.. groups.Groups.Select(RowOf)],
            _ => null,
        });

    public static ColorGroup From(ColorRow row) => new() { Id = row.Id, Name = row.Name, Colors = { row.Colors } };

    public static ColorGroups From(IEnumerable<ColorRow> rows) => new() { Groups = { rows.Select(From) } };

    /// <summary>Reads into a used message. Google's messages have no Clear, so each field is cleared individually.</summary>
    public static ColorGroup Reuse(ColorGroup group, byte[] bytes)
    {
        group.Id = 0;
        group.Name = "";
        group.Colors.Clear();
        group.MergeFrom(bytes);
        return group;
    }

    static ColorRow RowOf(ColorGroup group) => new(group.Id, group.Name, [.. group.Colors]);
}
