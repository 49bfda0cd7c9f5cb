using System.Buffers;
using System.Text.Json;
using Google.Protobuf;
using MemoryPack;
using MessagePack;
using ProtoBench.Payloads;
using ProtoBuf;

namespace ProtoBench.Formats;

/// <summary>Lists the formats.</summary>
public static class ColorFormats
{
    /// <summary>Gets all formats.</summary>
    public static IReadOnlyList<ColorFormat> All { get; } =
    [
        GoogleColors.Format, SlabColors.Format, SystemTextJsonColors.Format, SchemaColors.Format, ProtobufNetColors.Format,
        MessagePackColors.Format, MemoryPackColors.Format,
    ];

    /// <summary>Returns the format of a cell by its name: <c>UnmarshalByGoogle_Reuse</c> belongs to Google.</summary>
    public static ColorFormat Of(string cell) =>
        All.Single(format => cell[(cell.IndexOf("By", StringComparison.Ordinal) + 2)..].Split('_')[0] == format.Name);
}

/// <summary>Represents a format for tests and for the column of sizes. Measurements do not use it, because a cell calls the library
/// directly.</summary>
/// <param name="Name">Its name in cells, after <c>MarshalBy</c>.</param>
/// <param name="WriteOne">Writes a group.</param>
/// <param name="ReadOne">Reads a group.</param>
/// <param name="WriteMany">Writes groups.</param>
/// <param name="ReadMany">Reads groups.</param>
/// <param name="RowsOf">Returns the content of an object of this format; null for other objects.</param>
public sealed record ColorFormat(
    string Name,
    Func<ColorRow, byte[]> WriteOne,
    Func<byte[], object> ReadOne,
    Func<IReadOnlyList<ColorRow>, byte[]> WriteMany,
    Func<byte[], object> ReadMany,
    Func<object, IReadOnlyList<ColorRow>?> RowsOf);

/// <summary>Represents the number of groups and their characters.</summary>
public sealed record ColorSet(int Count, bool Ascii)
{
    /// <summary>Gets the groups.</summary>
    public IReadOnlyList<ColorRow> Rows => ColorRow.Many(Count, Ascii);

    public override string ToString() => Ascii ? $"{Count} ASCII" : $"{Count} non-ASCII";
}

/// <summary>Groups of colors in Google's types.</summary>
static class GoogleColors
{
    public static ColorFormat Format { get; } = new(
        "Google",
        row => From(row).ToByteArray(),
        Gpb.ColorGroup.Parser.ParseFrom,
        rows => From(rows).ToByteArray(),
        Gpb.ColorGroups.Parser.ParseFrom,
        message => message switch
        {
            Gpb.ColorGroup group => [RowOf(group)],
            Gpb.ColorGroups groups => [.. groups.Groups.Select(RowOf)],
            _ => null,
        });

    public static Gpb.ColorGroup From(ColorRow row) => new() { Id = row.Id, Name = row.Name, Colors = { row.Colors } };

    public static Gpb.ColorGroups From(IEnumerable<ColorRow> rows) => new() { Groups = { rows.Select(From) } };

    /// <summary>Reads into a used message. Google's messages have no Clear, so each field is cleared individually.</summary>
    public static Gpb.ColorGroup Reuse(Gpb.ColorGroup group, byte[] bytes)
    {
        group.Id = 0;
        group.Name = "";
        group.Colors.Clear();
        group.MergeFrom(bytes);
        return group;
    }

    static ColorRow RowOf(Gpb.ColorGroup group) => new(group.Id, group.Name, [.. group.Colors]);
}

/// <summary>Groups of colors as UTF-8 JSON.</summary>
static class SystemTextJsonColors
{
    static readonly Utf8JsonWriter writer = new(new ArrayBufferWriter<byte>());

    public static ColorFormat Format { get; } = new(
        "SystemTextJson",
        row => JsonSerializer.SerializeToUtf8Bytes(From(row), Json.GeneratedJson.Default.ColorGroup),
        bytes => JsonSerializer.Deserialize(bytes, Json.GeneratedJson.Default.ColorGroup)!,
        rows => JsonSerializer.SerializeToUtf8Bytes(From(rows), Json.GeneratedJson.Default.ColorGroups),
        bytes => JsonSerializer.Deserialize(bytes, Json.GeneratedJson.Default.ColorGroups)!,
        message => message switch
        {
            Json.ColorGroup group => [RowOf(group)],
            Json.ColorGroups groups => [.. groups.Groups.Select(RowOf)],
            _ => null,
        });

    public static Json.ColorGroup From(ColorRow row) => new(row.Id, row.Name, row.Colors);

    public static Json.ColorGroups From(IEnumerable<ColorRow> rows) => new([.. rows.Select(From)]);

    /// <summary>Returns the reused writer at the start of <paramref name="output"/>. The other formats reuse theirs too.</summary>
    public static Utf8JsonWriter Writer(IBufferWriter<byte> output)
    {
        writer.Reset(output);
        return writer;
    }

    static ColorRow RowOf(Json.ColorGroup group) => new(group.Id, group.Name, group.Colors);
}

