using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Mathematics;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;

namespace ProtoBench.Harness;

/// <summary>Represents the column <c>Ratio</c>: the median of a cell divided by the median of its baseline. The ratio of a baseline is
/// exactly 1.</summary>
class RatioColumn : BaselineCustomColumn
{
    public override string Id => nameof(RatioColumn);

    public override string ColumnName => "Ratio";

    public override int PriorityInCategory => 0;

    public override bool IsNumeric => true;

    public override UnitType UnitType => UnitType.Dimensionless;

    public override string Legend => "Median divided by the baseline's median";

    public override string GetValue(
        Summary summary, BenchmarkCase benchmarkCase, Statistics baseline, IReadOnlyDictionary<string, Metric> baselineMetrics,
        Statistics current, IReadOnlyDictionary<string, Metric> currentMetrics, bool isBaseline) => Text(baseline, current);

    /// <summary>Returns the ratio with two decimals, or three below 0.1.</summary>
    protected static string Text(Statistics baseline, Statistics current)
    {
        var ratio = current.Median / baseline.Median;
        return ratio.ToString(ratio < 0.1 ? "N3" : "N2", CultureInfo.InvariantCulture);
    }
}
