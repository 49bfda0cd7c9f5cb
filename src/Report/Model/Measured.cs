using ProtoBench.Results;

namespace ProtoBench.Report.Model;

/// <summary>One benchmark of one side: its name taken apart, its time and what it allocated.</summary>
public sealed record Measured
{
    /// <summary>The unit of <see cref="Time"/>.</summary>
    public static Unit TimeUnit { get; } = new("ns/op", Scale.Nanoseconds);

    /// <summary>The unit of <see cref="Allocated"/>.</summary>
    public static Unit AllocatedUnit { get; } = new("B/op", Scale.Bytes);

    /// <summary>The label of the side; empty when the page shows one side only.</summary>
    public required string Side { get; init; }

    /// <summary>The cell.</summary>
    public required CellName Name { get; init; }

    /// <summary>Cells that are drawn in one chart: verb and message, or for other classes the class and the first word of the method.</summary>
    public required string Category { get; init; }

    /// <summary>What tells the cell from the others of its category.</summary>
    public required string Label { get; init; }

    /// <summary>Nanoseconds per operation.</summary>
    public required Estimate Time { get; init; }

    /// <summary>Bytes allocated per operation; null where they were not measured.</summary>
    public double? Allocated { get; init; }

    /// <summary>Objects allocated per operation; null where they were not counted.</summary>
    public double? Objects { get; init; }

    /// <summary>Whether the cell is the floor: the least that any library has to do.</summary>
    public bool IsFloor => Name["library"] == "Floor";

    /// <summary>What filters look at: verb, message, library and buffer, with a bar between them.</summary>
    public string Key => $"{Name["verb"]}|{Name["message"]}|{Name["library"]}|{Name["buffer"]}";

    /// <summary>The whole in one line.</summary>
    public string Sentence => $"{Label}: {Time.Text(TimeUnit)}" + (Allocated is { } bytes ? $", {Figures.Of(AllocatedUnit, bytes)} B allocated" : "");
}
