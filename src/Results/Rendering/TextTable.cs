namespace ProtoBench.Results;

/// <summary>Writes a comparison as text for a terminal. No line is longer than <see cref="Width"/>.</summary>
public static class TextTable
{
    public const int Width = 120;

    const int longestLabel = 24;

    public static void Write(Comparison comparison, TextWriter writer)
    {
        foreach (var line in RowText.Heading(comparison))
            WriteWrapped(line, writer);
        foreach (var block in comparison.Blocks)
        {
            writer.Write("\n");
            WriteWrapped(RowText.Title(block.Unit), writer);
            var notes = new List<string>();
            for (var column = 1; column < comparison.Columns.Count; column++)
                WriteTable(comparison, block, column, notes, writer);
            for (var i = 0; i < notes.Count; i++)
                WriteWrapped($"[{i + 1}] {notes[i]}", writer);
        }

        writer.Write("\n");
        foreach (var line in RowText.Missing(comparison).Concat(RowText.Legend(comparison)))
            WriteWrapped(line, writer);
    }

    // name | value spread | value spread percent interval verdict numbers
    static void WriteTable(Comparison comparison, Block block, int column, List<string> notes, TextWriter writer)
    {
        List<string[]> lines =
        [
            ["", Label(comparison.Columns[0]), "", Label(comparison.Columns[column]), "", "change", "", "", ""],
            .. block.Rows.Where(row => row.Samples[0] != null || row.Samples[column] != null)
                .Select(row => Line(comparison, block.Unit, row, column, notes)),
        ];
        if (block.GeomeanRows > 1 && block.Geomean[0] != null)
            lines.Add(GeomeanLine(block, column));
        var widths = Enumerable.Range(0, lines[0].Length).Select(cell => lines.Max(line => line[cell].Length)).ToArray();

        // A name that leaves no space for the figures has a line of its own.
        var figures = Enumerable.Range(1, widths.Length - 1).Sum(cell => Pad("", cell, widths[cell]).Length);
        widths[0] = lines.Select(line => line[0].Length).Where(length => length + figures <= Width).DefaultIfEmpty(0).Max();
        foreach (var line in lines)
        {
            var name = line[0];
            if (name.Length > widths[0])
            {
                WriteWrapped(name, writer);
                name = "";
            }

            WriteCells([name.PadRight(widths[0]), .. line.Skip(1).Select((text, at) => Pad(text, at + 1, widths[at + 1]))], writer);
        }
    }

    // Figures that are too wide even without a name continue in the next line.
    static void WriteCells(IEnumerable<string> cells, TextWriter writer)
    {
        var written = "";
        foreach (var cell in cells)
        {
            if (written.Length + cell.TrimEnd().Length > Width)
            {
                writer.Write(written.TrimEnd() + "\n");
                written = "  ";
            }

            written += cell;
        }

        writer.Write(written.TrimEnd() + "\n");
    }

    static string[] Line(Comparison comparison, Unit unit, Row row, int column, List<string> notes)
    {
        var (old, sample, change) = (row.Samples[0], row.Samples[column], row.Changes[column]);
        return
        [
            row.Name, RowText.Value(unit, old), RowText.Spread(unit, old), RowText.Value(unit, sample), RowText.Spread(unit, sample),
            RowText.Percent(unit, change), RowText.Interval(unit, change), RowText.Word(change, comparison.Threshold),
                RowText.Numbers(row, column) + Footnote(change?.Note, notes),
        ];
    }

    static string[] GeomeanLine(Block block, int column)
    {
        string Value(int at) => block.Geomean[at] is { } mean ? Figures.Of(block.Unit, mean) : "";
        var change = block.GeomeanChange[column];
        return
        [
            $"geomean of {block.GeomeanRows}", Value(0), "", Value(column), "",
            change is { } ratio ? Figures.Percent(ratio.Value) : "", block.Unit.Derived ? "" : RowText.Interval(change), "", "",
        ];
    }

    static string Label(string label) => label.Length <= longestLabel ? label : "…" + label[^(longestLabel - 1)..];

    static string Footnote(string? note, List<string> notes)
    {
        if (note == null)
            return "";
        if (!notes.Contains(note))
            notes.Add(note);
        return $" [{notes.IndexOf(note) + 1}]";
    }

    // Names and words are left-aligned, figures right-aligned. The gap before a column is wider than the gaps within it.
    static string Pad(string text, int cell, int width) =>
        width == 0 ? "" : cell is 1 or 3 or 5 ? "  " + text.PadLeft(width) : " " + text.PadRight(width);

    // Breaks lines at a space if there is one. The following lines are indented.
    static void WriteWrapped(string line, TextWriter writer)
    {
        while (line.Length > Width)
        {
            var space = line.LastIndexOf(' ', Width);
            var end = space > Width / 2 ? space : Width;
            writer.Write(line[..end].TrimEnd() + "\n");
            line = "  " + line[end..].TrimStart();
        }

        writer.Write(line + "\n");
    }
}
