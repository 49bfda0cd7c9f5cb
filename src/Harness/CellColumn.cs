using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;

namespace ProtoBench.Harness;

/// <summary>Cells to which the column does not apply show a dash. A cell that failed shows NA.</summary>
/// <param name="applies">Returns whether it applies to a cell. A table without such a cell does not have the column.</param>
/// <param name="value">Returns the text; null if it was not measured.</param>
sealed class CellColumn(string name, string legend, Func<BenchmarkCase, bool> applies, Func<BenchmarkReport, string?> value)
    : IColumn
{
    // BenchmarkDotNet's own column is hidden if all values are 0, which is important information here.
    public static CellColumn Collections(int generation) => new(
        $"Gen{generation}",
        $"Generation {generation} collections per 1,000 operations",
        _ => true,
        report => report is { Success: true, GcStats: { TotalOperations: > 0 } gc }
            ? ((generation == 0 ? gc.Gen0Collections : gc.Gen1Collections) * 1_000.0 / gc.TotalOperations)
                .ToString("N2", CultureInfo.InvariantCulture)
            : null)
    {
        Category = ColumnCategory.Metric,
        PriorityInCategory = generation,
    };

    public string Id => name;

    public string ColumnName => name;

    public string Legend => legend;

    public bool AlwaysShow => true;

    public ColumnCategory Category { get; init; } = ColumnCategory.Custom;

    public int PriorityInCategory { get; init; }

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
