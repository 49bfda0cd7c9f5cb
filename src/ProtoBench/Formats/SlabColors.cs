using System.Buffers;
using ProtoBench.Codec;
using ProtoBench.Payloads;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.Formats;

/// <summary>Groups of colors with the slab codec. A group has no object, and strings stay UTF-8 in the memory of the message.</summary>
static class SlabColors
{
    public static ColorFormat Format { get; } = new(
        "Slab",
        row => ToArray(From(row)),
        bytes =>
        {
            var message = ColorGroup.Rent();
            message.Parse(bytes);
            return message;
        },
        rows => ToArray(From(rows)),
        bytes =>
        {
            var message = ColorGroups.Rent();
            message.Parse(bytes);
            return message;
        },
        message => message switch
        {
            Message<ColorGroup> group => [RowOf(group.Value)],
            Message<ColorGroups> groups => RowsOf(groups.Value),
            ColorRow row => [row],
            _ => null,
        });

    public static Message<ColorGroup> From(ColorRow row)
    {
        var message = ColorGroup.Rent();
        Fill(message.Value, row);
        return message;
    }

    public static Message<ColorGroups> From(IEnumerable<ColorRow> rows)
    {
        var message = ColorGroups.Rent();
        foreach (var row in rows)
            Fill(message.Value.AddGroups(), row);
        return message;
    }

    /// <summary>Reads, and converts every text to a .NET string, as the other formats do.</summary>
    public static ColorRow Strings(byte[] bytes)
    {
        using var message = ColorGroup.Rent();
        return RowOf(message.Parse(bytes));
    }

    static void Fill(ColorGroup group, ColorRow row)
    {
        group.SetId(row.Id);
        group.SetName(row.Name);
        foreach (var color in row.Colors)
            group.AddColors(color);
    }

    static byte[] ToArray<T>(Message<T> message)
        where T : struct, ISlabMessage<T>
    {
        using (message)
        {
            var writer = new ArrayBufferWriter<byte>();
            message.WriteTo(writer);
            return writer.WrittenSpan.ToArray();
        }
    }

    static List<ColorRow> RowsOf(ColorGroups groups)
    {
        var rows = new List<ColorRow>();
        foreach (var group in groups.Groups)
            rows.Add(RowOf(group));
        return rows;
    }

    static ColorRow RowOf(ColorGroup group)
    {
        var colors = new string[group.Colors.Count];
        for (var i = 0; i < colors.Length; i++)
            colors[i] = group.Colors[i].ToString();
        return new(group.Id, group.Name.ToString(), colors);
    }
}
