namespace ProtoBench.Harness;

/// <param name="Value">The objects per operation; null if it is not known.</param>
/// <param name="Error">The maximum error of <paramref name="Value"/>; 0 for an exact count.</param>
sealed record ObjectCount(double? Value, double Error)
{
    // The runtime and BenchmarkDotNet allocate at the same time. One object in a hundred operations does not belong to the operation.
    const double foreign = 0.01;

    public static ObjectCount Unknown { get; } = new(null, 0);

    /// <summary>Computes the count. It is a whole number if the batches are exact enough.</summary>
    /// <param name="bytes">The bytes that one operation allocates. If there are bytes and no objects, the trace was not written.</param>
    public static ObjectCount Of(AllocatedObjects objects, long bytes)
    {
        if (objects.Operations == 0 || (objects.Total == 0 && bytes > 0))
            return Unknown;
        var value = objects.Total / (double)objects.Operations;
        var error = objects.Uncertain / (double)objects.Operations;
        var whole = Math.Round(value);
        return error < 0.5 && Math.Abs(value - whole) <= error + foreign ? new(whole, 0) : new(value, error);
    }

    /// <summary>Returns "7" for an exact count, "~10,511 ± 19" for a count with an error, and "unknown" if there is none.</summary>
    public override string ToString()
    {
        if (Value is not { } value)
            return "unknown";
        if (Error == 0 && double.IsInteger(value))
            return value.ToString("N0");
        var format = value >= 100 ? "N0" : "N2";
        return "~" + value.ToString(format) + (Error > 0 ? " ± " + Error.ToString(format) : "");
    }
}

/// <summary>Represents the objects that the measured iterations of a cell allocated, by type. Not thread-safe.</summary>
sealed class AllocatedObjects
{
    readonly Dictionary<string, (long Objects, long LargestBatch)> types = [];

    public long Operations { get; private set; }

    public IEnumerable<(string Type, long Objects)> ByType => types.Select(type => (type.Key, type.Value.Objects));

    public long Total => types.Values.Sum(type => type.Objects);

    // For each type, a batch may have begun before the iterations, and the last batch is not reported.
    public long Uncertain => types.Values.Sum(type => type.LargestBatch - 1);

    public void Add(string type, long batch)
    {
        var sum = types.GetValueOrDefault(type);
        types[type] = (sum.Objects + batch, Math.Max(sum.LargestBatch, batch));
    }

    public void AddOperations(long operations) => Operations += operations;
}
