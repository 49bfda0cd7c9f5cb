using BenchmarkDotNet.Mathematics;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using ProtoBench.Harness;
using ProtoBench.Results;

namespace ProtoBench;

sealed class RatioIntervalColumn : RatioColumn
{
    public override string Id => nameof(RatioIntervalColumn);

    public override string Legend =>
        "Median divided by the baseline's median, and how far the 95 % interval of the ratio reaches within this launch";

    public override string GetValue(
        Summary summary, BenchmarkCase benchmarkCase, Statistics baseline, IReadOnlyDictionary<string, Metric> baselineMetrics,
        Statistics current, IReadOnlyDictionary<string, Metric> currentMetrics, bool isBaseline)
    {
        var text = Text(baseline, current);
        return isBaseline ? text : $"{text} {Reach(RatioEstimate.Of(baseline.OriginalValues, current.OriginalValues, 0.05))}";

        string Reach(RatioEstimate estimate) => Spread.Of(current.Median / baseline.Median, estimate.Low, estimate.High);
    }
}
