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
    /// <summary>The arguments of the program, for whoever wants to repeat it.</summary>
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
