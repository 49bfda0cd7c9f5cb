using System.Globalization;

namespace ProtoBench.Results;

/// <summary>A comparison as CSV for a spreadsheet or a data frame: a line for each unit, row and column, figures in full.</summary>
public static class CsvTable
{
    static readonly string[] heads =
        ["unit", "row", "column", "n", "median", "low", "high", "level", "ratio", "ratio_low", "ratio_high", "p", "p_holm", "sees",
            "verdict", "note", "limit", "judgeable", "bimodal"];

    /// <summary>Writes the table after RFC 4180, with line feeds.</summary>
    /// <param name="comparison">What to show.</param>
    /// <param name="writer">Where to.</param>
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

    static string Quote(string field) =>
        field.AsSpan().ContainsAny(",\"\n\r") ? $"\"{field.Replace("\"", "\"\"", StringComparison.Ordinal)}\"" : field;
}
