using System.Text.Json.Serialization;

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

/// <summary>What a runner found.</summary>
sealed record RunnerOutput
{
    /// <summary>Why nothing could be done; null where it could.</summary>
    public string? Error { get; init; }

    /// <summary>The process.</summary>
    public RunnerFacts? Facts { get; init; }

    /// <summary>All cells of the program, where no pair was asked for.</summary>
    public IReadOnlyList<RunnerCell> Cells { get; init; } = [];

    /// <summary>The pairs, in the order in which they were asked for.</summary>
    public IReadOnlyList<RunnerPairOutput> Pairs { get; init; } = [];
}

/// <summary>The process that the cells ran in.</summary>
/// <param name="Runtime">For example ".NET 10.0.12".</param>
/// <param name="GcMode">For example "Workstation concurrent".</param>
/// <param name="TieredJit">For example "on, quick jit, PGO".</param>
/// <param name="Cpu">The processor's name.</param>
/// <param name="Cores">The cores that the process may use.</param>
/// <param name="Os">The operating system, with its version.</param>
/// <param name="Architecture">X64, Arm64, ...</param>
/// <param name="Configuration">Debug or Release, as the program was built.</param>
sealed record RunnerFacts(string Runtime, string GcMode, string TieredJit, string Cpu, int Cores, string Os, string Architecture,
    string Configuration);

/// <summary>A cell of the program.</summary>
/// <param name="Name">Its full name.</param>
/// <param name="Type">The class, without namespace.</param>
/// <param name="Method">The method.</param>
/// <param name="Parameters">Name and printed value of each parameter and argument.</param>
/// <param name="OnlyWhenNamed">Whether a filter has to name its class.</param>
/// <param name="Refused">Why it cannot be measured by slices; null where it can.</param>
sealed record RunnerCell(string Name, string Type, string Method, IReadOnlyDictionary<string, string> Parameters, bool OnlyWhenNamed,
    string? Refused);

/// <summary>One pair in one process, or what one of two processes knows of it.</summary>
sealed record RunnerPairOutput
{
    /// <summary>Why it could not be measured; null where it could.</summary>
    public string? Error { get; init; }

    /// <summary>The old cell; null in the runner that has the new ones.</summary>
    public RunnerSide? Old { get; init; }

    /// <summary>The new cell; null in the runner that has the old ones.</summary>
    public RunnerSide? New { get; init; }

    /// <summary>"cpu": processor time of the measuring thread decides. "wall":
    /// elapsed time does, because a cell waits for something.</summary>
    public string Clock { get; init; } = "wall";

    /// <summary>Seconds from the first call to the first measured slice.</summary>
    public double WarmUpSeconds { get; init; }

    /// <summary>Whether the JIT compiled nothing for a while before the measurement.</summary>
    public bool Quiet { get; init; }

    /// <summary>Nanoseconds of an empty call of the measuring loop; they are in every figure.</summary>
    public double CallNanoseconds { get; init; }

    /// <summary>Between two processes: the mean cost of handing the turn over, in nanoseconds.</summary>
    public double? HandOverNanoseconds { get; init; }

    /// <summary>Between two processes: the core that both ran on; null where they were not bound to one.</summary>
    public int? Core { get; init; }
}

/// <summary>One cell's slices, in the order of the pairs.</summary>
sealed record RunnerSide
{
    /// <summary>Operations in a slice.</summary>
    public required long Operations { get; init; }

    /// <summary>Allocated bytes of an operation, all threads together.</summary>
    public required double BytesPerOperation { get; init; }

    /// <summary>Elapsed nanoseconds of each slice.</summary>
    public required IReadOnlyList<long> Wall { get; init; }

    /// <summary>Nanoseconds of processor time of the measuring thread in each slice; zeros where the system does not tell.</summary>
    public required IReadOnlyList<long> Cpu { get; init; }

    /// <summary>Collections of generation 0 and above in each slice.</summary>
    public required IReadOnlyList<int> Gen0 { get; init; }

    /// <summary>Collections of generation 1 and above in each slice.</summary>
    public required IReadOnlyList<int> Gen1 { get; init; }

    /// <summary>Collections of generation 2 in each slice.</summary>
    public required IReadOnlyList<int> Gen2 { get; init; }

    /// <summary>Nanoseconds for which collections stopped the threads in each slice.</summary>
    public required IReadOnlyList<long> Pause { get; init; }

    /// <summary>How often in each slice the thread was made to leave its core.</summary>
    public required IReadOnlyList<long> Preemptions { get; init; }
}

/// <summary>How job and answer travel between the verb and its runners.</summary>
[JsonSourceGenerationOptions(DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(RunnerJob))]
[JsonSerializable(typeof(RunnerOutput))]
sealed partial class RunnerJson : JsonSerializerContext;
