namespace ProtoBench.Results;

/// <summary>A comparison as text for a terminal.</summary>
public static class TextTable
{
    /// <summary>Writes the tables, one block for each unit. The warnings are not part of it.</summary>
    /// <param name="comparison">What to show.</param>
    /// <param name="writer">Where to.</param>
    public static void Write(Comparison comparison, TextWriter writer)
    {
        foreach (var line in RowText.Heading(comparison))
            writer.Write(line + "\n");
        foreach (var block in comparison.Blocks)
        {
            writer.Write($"\n{RowText.Title(block.Unit)}\n");
            WriteBlock(comparison, block, writer);
        }

        writer.Write("\n");
        foreach (var line in RowText.Missing(comparison).Concat(RowText.Legend(comparison)))
            writer.Write(line + "\n");
    }

    static void WriteBlock(Comparison comparison, Block block, TextWriter writer)
    {
        var notes = new List<string>();
        List<string[]> lines = [Head(comparison), .. block.Rows.Select(row => Line(comparison, block.Unit, row, notes))];
        if (block.GeomeanRows > 1 && block.Geomean.Any(mean => mean != null))
            lines.Add(GeomeanLine(block));
        var widths = Enumerable.Range(0, lines[0].Length).Select(cell => lines.Max(line => line[cell].Length)).ToArray();
        foreach (var line in lines)
            writer.Write(string.Concat(line.Select((text, cell) => Pad(text, cell, widths[cell]))).TrimEnd() + "\n");
        for (var i = 0; i < notes.Count; i++)
            writer.Write($"[{i + 1}] {notes[i]}\n");
    }

    // name | value spread | value spread percent interval verdict numbers | ...
    static string[] Head(Comparison comparison) =>
        [.. comparison.Columns.SelectMany(IEnumerable<string> (label, column) => column == 0 ? ["", label, ""] : [label, "", "change", "", "", ""])];

    static string[] Line(Comparison comparison, Unit unit, Row row, List<string> notes) =>
    [
        .. comparison.Columns.SelectMany(IEnumerable<string> (_, column) =>
        {
            var (value, spread) = (RowText.Value(unit, row.Samples[column]), RowText.Spread(unit, row.Samples[column]));
            if (column == 0)
                return [row.Name, value, spread];
            var change = row.Changes[column];
            return
            [
                value, spread, RowText.Percent(unit, change), RowText.Interval(unit, change), RowText.Word(change, comparison.Threshold),
                RowText.Numbers(row, column) + Footnote(change?.Note, notes),
            ];
        }),
    ];

    static string[] GeomeanLine(Block block) =>
    [
        .. block.Geomean.SelectMany(IEnumerable<string> (mean, column) =>
        {
            var value = mean is { } figure ? Figures.Of(block.Unit, figure) : "";
            return column == 0 ? [$"geomean of {block.GeomeanRows}", value, ""] : [value, "", mean / block.Geomean[0] is { } factor ? Figures.Percent(factor) : "", "", "", ""];
        }),
    ];

    static string Footnote(string? note, List<string> notes)
    {
        if (note == null)
            return "";
        if (!notes.Contains(note))
            notes.Add(note);
        return $" [{notes.IndexOf(note) + 1}]";
    }

    // Names and words stand at the left, figures at the right; the gap before a column is wider than that within it.
    static string Pad(string text, int cell, int width)
    {
        if (cell == 0)
            return text.PadRight(width);
        if (width == 0)
            return "";
        var place = cell <= 2 ? cell - 1 : (cell - 3) % 6;
        return place is 0 or 2 ? "  " + text.PadLeft(width) : " " + text.PadRight(width);
    }
}
