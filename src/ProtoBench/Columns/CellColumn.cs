using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;

namespace ProtoBench.Columns;

/// <summary>A column of hive cells, computed from the name of the cell and what was measured. Other cells show a dash; a cell that failed shows NA.</summary>
public sealed class CellColumn(string name, string legend, Func<HiveCell, BenchmarkReport, string?> value) : IColumn
{
    public string Id => name;

    public string ColumnName => name;

    public string Legend => legend;

    public bool AlwaysShow => true;

    public ColumnCategory Category => ColumnCategory.Custom;

    public int PriorityInCategory => 0;

    public bool IsNumeric => true;

    public UnitType UnitType => UnitType.Dimensionless;

    public bool IsAvailable(Summary summary) => summary.BenchmarksCases.Any(benchmark => HiveCell.Parse(benchmark.Descriptor.WorkloadMethod.Name) is not null);

    public bool IsDefault(Summary summary, BenchmarkCase benchmarkCase) => false;

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase, SummaryStyle style) => GetValue(summary, benchmarkCase);

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase)
    {
        if (HiveCell.Parse(benchmarkCase.Descriptor.WorkloadMethod.Name) is not { } cell)
            return "-";
        var report = summary[benchmarkCase];
        return report?.ResultStatistics is null ? "NA" : value(cell, report) ?? "NA";
    }
}
