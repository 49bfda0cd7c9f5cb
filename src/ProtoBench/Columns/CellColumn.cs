using System.Globalization;
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
    /// <summary>Collections of one generation per 1,000 operations. BenchmarkDotNet
    /// hides its own column where all are 0; here 0 is the news.</summary>
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
