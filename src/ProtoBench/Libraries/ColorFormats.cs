using System.Buffers;
using ProtoBench.Payloads;

namespace ProtoBench;

public static class ColorFormats
{
    public static IReadOnlyList<ColorFormat> All { get; } =
        [.. MeasuredLibraries.Registered.Select(library => library.ColorGroups).OfType<ColorFormat>(), SchemaColors.Format];

    /// <summary>Returns the format of a cell by its name: <c>UnmarshalByGoogle_Reuse</c> belongs to Google.</summary>
    public static ColorFormat Of(string cell) =>
        All.Single(format => cell[(cell.IndexOf("By", StringComparison.Ordinal) + 2)..].Split('_')[0] == format.Name);
}

/// <summary>For tests and for the column of sizes. Measurements do not use it, because a cell calls the library directly. Each format has a
/// class of its own, so that a process loads only the format that its cell measures. Those classes create this object when it is read, so
/// that the list of all formats creates no serializer.</summary>
/// <param name="RowsOf">Returns the content of an object of this format; null for other objects.</param>
public sealed record ColorFormat(
    string Name,
    Func<ColorRow, byte[]> WriteOne,
    Func<byte[], object> ReadOne,
    Func<IReadOnlyList<ColorRow>, byte[]> WriteMany,
    Func<byte[], object> ReadMany,
    Func<object, IReadOnlyList<ColorRow>?> RowsOf)
{
    public static ColorFormat Of<TGroup, TGroups>(string name, Func<ColorRow, byte[]> writeOne, Func<byte[], TGroup> readOne,
        Func<IReadOnlyList<ColorRow>, byte[]> writeMany, Func<byte[], TGroups> readMany, Func<TGroup, ColorRow> rowOf,
        Func<TGroups, IEnumerable<TGroup>> groupsOf)
        where TGroup : class
        where TGroups : class => new(name, writeOne, readOne, writeMany, readMany, message => message switch
    {
        TGroup group => [rowOf(group)],
        TGroups groups => [.. groupsOf(groups).Select(rowOf)],
        _ => null,
    });
}

/// <summary>The plain classes, which have the attributes of several formats.</summary>
static class PlainColors
{
    /// <summary>The group that the cells write. Cells that reuse an object have another.</summary>
    public static readonly PlainColorGroup Reds = From(ColorRow.Reds);

    public static ColorFormat Format(string name, Func<PlainColorGroup, byte[]> writeOne, Func<byte[], PlainColorGroup> readOne,
        Func<PlainColorGroups, byte[]> writeMany, Func<byte[], PlainColorGroups> readMany) => ColorFormat.Of(
        name, row => writeOne(From(row)), readOne, rows => writeMany(From(rows)), readMany,
        group => new ColorRow(group.Id, group.Name, group.Colors), groups => groups.Groups);

    public static PlainColorGroup From(ColorRow row) => new() { Id = row.Id, Name = row.Name, Colors = [.. row.Colors] };

    public static PlainColorGroups From(IEnumerable<ColorRow> rows) => new() { Groups = [.. rows.Select(From)] };
}

public sealed record ColorSet(int Count, bool Ascii)
{
    public IReadOnlyList<ColorRow> Rows => ColorRow.Many(Count, Ascii);

    public override string ToString() => Ascii ? $"{Count} ASCII" : $"{Count} non-ASCII";
}

static class SchemaColors
{
    public static readonly Positional.ColorGroup Reds = From(ColorRow.Reds);
    public static readonly Positional.ColorGroup Used = From(ColorRow.Reds);
    public static readonly byte[] RedsBytes = Format.WriteOne(ColorRow.Reds);

    public static ColorFormat Format => ColorFormat.Of(
        "Schema",
        row => From(row).ToArray(),
        bytes => Positional.ColorGroup.Parse(bytes),
        rows =>
        {
            var writer = new ArrayBufferWriter<byte>();
            From(rows).Write(writer);
            return writer.WrittenSpan.ToArray();
        },
        bytes => Positional.ColorGroups.Parse(bytes),
        RowOf,
        groups => groups.Groups);

    public static Positional.ColorGroup From(ColorRow row)
    {
        var group = new Positional.ColorGroup { Id = row.Id, Name = row.Name };
        group.Colors.AddRange(row.Colors);
        return group;
    }

    public static Positional.ColorGroups From(IEnumerable<ColorRow> rows)
    {
        var groups = new Positional.ColorGroups();
        groups.Groups.AddRange(rows.Select(From));
        return groups;
    }

    public static Positional.ColorGroup Reuse(Positional.ColorGroup group, byte[] bytes)
    {
        group.Read(bytes);
        return group;
    }

    static ColorRow RowOf(Positional.ColorGroup group) => new(group.Id, group.Name, [.. group.Colors]);
}
