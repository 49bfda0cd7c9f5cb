using ProtoBench.Report.Model;
using ProtoBench.Results;

namespace ProtoBench;

static class BestLibraries
{
    // libraries with times closer than this to the best are shown with it, because one process each cannot distinguish them
    const double alike = 1.15;

    /// <summary>Returns a row of Markdown for each data set: the fastest library to write, to read every field, and to read with .NET
    /// strings, and the smallest message. The libraries in brackets have times within 15 % of it, or messages of the same size.</summary>
    public static string Table(IEnumerable<ResultFile> files)
    {
        var grids = SetGrid.Of(ReportContent.Of([new Side("results", [.. files])], new ComparisonOptions(), []).Cells)
            .ToDictionary(grid => grid.Verb);
        if (!grids.TryGetValue("Serialize", out var written) || !grids.TryGetValue("DeserializeTouch", out var read))
            throw new InvalidDataException("no saved table of data sets, with Serialize and DeserializeTouch");
        var (time, size) = (SetMeasure.All[0], SetMeasure.All[1]);
        return Markdown.Table(
            ["Data set", "Fastest to write", "Fastest to read every field", "Fastest with .NET strings", "Smallest"],
            written.Sets.Select(set => (string[])
            [
                set, Best(written, set, time, written.Libraries), Best(read, set, time, read.Libraries),
                Best(read, set, time, read.WithStrings), Best(written, set, size, written.Libraries),
            ]));
    }

    static string Best(SetGrid grid, string set, SetMeasure measure, IReadOnlyCollection<string> among)
    {
        var row = grid.Row(set, measure).Where(cell => cell.Value is not null && among.Contains(cell.Library))
            .OrderBy(cell => cell.Value).ToArray();
        if (row.Length == 0)
            return "-";
        var best = row[0].Value!.Value;
        var limit = measure.Unit.Scale == Scale.Nanoseconds ? best * alike : best;
        string[] beside = [.. row.Skip(1).Where(cell => cell.Value <= limit).Select(cell => cell.Library)];
        return $"{row[0].Library}, {Text(measure, best)}{(beside.Length == 0 ? "" : $" ({string.Join(", ", beside)})")}";
    }

    static string Text(SetMeasure measure, double value) =>
        measure.Unit.Scale == Scale.Nanoseconds ? Figures.Of(measure.Unit, value) : value.ToString("N0") + " B";
}
