namespace ProtoBench.Results;

public sealed record Cell(CellName Name, Unit Unit, IReadOnlyList<double> Values, string Sample)
{
    /// <summary>They show the variation within a process, which is no basis for a verdict.</summary>
    public IReadOnlyList<double> Iterations { get; init; } = [];

    /// <summary>The number of sub-items of the message that one operation handles; null if the file does not have it.</summary>
    public int? Items { get; init; }

    /// <summary>The part of a run on several machines; null for a run on one. Other shards may be of other machines.</summary>
    public int? Shard { get; init; }

    /// <summary>Whether no launch of the values is reliable, because its iterations were far shorter than requested, or it was still
    /// warming up. Such values are compared only if a side has no others, and no verdict is based on them.</summary>
    public bool Doubtful { get; init; }

    /// <summary>False if the run is INVALID. Its figures are shown, and no verdict is based on them.</summary>
    public bool Valid { get; init; } = true;
}
