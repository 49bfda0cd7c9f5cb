using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;

namespace ProtoBench.Columns;

/// <summary>A column computed from a cell and what was measured. Cells that
/// it does not apply to show a dash; a cell that failed shows NA.</summary>
/// <param name="name">The head of the column.</param>
/// <param name="legend">What it means, below the table.</param>
/// <param name="applies">Whether it says anything of this cell. A table without any such cell does not have the column.</param>
/// <param name="value">The text; null where it was not measured.</param>
public sealed class CellColumn(string name, string legend, Func<BenchmarkCase, bool> applies, Func<BenchmarkReport, string?> value)
    : IColumn
{
    public string Id => name;

    public string ColumnName => name;

    public string Legend => legend;

    public bool AlwaysShow => true;

    public ColumnCategory Category => ColumnCategory.Custom;

    public int PriorityInCategory => 0;

    public bool IsNumeric => true;

    public UnitType UnitType => UnitType.Dimensionless;

    public bool IsAvailable(Summary summary) => summary.BenchmarksCases.Any(applies);

    public bool IsDefault(Summary summary, BenchmarkCase benchmarkCase) => false;

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase, SummaryStyle style) => GetValue(summary, benchmarkCase);

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase)
    {
        if (!applies(benchmarkCase))
            return "-";
        var report = summary[benchmarkCase];
        return report?.ResultStatistics is null ? "NA" : value(report) ?? "NA";
    }
}
