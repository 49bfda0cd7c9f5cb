namespace ProtoBench.Results;

/// <summary>Two cells, or one cell of two builds, and the ratio of their times.</summary>
public sealed record DuetPair
{
    /// <summary>What is compared with.</summary>
    public required DuetSide Old { get; init; }

    /// <summary>What is compared.</summary>
    public required DuetSide New { get; init; }

    /// <summary>Time of the new side by time of the old one: above 1, the
    /// new one is slower. The geometric mean over the processes.</summary>
    public required double Ratio { get; init; }

    /// <summary>The lower end of its interval; null with one process.</summary>
    public double? Low { get; init; }

    /// <summary>The upper end of its interval; null with one process.</summary>
    public double? High { get; init; }

    /// <summary>How often equal programs would differ at least as much, two-sided,
    /// the looks taken into account; null with one process.</summary>
    public double? P { get; init; }

    /// <summary>The same over all pairs of the file, by Holm's method.</summary>
    public double? CorrectedP { get; init; }

    /// <summary>"cpu": processor time of the measuring thread. "wall": elapsed time, for cells that wait for others.</summary>
    public required string Clock { get; init; }

    /// <summary>False where no verdict may be based on it.</summary>
    public bool Valid { get; init; } = true;

    /// <summary>What a reader should know, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init => field = value ?? []; } = [];

    /// <summary>Each process's part.</summary>
    public required IReadOnlyList<DuetProcess> Processes { get; init; }
}

/// <summary>One side of a pair.</summary>
public sealed record DuetSide
{
    /// <summary>The cell, as BenchmarkDotNet names it in full.</summary>
    public required string Cell { get; init; }

    /// <summary>Its class, without namespace.</summary>
    public required string Type { get; init; }

    /// <summary>Its method.</summary>
    public required string Method { get; init; }

    /// <summary>Its parameters and arguments.</summary>
    public IReadOnlyDictionary<string, string> Parameters { get; init => field = value ?? new Dictionary<string, string>(); } =
        new Dictionary<string, string>();

    /// <summary>The time of an operation: the median over the processes.</summary>
    public required double NanosecondsPerOperation { get; init; }

    /// <summary>Allocated bytes of an operation: the median over the processes.</summary>
    public required double AllocatedBytesPerOperation { get; init; }

    /// <summary>Collections of generation 0, 1 and 2 in this side's slices, all processes together.</summary>
    public required IReadOnlyList<long> Collections { get; init; }

    /// <summary>For how long they stopped the threads, all processes together.</summary>
    public double PauseMilliseconds { get; init; }
}

/// <summary>What one process found.</summary>
public sealed record DuetProcess
{
    /// <summary>Time of the new side by time of the old one.</summary>
    public required double Ratio { get; init; }

    /// <summary>The same from elapsed time.</summary>
    public double? WallRatio { get; init; }

    /// <summary>The time of an operation of the old side.</summary>
    public required double OldNanoseconds { get; init; }

    /// <summary>The time of an operation of the new side.</summary>
    public required double NewNanoseconds { get; init; }

    /// <summary>Pairs of slices that were run.</summary>
    public required int Pairs { get; init; }

    /// <summary>Pairs whose median is the ratio: those without a collection, or all.</summary>
    public required int Blocks { get; init; }

    /// <summary>Operations of the old side in a slice.</summary>
    public long OldOperations { get; init; }

    /// <summary>Operations of the new side in a slice.</summary>
    public long NewOperations { get; init; }

    /// <summary>Pairs in which something hit one slice and not the other.</summary>
    public DuetDisturbed Disturbed { get; init => field = value ?? new(0, 0); } = new(0, 0);

    /// <summary>From the first call to the first measured slice.</summary>
    public double WarmUpSeconds { get; init; }

    /// <summary>Whether the JIT was quiet when the measurement began.</summary>
    public bool Quiet { get; init; } = true;

    /// <summary>Between two processes: the mean time of handing the turn over.</summary>
    public double? HandOverNanoseconds { get; init; }
}

/// <summary>Pairs of slices in which something hit one slice and not the other.</summary>
/// <param name="Collections">A collection. Such a pair is left out of the median,
/// and the cost of the collection is charged by allocated bytes.</param>
/// <param name="ContextSwitches">The thread had to leave its core. Such a pair counts as it is.</param>
public sealed record DuetDisturbed(int Collections, int ContextSwitches);
