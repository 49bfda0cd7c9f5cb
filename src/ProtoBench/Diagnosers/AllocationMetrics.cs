using BenchmarkDotNet.Reports;

namespace ProtoBench.Diagnosers;

/// <summary>How counts of objects are kept with a cell's results, in the full JSON too.
/// Where nothing is known there is no count, and the error is negative.</summary>
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

    /// <summary>What was kept; null for a cell whose objects were not counted.</summary>
    public static ObjectCount? Read(IReadOnlyDictionary<string, Metric> metrics) =>
        !metrics.TryGetValue(error, out var kept)
        ? null : metrics.TryGetValue(count, out var value) ? new(value.Value, kept.Value) : ObjectCount.Unknown;
}
