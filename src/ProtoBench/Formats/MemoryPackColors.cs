using MemoryPack;
using ProtoBench.MemPack;
using ProtoBench.Payloads;

namespace ProtoBench.Formats;

/// <summary>Groups of colors in MemoryPack's types.</summary>
static class MemoryPackColors
{
    public static ColorFormat Format { get; } = new(
        "MemoryPack",
        row => MemoryPackSerializer.Serialize(From(row)),
        bytes => MemoryPackSerializer.Deserialize<ColorGroup>(bytes)!,
        rows => MemoryPackSerializer.Serialize(From(rows)),
        bytes => MemoryPackSerializer.Deserialize<ColorGroups>(bytes)!,
        message => message switch
        {
            ColorGroup group => [RowOf(group)],
            ColorGroups groups => [.. groups.Groups.Select(RowOf)],
            _ => null,
        });

    public static ColorGroup From(ColorRow row) => new() { Id = row.Id, Name = row.Name, Colors = [.. row.Colors] };

    public static ColorGroups From(IEnumerable<ColorRow> rows) => new() { Groups = [.. rows.Select(From)] };

    /// <summary>Reads into a used object.</summary>
    public static ColorGroup Reuse(ColorGroup group, byte[] bytes)
    {
        MemoryPackSerializer.Deserialize(bytes, ref group!);
        return group;
    }

    static ColorRow RowOf(ColorGroup group) => new(group.Id, group.Name, group.Colors);
}
