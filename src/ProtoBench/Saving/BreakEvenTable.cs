using ProtoBench.Benchmarks;
using ProtoBench.Results;

namespace ProtoBench;

// For each number of items and leaf size the fastest way to decode, how many times faster than Google it is, and the ways whose times are
// within 15 % of it, because one process each cannot distinguish them.
static class BreakEvenTable
{
    const double alike = 1.15;
    const string verb = "Decode_";

    public static string? Of(IEnumerable<Cell> cells)
    {
        Way[] ways =
        [
            .. from cell in cells
               where cell.Unit.Name == "ns/op" && cell.Values.Count > 0 && cell.Name["type"] == nameof(BreakEvenBenchmarks)
               select new Way(Number(cell, nameof(BreakEvenBenchmarks.Items)), Number(cell, nameof(BreakEvenBenchmarks.LeafBytes)),
                   cell.Name["method"]![verb.Length..], Median.Of(cell.Values).Value),
        ];
        return ways.Length == 0 ? null : Of(ways);
    }

    internal static string Of(IReadOnlyCollection<Way> ways)
    {
        int[] leaves = [.. ways.Select(way => way.LeafBytes).Distinct().Order()];
        return Markdown.Table(["items \\ leaf bytes", .. leaves.Select(leaf => $"{leaf:N0}:")],
            ways.GroupBy(way => way.Items).OrderBy(row => row.Key).Select(items => (string[])
                [$"{items.Key:N0}", .. leaves.Select(leaf => Winner([.. items.Where(way => way.LeafBytes == leaf)]))]));
    }

    public static string Legend(IEnumerable<Cell> cells)
    {
        int[] Numbers(string name) =>
            [.. cells.Where(cell => cell.Name[name] is not null).Select(cell => Number(cell, name)).Distinct().Order()];
        string[] absent = [.. from items in Numbers(nameof(BreakEvenBenchmarks.Items))
            from leaf in Numbers(nameof(BreakEvenBenchmarks.LeafBytes))
            where BreakEvenMapAttribute.IsAbsent(items, leaf)
            select $"{items:N0} x {leaf:N0}"];
        return "The fastest by the median, how many times faster than Google it is, and what is within 15 % of it."
            + (absent.Length == 0 ? "" : $" Absent, because the payload is larger than 16 MiB: {string.Join("; ", absent)}.");
    }

    static string Winner(Way[] shape)
    {
        if (shape.Length == 0)
            return "-";
        var ordered = shape.OrderBy(way => way.Nanoseconds).ToList();
        var best = ordered[0];
        var google = Array.Find(shape, way => way.Name == "Google");
        var factor = google is null ? "" : $" {google.Nanoseconds / best.Nanoseconds:N1}x";
        var beside = ordered.Skip(1).Where(way => way.Nanoseconds < best.Nanoseconds * alike).Select(way => way.Name).ToList();
        return $"{best.Name}{factor}{(beside.Count == 0 ? "" : $" ({string.Join(", ", beside)})")}";
    }

    static int Number(Cell cell, string parameter) => int.Parse(cell.Name[parameter]!);

    internal sealed record Way(int Items, int LeafBytes, string Name, double Nanoseconds);
}
