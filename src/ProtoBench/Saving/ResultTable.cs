using BenchmarkDotNet.Analysers;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Mathematics;
using BenchmarkDotNet.Reports;
using ProtoBench.Benchmarks;
using ProtoBench.Results;

namespace ProtoBench;

static class ResultTable
{
    static readonly string speed = HiveColumns.Rate.ColumnName;
    static readonly string[] figures = [speed, "Allocations", "Allocated"];

    public static void Print(Summary summary, bool wide, ILogger logger)
    {
        var isDry = IsDry(summary);
        logger.WriteLine();
        if (isDry)
            logger.WriteLine("This was a dry run; the times are not measurements.");
        if (wide)
            MarkdownExporter.Console.ExportToLog(summary, logger);
        else
            PrintNarrow(summary, isDry, logger);
        logger.WriteLine();
        if (!isDry)
            PrintRemarks(summary, logger);
    }

    public static bool IsDry(Summary summary) => summary.BenchmarksCases.All(cell =>
        cell.Job.Run.RunStrategy == RunStrategy.ColdStart && cell.Descriptor.Type != typeof(ColdStartBenchmarks));

    // 120 characters, with one column for the time and one for the ratio, each with the half-width of its interval
    static void PrintNarrow(Summary summary, bool isDry, ILogger logger)
    {
        foreach (var line in summary.HostEnvironmentInfo.ToFormattedString())
            logger.WriteLine(line);
        logger.WriteLine();
        var columns = Columns(summary, isDry).ToList();
        string[][] rows =
            [[.. columns.Select(column => column.Head)],
                .. summary.BenchmarksCases.Select((_, row) => columns.Select(column => column.Cell(row)).ToArray())];
        int[] widths = [.. columns.Select((_, column) => rows.Max(row => row[column].Length))];
        for (var row = 0; row < rows.Length; row++)
        {
            if (row > 1 && summary.Table.FullContentStartOfLogicalGroup[row - 1])
                logger.WriteLine($"|{string.Join('|', widths.Select(width => new string(' ', width + 2)))}|");
            logger.WriteLine(
                $"| "
                    + $"{string.Join(" | ", rows[row].Select((text, column) => columns[column].Right ? text.PadLeft(widths[column]) : text.PadRight(widths[column])))} |");
            if (row == 0)
                logger.WriteLine(
                    $"|{string.Join('|', widths.Select((width, column) => new string('-', width + 1) + (columns[column].Right ? ':' : '-')))}|");
        }
    }

    static IEnumerable<(string Head, bool Right, Func<int, string> Cell)> Columns(Summary summary, bool isDry)
    {
        var known = summary.Table.Columns;
        var ratio = new RatioIntervalColumn();
        foreach (var column in known.Where(column => column.OriginalColumn.Category == ColumnCategory.Params || column.Header == "Method"))
            yield return (column.Header, false, row => column.Content[row]);
        if (known.FirstOrDefault(column => column.Header == "Job") is { } job && job.Content.Distinct().Count() > 1)
            yield return (job.Header, false, row => job.Content[row]);
        yield return ("Time", true, row => TimeColumn.Of(summary.Reports[row]));
        if (!isDry && ratio.IsAvailable(summary))
            yield return (ratio.ColumnName, true, row => ratio.GetValue(summary, summary.BenchmarksCases[row]));
        var shown = figures.Where(name => !isDry || name != speed);
        foreach (var column in shown.SelectMany(name => known.Where(column => column.Header == name)))
            yield return (column.Header, true, row => column.Content[row]);
    }

    static void PrintRemarks(Summary summary, ILogger logger)
    {
        var remarks =
            Config.Analysers.SelectMany(analyser => analyser.Analyse(summary)).Where(remark => remark.Kind != ConclusionKind.Error);
        foreach (var kind in remarks.GroupBy(remark => (remark.Kind, remark.AnalyserId)))
        {
            string[] said = [.. kind.Select(Text).Distinct()];
            var more = said.Length > 1 ? $" (and {said.Length - 1} more, in the log)" : "";
            logger.WriteLine($"{kind.Key.Kind}, {kind.Key.AnalyserId}: {said[0].ReplaceLineEndings(" ")}{more}");
        }

        if (WideIntervals.Sentence(summary.Reports.Select(report => report.ResultStatistics).OfType<Statistics>()
            .Select(statistics => statistics.OriginalValues)) is { } wide)
        {
            logger.WriteLine(wide
                + " The verb duet alternates between two cells, which works on a busy machine: duet --filter '*Request*' --pair Google=Slab");
        }
    }

    static string Text(Conclusion remark) =>
        remark.Report is { } report ? $"{report.BenchmarkCase.Descriptor.WorkloadMethod.Name}: {remark.Message}" : remark.Message;
}
