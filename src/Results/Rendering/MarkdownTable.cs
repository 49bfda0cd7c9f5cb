namespace ProtoBench.Results;

public static class MarkdownTable
{
    public static void Write(Comparison comparison, TextWriter writer)
    {
        foreach (var warning in comparison.Warnings)
            writer.Write($"> **Note:** {Escape(warning)}\n>\n");
        writer.Write(comparison.Warnings.Count > 0 ? "\n" : "");
        foreach (var line in RowText.Heading(comparison))
            writer.Write($"- {Escape(line)}\n");
        foreach (var block in comparison.Blocks)
        {
            writer.Write($"\n**{Escape(RowText.Title(block.Unit))}**\n\n");
            WriteBlock(comparison, block, writer);
        }

        writer.Write("\n");
        foreach (var line in RowText.Missing(comparison).Concat(RowText.Legend(comparison)))
            writer.Write($"- {Escape(line)}\n");
    }

    static void WriteBlock(Comparison comparison, Block block, TextWriter writer)
    {
        Line(["", .. comparison.Columns.SelectMany(IEnumerable<string> (label, column) => column == 0
            ? [Escape(label)] : [Escape(label), "change", ""])]);
        Line(["---", .. comparison.Columns.SelectMany(IEnumerable<string> (_, column) => column == 0 ? ["--:"] : ["--:", "--:", "---"])]);
        foreach (var row in block.Rows)
            Line([Code(row.Name), .. comparison.Columns.SelectMany((_, column) => Cells(comparison, block.Unit, row, column))]);
        if (block.GeomeanRows > 1 && block.Geomean.Any(mean => mean != null))
        {
            Line(
            [
                $"geomean of {block.GeomeanRows}",
                .. block.Geomean.SelectMany(IEnumerable<string> (mean, column) =>
                {
                    var value = mean is { } figure ? Figures.Of(block.Unit, figure) : "";
                    var change = column == 0 ? null : block.GeomeanChange[column];
                    return column == 0
                        ? [value] : [value,
                            change is { } ratio
                            ? Joined(Figures.Percent(ratio.Value), block.Unit.Derived ? "" : RowText.Interval(change)) : "", ""];
                }),
            ]);
        }

        void Line(string[] cells) => writer.Write($"| {string.Join(" | ", cells)} |\n");
    }

    static string[] Cells(Comparison comparison, Unit unit, Row row, int column)
    {
        var value = Joined(RowText.Value(unit, row.Samples[column]), RowText.Spread(unit, row.Samples[column]));
        if (column == 0)
            return [value];
        var change = row.Changes[column];
        var verdict = RowText.Word(change, comparison.Threshold);
        return
        [
            value,
            Joined(RowText.Percent(unit, change), RowText.Interval(unit, change)),
            Joined(verdict.Length > 0 ? $"**{verdict}**" : "", RowText.Numbers(row, column), change?.Note ?? ""),
        ];
    }

    static string Joined(params string[] words) => string.Join(' ', words.Where(word => word.Length > 0));

    // In code, only the vertical bar of tables has a meaning.
    static string Code(string name) => $"`{name.Replace('`', '\'').Replace("|", @"\|", StringComparison.Ordinal)}`";

    static string Escape(string text) => text.Replace("|", @"\|", StringComparison.Ordinal).Replace("<", "&lt;", StringComparison.Ordinal);
}
