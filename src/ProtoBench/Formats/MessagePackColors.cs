using MessagePack;
using ProtoBench.MsgPack;
using ProtoBench.Payloads;

namespace ProtoBench.Formats;

/// <summary>Groups of colors in MessagePack's types.</summary>
static class MessagePackColors
{
    public static ColorFormat Format { get; } = new(
        "MessagePack",
        row => MessagePackSerializer.Serialize(From(row)),
        bytes => MessagePackSerializer.Deserialize<ColorGroup>(bytes)!,
        rows => MessagePackSerializer.Serialize(From(rows)),
        bytes => MessagePackSerializer.Deserialize<ColorGroups>(bytes)!,
        message => message switch
        {
            ColorGroup group => [RowOf(group)],
            ColorGroups groups => [.. groups.Groups.Select(RowOf)],
            _ => null,
        });

    public static ColorGroup From(ColorRow row) => new() { Id = row.Id, Name = row.Name, Colors = [.. row.Colors] };

    public static ColorGroups From(IEnumerable<ColorRow> rows) => new() { Groups = [.. rows.Select(From)] };

    static ColorRow RowOf(ColorGroup group) => new(group.Id, group.Name, group.Colors);
}
