using System.Buffers;
using System.Text.Json;
using ProtoBench.Json;
using ProtoBench.Payloads;

namespace ProtoBench.Formats;

/// <summary>Groups of colors as UTF-8 JSON.</summary>
static class SystemTextJsonColors
{
    static readonly Utf8JsonWriter writer = new(new ArrayBufferWriter<byte>());

    public static ColorFormat Format { get; } = new(
        "SystemTextJson",
        row => JsonSerializer.SerializeToUtf8Bytes(From(row), GeneratedJson.Default.ColorGroup),
        bytes => JsonSerializer.Deserialize(bytes, GeneratedJson.Default.ColorGroup)!,
        rows => JsonSerializer.SerializeToUtf8Bytes(From(rows), GeneratedJson.Default.ColorGroups),
        bytes => JsonSerializer.Deserialize(bytes, GeneratedJson.Default.ColorGroups)!,
        message => message switch
        {
            ColorGroup group => [RowOf(group)],
            ColorGroups groups => [.. groups.Groups.Select(RowOf)],
            _ => null,
        });

    public static ColorGroup From(ColorRow row) => new(row.Id, row.Name, row.Colors);

    public static ColorGroups From(IEnumerable<ColorRow> rows) => new([.. rows.Select(From)]);

    /// <summary>Returns the reused writer at the start of <paramref name="output"/>. The other formats reuse theirs too.</summary>
    public static Utf8JsonWriter Writer(IBufferWriter<byte> output)
    {
        writer.Reset(output);
        return writer;
    }

    static ColorRow RowOf(ColorGroup group) => new(group.Id, group.Name, group.Colors);
}
