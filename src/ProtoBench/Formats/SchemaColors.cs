using System.Buffers;
using ProtoBench.Payloads;
using ProtoBench.Schema;

namespace ProtoBench.Formats;

/// <summary>Groups of colors in the hand-written format of a schema.</summary>
static class SchemaColors
{
    public static ColorFormat Format { get; } = new(
        "Schema",
        row => From(row).ToArray(),
        bytes => ColorGroup.Parse(bytes),
        rows =>
        {
            var writer = new ArrayBufferWriter<byte>();
            From(rows).Write(writer);
            return writer.WrittenSpan.ToArray();
        },
        bytes => ColorGroups.Parse(bytes),
        message => message switch
        {
            ColorGroup group => [RowOf(group)],
            ColorGroups groups => [.. groups.Groups.Select(RowOf)],
            _ => null,
        });

    public static ColorGroup From(ColorRow row)
    {
        var group = new ColorGroup { Id = row.Id, Name = row.Name };
        group.Colors.AddRange(row.Colors);
        return group;
    }

    public static ColorGroups From(IEnumerable<ColorRow> rows)
    {
        var groups = new ColorGroups();
        groups.Groups.AddRange(rows.Select(From));
        return groups;
    }

    /// <summary>Reads into a used object.</summary>
    public static ColorGroup Reuse(ColorGroup group, byte[] bytes)
    {
        group.Read(bytes);
        return group;
    }

    static ColorRow RowOf(ColorGroup group) => new(group.Id, group.Name, [.. group.Colors]);
}
