using ProtoBench.Report.Model;
using ProtoBench.Results;

namespace ProtoBench;

// For each number of items and leaf size the fastest way to decode, how many times faster than Google it is, and the ways whose times are
// within 15 % of it.
static class BreakEvenTable
{
    /// <summary>Returns the map of a file; null if it has no cell of one.</summary>
    public static BreakEven? Map(ResultFile file) =>
        ReportContent.Of([new Side("run", [file])], new(), []).Maps is [var map, ..] ? map : null;

    public static string Of(BreakEven map) => Markdown.Table(
        ["items \\ leaf bytes", .. map.LeafBytes.Select(leaf => $"{leaf:N0}:")],
        map.Items.Select(items => (string[])[$"{items:N0}", .. map.LeafBytes.Select(leaf => Best(map, items, leaf))]));

    public static string Legend(BreakEven map)
    {
        string[] absent = [.. from items in map.Items
            from leaf in map.LeafBytes
            where BreakEvenMapAttribute.IsAbsent((int)items, (int)leaf)
            select $"{items:N0} x {leaf:N0}"];
        return "The fastest by the median, how many times faster than Google it is, and what is within 15 % of it."
            + (absent.Length == 0 ? "" : $" Absent, because the payload is larger than 16 MiB: {string.Join("; ", absent)}.");
    }

    static string Best(BreakEven map, double items, double leaf)
    {
        var times = from way in map.Ways
                    let cell = map.Cells.GetValueOrDefault((way, items, leaf))
                    where cell is not null
                    select (way, cell.Time.Value);
        var google = map.Cells.GetValueOrDefault(("Google", items, leaf))?.Time.Value;
        return BestLibraries.Best(times, BestLibraries.Alike, best => google is null ? "" : $" {google / best:N1}x");
    }
}
