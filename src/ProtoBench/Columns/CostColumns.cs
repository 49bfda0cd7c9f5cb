using System.Globalization;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using ProtoBench.Diagnosers;
using ProtoBench.Running;

namespace ProtoBench.Columns;

/// <summary>What published tables have beside time and bytes.</summary>
public static class CostColumns
{
    /// <summary>All of them, in the order of the table.</summary>
    /// <param name="counting">How objects are counted.</param>
    internal static IReadOnlyList<IColumn> All(AllocationCounting counting) =>
        [Allocations(counting), Cpu, Operations, Throughput, PauseShare, Pause, Memory];

    /// <summary>Objects allocated by one operation: a whole number where the runtime's reports
    /// allow only that, else with how much it may be off; a dash where nobody counted.</summary>
    internal static IColumn Allocations(AllocationCounting counting) => new CellColumn(
        "Allocations",
        "Objects allocated by one operation; ~x ± e: it may be off by e",
        cell => AllocationsDiagnoser.Counts(counting, cell),
        report => AllocationMetrics.Read(report.Metrics)?.ToString() ?? "-");

    /// <summary>Processor time over wall time of the measured iterations, divided by the cores.</summary>
    public static IColumn Cpu { get; } = new CellColumn("CPU %", "Processor time over wall time, divided by the cores", IsMarked, report =>
        report.Metrics.TryGetValue(CpuDiagnoser.Cpu, out var share) ? share.Value.ToString("N0", CultureInfo.InvariantCulture) : "-");

    /// <summary>How many operations were timed.</summary>
    public static IColumn Operations { get; } = new CellColumn("Operations", "Operations that were timed", IsMarked, report =>
        report.AllMeasurements.Where(measurement => measurement.Is(IterationMode.Workload, IterationStage.Actual))
            .Sum(measurement => measurement.Operations).ToString("N0", CultureInfo.InvariantCulture));

    /// <summary>Decoded messages a second, over all threads.</summary>
    internal static IColumn Throughput { get; } =
        OfCollector("Messages/s", "Messages a second, over all threads of the process",
            cost => cost.Operations.ToString("N0", CultureInfo.InvariantCulture));

    /// <summary>The share of the time in which the collector stopped all threads.</summary>
    internal static IColumn PauseShare { get; } =
        OfCollector("Pause %", "Share of the time in which all threads were stopped",
            cost => cost.PausePercent.ToString("N2", CultureInfo.InvariantCulture));

    /// <summary>The mean pause.</summary>
    internal static IColumn Pause { get; } =
        OfCollector("Pause us", "Mean length of a pause in microseconds",
            cost => cost.PauseMicroseconds.ToString("N1", CultureInfo.InvariantCulture));

    /// <summary>The process's memory.</summary>
    internal static IColumn Memory { get; } =
        OfCollector("Peak MiB", "Largest working set of the process, in MiB",
            cost => (cost.WorkingSet / 1_048_576.0).ToString("N0", CultureInfo.InvariantCulture));

    static CellColumn OfCollector(string name, string legend, Func<CollectorCost, string> text) => new(
        name, legend, cell => cell.Descriptor.Type.IsDefined(typeof(GcModesAttribute), inherit: false),
            report => CollectorCost.Of(report) is { } cost ? text(cost) : "-");

    static bool IsMarked(BenchmarkCase cell) => cell.Descriptor.Type.IsDefined(typeof(CostColumnsAttribute), inherit: false);
}
