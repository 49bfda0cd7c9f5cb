namespace ProtoBench.Results;

/// <param name="Name">The name in tables, for example <c>ns/op</c> or <c>service p99</c>.</param>
public sealed record Unit(string Name, Scale Scale)
{
    /// <summary>The order of the blocks of a table. Other units follow, by name.</summary>
    static readonly string[] order = ["ns/op", "B/op", "objects/op", "calls/s", "failed/call", "response", "service", "client", "server"];

    public bool HigherIsBetter { get; init; }

    /// <summary>Whether the same program always gives the same figure, as for bytes, counts and sizes. Two such figures are compared
    /// without a test. A figure that differs between launches by more than the tolerance is tested like a time.</summary>
    public bool Exact { get; init; }

    /// <summary>The relative difference up to which exact figures are equal. For a figure of 0 only <see cref="Floor"/> applies.</summary>
    public double Tolerance { get; init; }

    /// <summary>The absolute difference up to which exact figures are equal. For other figures, the smallest change for a verdict in
    /// addition to the threshold. In the unit itself.</summary>
    public double Floor { get; init; }

    /// <summary>Gets the unit of the bytes that an operation allocates. They are an average over the operations of a run, which also
    /// includes allocations of the program: 770,802 to 770,805 B for the same build, or 1 B for an operation that allocates nothing. The
    /// floor is below 24 B, the size of the smallest object, so that one more object in each operation is always found.</summary>
    public static Unit BytesPerOperation { get; } = new("B/op", Scale.Bytes) { Exact = true, Tolerance = 0.001, Floor = 16 };

    /// <summary>Whether figures follow from another unit of the same cell, as MB/s follows from the time, or only describe the measurement,
    /// as the share of the processor. They are shown and never tested, because a cell must not be counted twice.</summary>
    public bool Derived { get; init; }

    internal (int, string) Order =>
        (Array.FindIndex(order, first => Name.StartsWith(first, StringComparison.Ordinal)) is >= 0 and var i ? i : order.Length, Name);

    public override string ToString() => Name;
}

public enum Scale
{
    Plain,

    Nanoseconds,

    Microseconds,

    Bytes,
}
