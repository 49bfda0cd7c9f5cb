using System.Runtime.CompilerServices;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using ProtoBench.Benchmarks;
using ProtoBench.Harness;

namespace ProtoBench;

public static class HiveColumns
{
    public static IReadOnlyList<IColumn> BehindTheTime => [Rate, PerItem, Payload, Compressed];

    public static IReadOnlyList<IColumn> Last => [AllocatedPerWireByte, Library];

    /// <summary>Gets the column of megabytes (10^6 bytes) of payload per second.</summary>
    public static IColumn Rate { get; } =
        new CellColumn("MB/s", "Payload megabytes (10^6 bytes) per second, from the median", IsSized, report =>
        Format(Bytes(report) / Nanoseconds(report) * 1e3, "N0"));

    public static IColumn Payload { get; } =
        new CellColumn("Payload", "Bytes of the message on the wire", IsSized, report => Format(Bytes(report), "N0"));

    public static IColumn Compressed { get; } =
        new CellColumn("Compressed", "Bytes of the compressed message", cell => cell.Descriptor.Type == typeof(CompressionBenchmarks),
            report => Format(CompressionBenchmarks.CompressedBytes(report.BenchmarkCase), "N0"));

    public static IColumn PerItem { get; } =
        new CellColumn("ns/item", "Nanoseconds for each of the message's sub-items, from the median", IsHive, report =>
        Format(Nanoseconds(report) / HiveCell.Items, "N2"));

    public static IColumn AllocatedPerWireByte { get; } =
        new CellColumn("Alloc/wire B", "Allocated bytes for each byte on the wire", IsSized, report =>
        report.GcStats.GetBytesAllocatedPerOperation(report.BenchmarkCase) is { } bytes ? Format(bytes / Bytes(report), "N3") : null);

    public static IColumn Library { get; } =
        new CellColumn("Library", "Package and version that was measured", IsHive,
            report => HiveCell.Of(report.BenchmarkCase)!.Library is { Package: not null } library ? library.PackageAndVersion : "-");

    static bool IsHive(BenchmarkCase cell) => HiveCell.Of(cell) is not null;

    static bool IsSized(BenchmarkCase cell) => WireBytes.Of(cell) is not null;

    static double Bytes(BenchmarkReport report) => WireBytes.Of(report.BenchmarkCase)!.Value;

    static double Nanoseconds(BenchmarkReport report) => report.ResultStatistics!.Median;

    static string Format(double value, string format) => value.ToString(format);
}

static class WireBytes
{
    static readonly ConditionalWeakTable<BenchmarkCase, StrongBox<long>> known = [];

    /// <summary>Returns the number from the name of a hive cell, or from the class of the cell; null if there is none.</summary>
    public static long? Of(BenchmarkCase cell)
    {
        if (HiveCell.Of(cell) is { } hive)
            return hive.WireBytes;
        return typeof(ISizedCells).IsAssignableFrom(cell.Descriptor.Type)
            ? known.GetValue(cell, static cell => new(Ask(cell))).Value : null;
    }

    static long Ask(BenchmarkCase cell)
    {
        var instance = (ISizedCells)Activator.CreateInstance(cell.Descriptor.Type)!;
        foreach (var parameter in cell.Parameters.Items.Where(item => !item.IsArgument))
            cell.Descriptor.Type.GetProperty(parameter.Name)!.SetValue(instance, parameter.Value);
        return instance.WireBytes(cell.Descriptor.WorkloadMethod.Name);
    }
}

public static class CostColumns
{
    internal static IReadOnlyList<IColumn> All(AllocationCounting counting) =>
        [Harness.AllocationsDiagnoser.Column(cell => Counts(counting, cell)), Cpu, Operations, Throughput, PauseShare, Pause, Memory];

    internal static bool Counts(AllocationCounting counting, BenchmarkCase cell) =>
        Harness.AllocationsDiagnoser.Counts(counting, cell, IsMarked(cell));

    internal static AllocationsDiagnoser AllocationsDiagnoser(AllocationCounting counting) =>
        new(cell => Counts(counting, cell), counting == AllocationCounting.Types);

    public static IColumn Cpu { get; } = new CellColumn("CPU %", "Processor time over wall time, divided by the cores", IsMarked, report =>
        report.Metrics.TryGetValue(CpuDiagnoser.Cpu, out var share) ? share.Value.ToString("N0") : "-");

    public static IColumn Operations { get; } = new CellColumn("Operations", "Operations that were timed", IsMarked, report =>
        report.AllMeasurements.Where(measurement => measurement.Is(IterationMode.Workload, IterationStage.Actual))
            .Sum(measurement => measurement.Operations).ToString("N0"));

    internal static IColumn Throughput { get; } =
        OfCollector("Messages/s", "Messages a second, over all threads of the process",
            cost => cost.Operations.ToString("N0"));

    internal static IColumn PauseShare { get; } =
        OfCollector("Pause %", "Share of the time in which all threads were stopped",
            cost => cost.PausePercent.ToString("N2"));

    internal static IColumn Pause { get; } =
        OfCollector("Pause μs", "Mean length of a pause in microseconds",
            cost => cost.PauseMicroseconds.ToString("N1"));

    internal static IColumn Memory { get; } =
        OfCollector("Peak MiB", "Largest working set of the process, in MiB",
            cost => (cost.WorkingSet / 1_048_576.0).ToString("N0"));

    static CellColumn OfCollector(string name, string legend, Func<CollectorCost, string> text) => new(
        name, legend, cell => cell.Descriptor.Type.IsDefined(typeof(GcModesAttribute), inherit: false),
            report => CollectorCost.Of(report) is { } cost ? text(cost) : "-");

    static bool IsMarked(BenchmarkCase cell) => cell.Descriptor.Type.IsDefined(typeof(CostColumnsAttribute), inherit: false);
}
