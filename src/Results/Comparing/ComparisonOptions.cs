namespace ProtoBench.Results;

/// <summary>What to compare, and how strictly.</summary>
public sealed record ComparisonOptions
{
    /// <summary>Only cells that pass every one of these: <c>part=value,value</c> or text, with * and ?.</summary>
    public IReadOnlyList<string> Filters { get; init; } = [];

    /// <summary>The parts of the name that make a row; empty for all that are not the column.</summary>
    public IReadOnlyList<string> Row { get; init; } = [];

    /// <summary>The part of the name whose values become the columns,
    /// <c>part</c> or <c>part=first,second</c>; null for the sides.</summary>
    public string? Column { get; init; }

    /// <summary>Cells to compare within a side, each <c>Old=New</c>, texts that stand in their names.</summary>
    public IReadOnlyList<string> Pairs { get; init; } = [];

    /// <summary>The chance of a false claim that is accepted, for the whole table where it is corrected.</summary>
    public double Alpha { get; init; } = 0.05;

    /// <summary>The relative change that a verdict needs: better and worse are claimed where the samples show, at <see cref="Alpha"/>, that
    /// the change is larger than this. A significant change that may be smaller is called small.</summary>
    public double Threshold { get; init; }

    /// <summary>The absolute change, in nanoseconds, that a verdict on a time
    /// needs beside <see cref="Threshold"/>; other units ignore it.</summary>
    public double Floor { get; init; }

    /// <summary>Whether to correct p over the table.</summary>
    public bool Correct { get; init; } = true;
}
