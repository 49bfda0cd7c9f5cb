using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace ProtoBench.Results;

/// <summary>Writes a comparison as CSV: a line for each unit, row and column, with unrounded figures.</summary>
public static class CsvTable
{
    static readonly string[] heads =
        ["unit", "row", "column", "n", "median", "low", "high", "level", "ratio", "ratio_low", "ratio_high", "p", "p_holm", "sees",
            "verdict", "note", "limit", "judgeable", "bimodal"];

    /// <summary>Writes the table as RFC 4180 describes, with line feeds.</summary>
    public static void Write(Comparison comparison, TextWriter writer)
    {
        writer.Write(string.Join(',', heads) + "\n");
        foreach (var block in comparison.Blocks)
        {
            foreach (var row in block.Rows)
            {
                for (var column = 0; column < comparison.Columns.Count; column++)
                {
                    if (row.Samples[column] is { } sample)
                        writer.Write(Line(block.Unit, row.Name, comparison.Columns[column], sample, row.Changes[column]));
                }
            }
        }
    }

    static string Line(Unit unit, string row, string column, SampleSummary sample, Change? change)
    {
        var ratio = change?.Ratio;
        string[] fields =
        [
            unit.Name, row, column, Text(sample.N), Text(sample.Median.Value), Text(sample.Median.Low), Text(sample.Median.High),
                Text(sample.Median.Level),
            Text(ratio?.Value), Text(ratio?.Low), Text(ratio?.High), Text(change?.P), Text(change?.CorrectedP), Text(change?.Sees),
            change?.Verdict.ToString().ToLowerInvariant() ?? "", change?.Note ?? "", Text(change?.Limit), Text(change?.Judgeable),
                Text(sample.Bimodal),
        ];
        return string.Join(',', fields.Select(Quote)) + "\n";
    }

    static string Text(double? value) =>
        value is { } figure && double.IsFinite(figure) ? figure.ToString("R", CultureInfo.InvariantCulture) : "";

    static string Text(bool? value) => value switch { true => "true", false => "false", null => "" };

    internal static string Quote(string field) =>
        field.AsSpan().ContainsAny(",\"\n\r") ? $"\"{field.Replace("\"", "\"\"", StringComparison.Ordinal)}\"" : field;
}

/// <summary>Writes a <see cref="Comparison"/> as JSON. An interval without an upper end has "Infinity".</summary>
public static class JsonTable
{
    public static void Write(Comparison comparison, TextWriter writer) =>
        writer.Write(JsonSerializer.Serialize(comparison, ComparisonJson.Default.Comparison) + "\n");
}

[JsonSourceGenerationOptions(
    WriteIndented = true,
    NewLine = "\n",
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    UseStringEnumConverter = true,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals)]
[JsonSerializable(typeof(Comparison))]
sealed partial class ComparisonJson : JsonSerializerContext;

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
