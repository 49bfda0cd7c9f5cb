namespace ProtoBench.Results;

/// <summary>What a figure is measured in.</summary>
/// <param name="Name">As tables print it, for example <c>ns/op</c> or <c>service p99</c>.</param>
/// <param name="Scale">How its figures are written.</param>
public sealed record Unit(string Name, Scale Scale)
{
    /// <summary>The order of the blocks of a table; what is not here comes after, by name.</summary>
    static readonly string[] order = ["ns/op", "B/op", "objects/op", "calls/s", "failed/call", "response", "service", "client", "server"];

    /// <summary>True for rates: more is better.</summary>
    public bool HigherIsBetter { get; init; }

    /// <summary>True for bytes, counts and sizes: the same program gives the same figure, so that two figures are compared without a test.
    /// A figure that varies between launches by more than the tolerance is tested like a time.</summary>
    public bool Exact { get; init; }

    /// <summary>The relative difference of an exact figure up to which it is the same: 0, or more
    /// where it is an average or an estimate. A figure of 0 is only the same as 0.</summary>
    public double Tolerance { get; init; }

    /// <summary>True for figures that follow from another unit of the same cell, as MB/s follows from the time, or that only describe how
    /// it was measured, as the share of the processor: they are shown, and never tested, or each cell would be counted twice.</summary>
    public bool Derived { get; init; }

    /// <summary>Where a block of this unit stands in a table.</summary>
    internal (int, string) Order =>
        (Array.FindIndex(order, first => Name.StartsWith(first, StringComparison.Ordinal)) is >= 0 and var i ? i : order.Length, Name);

    /// <inheritdoc/>
    public override string ToString() => Name;
}

/// <summary>How figures of a unit are written.</summary>
public enum Scale
{
    /// <summary>As a number.</summary>
    Plain,

    /// <summary>Nanoseconds, written in the unit that fits.</summary>
    Nanoseconds,

    /// <summary>Microseconds, written in the unit that fits.</summary>
    Microseconds,

    /// <summary>Bytes.</summary>
    Bytes,
}
