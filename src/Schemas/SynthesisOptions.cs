namespace ProtoBench.Schemas;

/// <summary>What synthesized messages look like.</summary>
public sealed record SynthesisOptions
{
    /// <summary>Seed of the generator: the same seed and schema give the same messages.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>Fewest elements of a repeated field or a map.</summary>
    public int FewestElements { get; init; }

    /// <summary>Most elements of a repeated field or a map.</summary>
    public int MostElements { get; init; } = 8;

    /// <summary>Shortest string or bytes field, in bytes.</summary>
    public int ShortestString { get; init; } = 1;

    /// <summary>Longest string or bytes field, in bytes. Lengths are log-uniform: short ones are frequent, long ones rare.</summary>
    public int LongestString { get; init; } = 64;

    /// <summary>The share of singular fields that are set.</summary>
    public double SetShare { get; init; } = 0.8;

    /// <summary>How deep messages are nested at the most.</summary>
    public int MaxDepth { get; init; } = 5;
}
