using System.Globalization;
using System.Text;
using BenchmarkDotNet.Reports;
using ProtoBench.Benchmarks;
using ProtoBench.Running;

namespace ProtoBench.Saving;

/// <summary>Formats the break-even map as a Markdown table: for each number of items and leaf size the fastest way to decode, and how many
/// times faster than Google it is.</summary>
static class BreakEvenTable
{
    /// <summary>Ways with times closer than this to the fastest are shown with it, because one process each cannot distinguish
    /// them.</summary>
    const double alike = 1.15;

    /// <summary>Returns the table; null if the run has no cell of the map.</summary>
    public static string? Of(Summary summary)
    {
        var cells = summary.Reports
            .Where(report => report.BenchmarkCase.Descriptor.Type == typeof(BreakEvenBenchmarks) && report.ResultStatistics is not null)
            .Select(report =>
                new Cell(Parameter(report, nameof(BreakEvenBenchmarks.Items)), Parameter(report, nameof(BreakEvenBenchmarks.LeafBytes)),
                    report.BenchmarkCase.Descriptor.WorkloadMethod.Name["Decode_".Length..], report.ResultStatistics!.Median))
            .ToList();
        return cells.Count == 0 ? null : Of(cells);
    }

    internal static string Of(IReadOnlyCollection<Cell> cells)
    {
        int[] leaves = [.. cells.Select(cell => cell.LeafBytes).Distinct().Order()];
        int[] items = [.. cells.Select(cell => cell.Items).Distinct().Order()];
        var table = new StringBuilder("| items \\ leaf bytes |");
        foreach (var leaf in leaves)
            table.Append(CultureInfo.InvariantCulture, $" {leaf:N0} |");
        table.Append("\n| ---: |").Insert(table.Length, " --- |", leaves.Length).Append('\n');
        foreach (var count in items)
        {
            table.Append(CultureInfo.InvariantCulture, $"| {count:N0} |");
            foreach (var leaf in leaves)
                table.Append(CultureInfo.InvariantCulture,
                    $" {Winner([.. cells.Where(cell => cell.Items == count && cell.LeafBytes == leaf)])} |");
            table.Append('\n');
        }

        var absent = items.SelectMany(count => leaves.Where(leaf => BreakEvenMapAttribute.IsAbsent(count, leaf))
            .Select(leaf => $"{count:N0} x {leaf:N0}")).ToList();
        table.Append("\nThe fastest by the median, how many times faster than Google it is, and what is within 15 % of it.");
        if (absent.Count > 0)
            table.Append(CultureInfo.InvariantCulture, $" Absent, because the payload is larger than 16 MiB: {string.Join("; ", absent)}.");
        return table.Append('\n').ToString();
    }

    static string Winner(List<Cell> shape)
    {
        if (shape.Count == 0)
            return "-";
        var ordered = shape.OrderBy(cell => cell.Nanoseconds).ToList();
        var best = ordered[0];
        var google = shape.FirstOrDefault(cell => cell.Way == "Google");
        var factor = google is null ? "" : string.Create(CultureInfo.InvariantCulture, $" {google.Nanoseconds / best.Nanoseconds:N1}x");
        var beside = ordered.Skip(1).Where(cell => cell.Nanoseconds < best.Nanoseconds * alike).Select(cell => cell.Way).ToList();
        return $"{best.Way}{factor}{(beside.Count == 0 ? "" : $" ({string.Join(", ", beside)})")}";
    }

    static int Parameter(BenchmarkReport report, string name) => (int)report.BenchmarkCase.Parameters[name];

    /// <summary>Represents one way to decode one shape.</summary>
    internal sealed record Cell(int Items, int LeafBytes, string Way, double Nanoseconds);
}
