namespace ProtoBench.Diagnosers;

/// <summary>What was sampled while a cell's measured iterations ran. Not thread-safe.</summary>
public sealed class AllocationSamples
{
    readonly Dictionary<AllocatedObject, long> counts = [];

    /// <summary>Operations in those iterations.</summary>
    public long Operations { get; private set; }

    /// <summary>How often each kind of object was sampled.</summary>
    public IReadOnlyDictionary<AllocatedObject, long> Counts => counts;

    /// <summary>Adds one sample.</summary>
    public void Add(AllocatedObject sampled, long times = 1) => counts[sampled] = counts.GetValueOrDefault(sampled) + times;

    /// <summary>Adds an iteration's operations.</summary>
    public void AddOperations(long operations) => Operations += operations;
}