/// <summary>Groups of colors in the hand-written format of a schema.</summary>
static class SchemaColors
{
    public static ColorFormat Format { get; } = new(
        "Schema",
        row => From(row).ToArray(),
        bytes => Schema.ColorGroup.Parse(bytes),
        rows =>
        {
            var writer = new ArrayBufferWriter<byte>();
            From(rows).Write(writer);
            return writer.WrittenSpan.ToArray();
        },
        bytes => Schema.ColorGroups.Parse(bytes),
        message => message switch
        {
            Schema.ColorGroup group => [RowOf(group)],
            Schema.ColorGroups groups => [.. groups.Groups.Select(RowOf)],
            _ => null,
        });

    public static Schema.ColorGroup From(ColorRow row)
    {
        var group = new Schema.ColorGroup { Id = row.Id, Name = row.Name };
        group.Colors.AddRange(row.Colors);
        return group;
    }

    public static Schema.ColorGroups From(IEnumerable<ColorRow> rows)
    {
        var groups = new Schema.ColorGroups();
        groups.Groups.AddRange(rows.Select(From));
        return groups;
    }

    /// <summary>Reads into a used object.</summary>
    public static Schema.ColorGroup Reuse(Schema.ColorGroup group, byte[] bytes)
    {
        group.Read(bytes);
        return group;
    }

    static ColorRow RowOf(Schema.ColorGroup group) => new(group.Id, group.Name, [.. group.Colors]);
}

/// <summary>Groups of colors in protobuf-net's types.</summary>
static class ProtobufNetColors
{
    public static ColorFormat Format { get; } = new(
        "PBN",
        row => ToArray(From(row)),
        bytes => Serializer.Deserialize<Pbn.ColorGroup>((ReadOnlyMemory<byte>)bytes),
        rows => ToArray(From(rows)),
        bytes => Serializer.Deserialize<Pbn.ColorGroups>((ReadOnlyMemory<byte>)bytes),
        message => message switch
        {
            Pbn.ColorGroup group => [RowOf(group)],
            Pbn.ColorGroups groups => [.. groups.Groups.Select(RowOf)],
            _ => null,
        });

    public static Pbn.ColorGroup From(ColorRow row)
    {
        var group = new Pbn.ColorGroup { Id = row.Id, Name = row.Name };
        group.Colors.AddRange(row.Colors);
        return group;
    }

    public static Pbn.ColorGroups From(IEnumerable<ColorRow> rows)
    {
        var groups = new Pbn.ColorGroups();
        groups.Groups.AddRange(rows.Select(From));
        return groups;
    }

    /// <summary>Reads into a used object. protobuf-net appends to its lists.</summary>
    public static Pbn.ColorGroup Reuse(Pbn.ColorGroup group, byte[] bytes)
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

    static ColorRow RowOf(Pbn.ColorGroup group) => new(group.Id, group.Name, [.. group.Colors]);
}

/// <summary>Groups of colors in MessagePack's types.</summary>
static class MessagePackColors
{
    public static ColorFormat Format { get; } = new(
        "MessagePack",
        row => MessagePackSerializer.Serialize(From(row)),
        bytes => MessagePackSerializer.Deserialize<MsgPack.ColorGroup>(bytes)!,
        rows => MessagePackSerializer.Serialize(From(rows)),
        bytes => MessagePackSerializer.Deserialize<MsgPack.ColorGroups>(bytes)!,
        message => message switch
        {
            MsgPack.ColorGroup group => [RowOf(group)],
            MsgPack.ColorGroups groups => [.. groups.Groups.Select(RowOf)],
            _ => null,
        });

    public static MsgPack.ColorGroup From(ColorRow row) => new() { Id = row.Id, Name = row.Name, Colors = [.. row.Colors] };

    public static MsgPack.ColorGroups From(IEnumerable<ColorRow> rows) => new() { Groups = [.. rows.Select(From)] };

    static ColorRow RowOf(MsgPack.ColorGroup group) => new(group.Id, group.Name, group.Colors);
}

/// <summary>Groups of colors in MemoryPack's types.</summary>
static class MemoryPackColors
{
    public static ColorFormat Format { get; } = new(
        "MemoryPack",
        row => MemoryPackSerializer.Serialize(From(row)),
        bytes => MemoryPackSerializer.Deserialize<MemPack.ColorGroup>(bytes)!,
        rows => MemoryPackSerializer.Serialize(From(rows)),
        bytes => MemoryPackSerializer.Deserialize<MemPack.ColorGroups>(bytes)!,
        message => message switch
        {
            MemPack.ColorGroup group => [RowOf(group)],
            MemPack.ColorGroups groups => [.. groups.Groups.Select(RowOf)],
            _ => null,
        });

    public static MemPack.ColorGroup From(ColorRow row) => new() { Id = row.Id, Name = row.Name, Colors = [.. row.Colors] };

    public static MemPack.ColorGroups From(IEnumerable<ColorRow> rows) => new() { Groups = [.. rows.Select(From)] };

    /// <summary>Reads into a used object.</summary>
    public static MemPack.ColorGroup Reuse(MemPack.ColorGroup group, byte[] bytes)
    {
        MemoryPackSerializer.Deserialize(bytes, ref group!);
        return group;
    }

    static ColorRow RowOf(MemPack.ColorGroup group) => new(group.Id, group.Name, group.Colors);
}
