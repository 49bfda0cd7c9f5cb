using System.Globalization;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Mathematics;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using ProtoBench.Results;

namespace ProtoBench.Columns;

/// <summary>A cell's median over that of its baseline, so that the baseline's own is exactly 1.</summary>
/// <param name="withInterval">Show how far the ratio's interval reaches, too.</param>
sealed class RatioColumn(bool withInterval) : BaselineCustomColumn
{
    public override string Id => withInterval ? nameof(RatioColumn) + ".Interval" : nameof(RatioColumn);

    public override string ColumnName => "Ratio";

    public override int PriorityInCategory => 0;

    public override bool IsNumeric => true;

    public override UnitType UnitType => UnitType.Dimensionless;

    public override string Legend => withInterval
        ? "Median over the baseline's median, and how far the 95 % interval of the ratio reaches within this launch"
        : "Median over the baseline's median";

    public override string GetValue(
        Summary summary, BenchmarkCase benchmarkCase, Statistics baseline, IReadOnlyDictionary<string, Metric> baselineMetrics,
        Statistics current, IReadOnlyDictionary<string, Metric> currentMetrics, bool isBaseline)
    {
        var ratio = current.Median / baseline.Median;
        var text = ratio.ToString(ratio < 0.1 ? "N3" : "N2", CultureInfo.InvariantCulture);
        return withInterval && !isBaseline
            ? $"{text} {Reach(ratio, RatioEstimate.Of(baseline.OriginalValues, current.OriginalValues, 0.05))}" : text;
    }

    static string Reach(double ratio, RatioEstimate estimate) => Spread.Of(ratio, estimate.Low, estimate.High);
}
