using ProtoBench.Report.Model;
using ProtoBench.Results;

namespace ProtoBench;

static class BestLibraries
{
    /// <summary>Times closer than this to the best are shown with it, because one process each cannot distinguish them.</summary>
    public const double Alike = 1.15;

    // a size is computed from a rate and a time, and is up to 4 of 10 million bytes too large or too small
    const double sameSize = 1.000001;

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
            ["Data set", "Fastest to write what exists", "Fastest to read every field", "Fastest with .NET strings", "Smallest"],
            written.Sets.Select(set => (string[])
            [
                set, Best(written, set, time, written.Libraries), Best(read, set, time, read.Libraries),
                Best(read, set, time, read.WithStrings), Best(written, set, size, written.Libraries),
            ]));
    }

    /// <summary>Returns the name with the smallest value, a text about this value, and in brackets the names whose values are up to
    /// <paramref name="alike"/> times as large.</summary>
    public static string Best(IEnumerable<(string Name, double Value)> values, double alike, Func<double, string> text)
    {
        var ordered = values.OrderBy(one => one.Value).ToArray();
        if (ordered.Length == 0)
            return "-";
        var (name, best) = ordered[0];
        string[] beside = [.. ordered.Skip(1).Where(one => one.Value <= best * alike).Select(one => one.Name)];
        return $"{name}{text(best)}{(beside.Length == 0 ? "" : $" ({string.Join(", ", beside)})")}";
    }

    static string Best(SetGrid grid, string set, SetMeasure measure, IReadOnlyCollection<string> among)
    {
        var values = from cell in grid.Row(set, measure)
                     where cell.Value is not null && among.Contains(cell.Library)
                     select (cell.Library, cell.Value!.Value);
        return Best(values, measure.Unit.Scale == Scale.Nanoseconds ? Alike : sameSize, best => ", " + Text(measure, best));
    }

    static string Text(SetMeasure measure, double value) =>
        measure.Unit.Scale == Scale.Nanoseconds ? Figures.Of(measure.Unit, value) : value.ToString("N0") + " B";
}
