using System.Globalization;
using BenchmarkDotNet.Reports;

namespace ProtoBench.Diagnosers;

/// <summary>Objects allocated by one operation.</summary>
/// <param name="Value">Objects per operation; null: nothing is known.</param>
/// <param name="Error">How much <paramref name="Value"/> may be off; 0 for an exact count.</param>
public sealed record ObjectCount(double? Value, double Error)
{
    // What the runtime itself and BenchmarkDotNet allocate meanwhile: an object in a hundred operations is none of the operation's.
    const double foreign = 0.01;

    /// <summary>Nothing can be said.</summary>
    public static ObjectCount Unknown { get; } = new(null, 0);

    /// <summary>The count, whole where the batches leave no doubt.</summary>
    /// <param name="objects">What the runtime reported, and over how many operations.</param>
    /// <param name="bytes">Bytes that one operation allocates: no objects, but bytes, is a trace that was not written.</param>
    public static ObjectCount Of(AllocatedObjects objects, long bytes)
    {
        if (objects.Operations == 0 || (objects.Total == 0 && bytes > 0))
            return Unknown;
        var value = objects.Total / (double)objects.Operations;
        var error = objects.Uncertain / (double)objects.Operations;
        var whole = Math.Round(value);
        return error < 0.5 && Math.Abs(value - whole) <= error + foreign ? new(whole, 0) : new(value, error);
    }

    /// <summary>"7" where the count is exact, "~10,511 ± 19" where it is not, "unknown" where there is none.</summary>
    public override string ToString()
    {
        if (Value is not { } value)
            return "unknown";
        if (Error == 0 && double.IsInteger(value))
            return value.ToString("N0", CultureInfo.InvariantCulture);
        var format = value >= 100 ? "N0" : "N2";
        return "~" + value.ToString(format, CultureInfo.InvariantCulture)
            + (Error > 0 ? " ± " + Error.ToString(format, CultureInfo.InvariantCulture) : "");
    }
}

/// <summary>The objects that a cell's measured iterations allocated, by type. Not thread-safe.</summary>
public sealed class AllocatedObjects
{
    readonly Dictionary<string, (long Objects, long LargestBatch)> types = [];

    /// <summary>Operations in those iterations.</summary>
    public long Operations { get; private set; }

    /// <summary>How many of each type.</summary>
    public IEnumerable<(string Type, long Objects)> ByType => types.Select(type => (type.Key, type.Value.Objects));

    /// <summary>All of them.</summary>
    public long Total => types.Values.Sum(type => type.Objects);

    /// <summary>How many the sum may be off: of each type, a batch may have begun
    /// before the iterations, and the last one has not been reported.</summary>
    public long Uncertain => types.Values.Sum(type => type.LargestBatch - 1);

    /// <summary>Adds a batch of one type, as the runtime reports it.</summary>
    public void Add(string type, long batch)
    {
        var sum = types.GetValueOrDefault(type);
        types[type] = (sum.Objects + batch, Math.Max(sum.LargestBatch, batch));
    }

    /// <summary>Adds an iteration's operations.</summary>
    public void AddOperations(long operations) => Operations += operations;
}

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
