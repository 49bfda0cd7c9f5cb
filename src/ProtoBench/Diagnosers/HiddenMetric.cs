using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Reports;

namespace ProtoBench.Diagnosers;

/// <summary>A metric that is kept in the full JSON and has no column of BenchmarkDotNet's: a column of ours shows it.</summary>
sealed class HiddenMetric(string id, string legend) : IMetricDescriptor
{
    public string Id => id;

    public string DisplayName => id;

    public string Legend => legend;

    public string NumberFormat => "N2";

    public UnitType UnitType => UnitType.Dimensionless;

    public string Unit => "Count";

    public bool TheGreaterTheBetter => false;

    public int PriorityInCategory => 0;

    public bool GetIsAvailable(Metric metric) => false;
}
