namespace ProtoBench.Diagnosers;

/// <summary>What an allocation sample says of the object: equal ones are counted together.</summary>
/// <param name="Type">The type's full name.</param>
/// <param name="Bytes">The object's size, headers included.</param>
public readonly record struct AllocatedObject(string Type, long Bytes)
{
    // The runtime samples one allocated byte in 100 KiB at random: docs of the event AllocationSampled, .NET 10.
    const double meanSamplingDistance = 102_400;

    /// <summary>The chance that an object of this size is sampled.</summary>
    public double Chance => 1 - Math.Exp(-Bytes / meanSamplingDistance);
}
