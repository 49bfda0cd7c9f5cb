using System.Text.Json;
using System.Text.Json.Serialization;

namespace ProtoBench.Results;

/// <summary>The last column as <c>customSmallerIsBetter</c> JSON, for github-action-benchmark and other trackers.</summary>
public static class SmallerIsBetter
{
    /// <summary>Writes an entry for each row and unit. A rate becomes its inverse, so that smaller is better for all: calls/s are written
    /// as us/call. A figure that follows from another one is left out, because a tracker would report each change twice.</summary>
    public static void Write(Comparison comparison, TextWriter writer)
    {
        Entry[] entries =
            [.. comparison.Blocks.SelectMany(block => block.Rows.Select(row => Of(comparison, block.Unit, row)).OfType<Entry>())];
        writer.Write(JsonSerializer.Serialize(entries, SmallerIsBetterJson.Default.EntryArray) + "\n");
    }

    static Entry? Of(Comparison comparison, Unit unit, Row row)
    {
        var last = comparison.Columns.Count - 1;
        if (row.Samples[last] is not { } sample || unit.Derived || (unit.HigherIsBetter && sample.Median.Value <= 0))
            return null;
        var (name, value) = unit switch
        {
            { HigherIsBetter: false } => (unit.Name, sample.Median.Value),
            _ when unit.Name.EndsWith("/s", StringComparison.Ordinal) =>
                ("us/" + (unit.Name is "calls/s" ? "call" : unit.Name[..^2]), 1e6 / sample.Median.Value),
            _ => ("1/" + unit.Name, 1 / sample.Median.Value),
        };
        var change = string.Join(' ', new[]
        {
            RowText.Percent(unit, row.Changes[last]), RowText.Word(row.Changes[last], comparison.Threshold), RowText.Numbers(row, last),
        }.Where(word => word.Length > 0));
        return new Entry(
            $"{row.Name} - {name}",
            unit.Scale == Scale.Microseconds ? "us" : name,
            value,
            RowText.Spread(unit, sample),
            change.Length == 0 ? "" : $"{change} against {comparison.Columns[0]}");
    }
}

sealed record Entry(string Name, string Unit, double Value, string Range, string Extra);

[JsonSourceGenerationOptions(WriteIndented = true, NewLine = "\n", PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(Entry[]))]
sealed partial class SmallerIsBetterJson : JsonSerializerContext;
