using BenchmarkDotNet.Analysers;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Validators;

namespace ProtoBench.Harness;

/// <summary>Stores counts in the full JSON. An unknown count is stored as a negative error without a count.</summary>
static class AllocationMetrics
{
    const string count = "AllocatedObjects";
    const string error = "AllocatedObjectsError";
    const double unknown = -1;

    public static IEnumerable<Metric> Of(AllocatedObjects heard, long? exactBytes)
    {
        var objects = exactBytes is { } bytes ? ObjectCount.Of(heard, bytes) : ObjectCount.Unknown;
        if (objects.Value is { } value)
            yield return new(new HiddenMetric(count, "Objects allocated by one operation"), value);
        yield return new(new HiddenMetric(error, "How much AllocatedObjects may be off; 0: an exact count; -1: the count is not known"),
            objects.Value is null ? unknown : objects.Error);
    }

    public static ObjectCount? Read(IReadOnlyDictionary<string, Metric> metrics) =>
        !metrics.TryGetValue(error, out var kept)
        ? null : metrics.TryGetValue(count, out var value) ? new(value.Value, kept.Value) : ObjectCount.Unknown;
}

abstract class OwnDiagnoser : IDiagnoser
{
    public IEnumerable<string> Ids => [GetType().Name];

    public IEnumerable<IExporter> Exporters => [];

    public IEnumerable<IAnalyser> Analysers => [];

    public abstract RunMode GetRunMode(BenchmarkCase benchmarkCase);

    public abstract void Handle(HostSignal signal, DiagnoserActionParameters parameters);

    public abstract IEnumerable<Metric> ProcessResults(DiagnoserResults results);

    public virtual void DisplayResults(ILogger logger)
    {
    }

    public IEnumerable<ValidationError> Validate(ValidationParameters validationParameters) => [];
}

/// <summary>Represents a metric of the full JSON without a column of BenchmarkDotNet. A column of this program shows it.</summary>
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
