namespace ProtoBench.Results;

/// <summary>What a duet measurement found, as it stands in a result file:
/// for each pair of cells the ratio of their times, ready made.</summary>
/// <remarks>Read and written by <see cref="DuetResultFile"/>, whose generated reader sets what a file does not say to null: hence the
/// setters. A field that is added later is optional, so that a file of today stays readable; <see cref="SchemaVersion"/> rises only when
/// the meaning of a field changes.</remarks>
public sealed record DuetResult
{
    /// <summary>The schema that this program writes, and the newest that it reads.</summary>
    public const int CurrentSchema = 1;

    /// <summary>The schema of the file.</summary>
    public int SchemaVersion { get; init; } = CurrentSchema;

    /// <summary>When the measurement began.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    /// <summary>Whether it was stopped early, so that less was measured than asked for.</summary>
    public bool Partial { get; init; }

    /// <summary>Where and with what it ran; of two builds, the new one.</summary>
    public required DuetEnvironment Environment { get; init; }

    /// <summary>The old one of two builds; null where both sides are cells of one build.</summary>
    public DuetEnvironment? Base { get; init; }

    /// <summary>The package whose versions are compared, as <see cref="DuetVersions"/> has them; null where nothing but builds or cells
    /// are.</summary>
    public string? Package { get; init; }

    /// <summary>What was asked for.</summary>
    public required DuetSettings Settings { get; init; }

    /// <summary>The pairs that were measured.</summary>
    public required IReadOnlyList<DuetPair> Duets { get; init; }

    /// <summary>Pairs that could not be measured, each with the reason.</summary>
    public IReadOnlyList<DuetFailure> Failed { get; init => field = value ?? []; } = [];
}

/// <summary>A build and the process that it ran in.</summary>
public sealed record DuetEnvironment
{
    /// <summary>How the user named the build; null for the current one.</summary>
    public string? Label { get; init; }

    /// <summary>Its process and the machine.</summary>
    public required ProcessEnvironment Process { get; init; }

    /// <summary>Its commit, where it is known.</summary>
    public string? Commit { get; init; }

    /// <summary>Whether the tree had no change that is not in <see cref="Commit"/>.</summary>
    public bool? Clean { get; init; }

    /// <summary>The packages that are measured, with their versions.</summary>
    public IReadOnlyDictionary<string, string> PackageVersions { get; init => field = value ?? new Dictionary<string, string>(); } =
        new Dictionary<string, string>();
}

/// <summary>What was asked of a duet measurement.</summary>
public sealed record DuetSettings
{
    /// <summary>The arguments of the program, so that the measurement can be repeated.</summary>
    public string CommandLine { get; init => field = value ?? ""; } = "";

    /// <summary>"oneProcess": both sides alternate in one process. "twoProcesses": each has its own, and they take turns.</summary>
    public required string Form { get; init; }

    /// <summary>Processes, or pairs of processes, for each pair of cells.</summary>
    public required int Processes { get; init; }

    /// <summary>The measured time of a pair in one process.</summary>
    public required double SecondsPerProcess { get; init; }

    /// <summary>The length of a slice where neither cell allocates.</summary>
    public required double SliceMilliseconds { get; init; }

    /// <summary>The length of a slice where a cell allocates.</summary>
    public required double AllocatingSliceMilliseconds { get; init; }

    /// <summary>The half-width of the interval, as a share, at which the measurement stops; null where it does not stop early.</summary>
    public double? Until { get; init; }

    /// <summary>The chance of a false claim that is accepted for each pair.</summary>
    public required double Alpha { get; init; }

    /// <summary>How often the measurement may look at its interval: each interval has the level 1 - alpha/looks.</summary>
    public int Looks { get; init; } = 1;

    /// <summary>The change below which a claim is not made.</summary>
    public double Threshold { get; init; }

    /// <summary>Whether each cell was compared with itself, so that every claim is a false one.</summary>
    public bool Same { get; init; }

    /// <summary>Where the random orders grew from.</summary>
    public int Seed { get; init; }
}

/// <summary>A pair that could not be measured.</summary>
/// <param name="Old">The old cell.</param>
/// <param name="New">The new cell.</param>
/// <param name="Reason">Why.</param>
public sealed record DuetFailure(string Old, string New, string Reason);

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

    /// <summary>What it does and to what; null for a cell outside of the hive's table, and in files of older versions.</summary>
    public CellFacts? Facts { get; init; }

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
