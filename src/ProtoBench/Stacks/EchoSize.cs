namespace ProtoBench.Stacks;

/// <summary>Bytes of an echo's body, as the published comparison spells them.</summary>
public sealed record EchoSize(int Bytes)
{
    /// <summary>1K and 64K.</summary>
    public static IReadOnlyList<EchoSize> All { get; } = [new(1 << 10), new(64 << 10)];

    public override string ToString() => $"{Bytes >> 10}K";
}
