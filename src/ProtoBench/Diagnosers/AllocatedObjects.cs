namespace ProtoBench.Diagnosers;

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
