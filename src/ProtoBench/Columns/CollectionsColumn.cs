using System.Globalization;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;

namespace ProtoBench.Columns;

/// <summary>Collections of one generation per 1,000 operations. BenchmarkDotNet
/// hides its own column where all are 0; here 0 is the news.</summary>
public sealed class CollectionsColumn(int generation) : IColumn
{
    public string Id => ColumnName;

    public string ColumnName => $"Gen{generation}";

    public string Legend => $"Generation {generation} collections per 1,000 operations";

    public bool AlwaysShow => true;

    public ColumnCategory Category => ColumnCategory.Metric;

    public int PriorityInCategory => generation;

    public bool IsNumeric => true;

    public UnitType UnitType => UnitType.Dimensionless;

    public bool IsAvailable(Summary summary) => true;

    public bool IsDefault(Summary summary, BenchmarkCase benchmarkCase) => false;

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase, SummaryStyle style) => GetValue(summary, benchmarkCase);

    public string GetValue(Summary summary, BenchmarkCase benchmarkCase)
    {
        if (summary[benchmarkCase] is not { Success: true, GcStats: { TotalOperations: > 0 } gc })
            return "NA";
        var collections = generation == 0 ? gc.Gen0Collections : gc.Gen1Collections;
        return (collections * 1_000.0 / gc.TotalOperations).ToString("N2", CultureInfo.InvariantCulture);
    }
}
