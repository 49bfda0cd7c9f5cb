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
    /// <summary>Objects allocated by one operation: a whole number where the runtime's reports allow only that, else with how much it may be off; a dash where nobody counted.</summary>
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
        report.AllMeasurements.Where(measurement => measurement.Is(IterationMode.Workload, IterationStage.Actual)).Sum(measurement => measurement.Operations).ToString("N0", CultureInfo.InvariantCulture));

    static bool IsMarked(BenchmarkCase cell) => cell.Descriptor.Type.IsDefined(typeof(CostColumnsAttribute), inherit: false);
}
