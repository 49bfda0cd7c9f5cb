namespace ProtoBench.DuetRunner;

/// <summary>What a runner is asked to do: JSON in a file that the environment variable <see cref="Variable"/> names.</summary>
sealed record RunnerJob
{
    /// <summary>The environment variable that holds the path of the job's file.</summary>
    public const string Variable = "PROTOBENCH_DUET_JOB";

    /// <summary>The program's assembly, without path and extension; its benchmark classes are the cells.</summary>
    public required string Assembly { get; init; }

    /// <summary>Where the answer goes.</summary>
    public required string Output { get; init; }

    /// <summary>The pairs to measure, in this order; empty: list the cells instead.</summary>
    public required IReadOnlyList<RunnerPair> Pairs { get; init; }

    /// <summary>Where the random order of the slices grows from. Two runners that take turns have the same one.</summary>
    public required int Seed { get; init; }

    /// <summary>How long to measure a pair.</summary>
    public required double Seconds { get; init; }

    /// <summary>The length of a slice of cells that do not allocate.</summary>
    public required double SliceMilliseconds { get; init; }

    /// <summary>The length of a slice where one of the two cells allocates: a shorter one would often miss the collections.</summary>
    public required double AllocatingSliceMilliseconds { get; init; }

    /// <summary>The longest warm-up: of all pairs together where they run in
    /// one process, of each pair where two processes take turns.</summary>
    public required double WarmUpLimitSeconds { get; init; }

    /// <summary>The mutex that a runner holds while it measures, since others warm up at the same time; null: it is the only one.</summary>
    public string? Mutex { get; init; }

    /// <summary>The pipe that two runners take turns by; null: both cells run in this process.</summary>
    public string? Pipe { get; init; }

    /// <summary>With <see cref="Pipe"/>: whether this runner has the old cells, and opens the pipe.</summary>
    public bool RunsOld { get; init; }

    /// <summary>The random order of a pair's slices: the same in every process
    /// that has this job (HashCode would differ between processes).</summary>
    /// <param name="pair">The pair's index.</param>
    public Random RandomOf(int pair) => new(unchecked((Seed * 397) + pair));
}

/// <summary>Two cells by their full names, as BenchmarkDotNet writes them.</summary>
/// <param name="Old">What is compared with.</param>
/// <param name="New">What is compared.</param>
sealed record RunnerPair(string Old, string New);
