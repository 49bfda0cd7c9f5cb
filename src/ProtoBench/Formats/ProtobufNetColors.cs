using ProtoBench.Payloads;
using ProtoBench.Pbn;
using ProtoBuf;

namespace ProtoBench.Formats;

/// <summary>Groups of colors in protobuf-net's types.</summary>
static class ProtobufNetColors
{
    public static ColorFormat Format { get; } = new(
        "PBN",
        row => ToArray(From(row)),
        bytes => Serializer.Deserialize<ColorGroup>((ReadOnlyMemory<byte>)bytes),
        rows => ToArray(From(rows)),
        bytes => Serializer.Deserialize<ColorGroups>((ReadOnlyMemory<byte>)bytes),
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

    /// <summary>Reads into a used object. protobuf-net appends to its lists.</summary>
    public static ColorGroup Reuse(ColorGroup group, byte[] bytes)
    {
        group.Id = 0;
        group.Name = "";
        group.Colors.Clear();
        return Serializer.Deserialize((ReadOnlyMemory<byte>)bytes, group);
    }

    static byte[] ToArray<T>(T message)
    {
        using var stream = new MemoryStream();
        Serializer.Serialize(stream, message);
        return stream.ToArray();
    }

    static ColorRow RowOf(ColorGroup group) => new(group.Id, group.Name, [.. group.Colors]);
}
