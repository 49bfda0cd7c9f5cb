using System.Text.Json.Serialization;

namespace ProtoBench.DuetRunner;

sealed record RunnerJob
{
    /// <summary>The environment variable with the path of the job's file.</summary>
    public const string Variable = "PROTOBENCH_DUET_JOB";

    /// <summary>The name of the program's assembly, whose benchmark classes have the cells.</summary>
    public required string Assembly { get; init; }

    public string Output { get; init; } = "";

    /// <summary>The pairs to measure in order; empty to list the cells instead.</summary>
    public IReadOnlyList<RunnerPair> Pairs { get; init; } = [];

    /// <summary>The seed of the random order of the slices. Two runners that take turns have the same one.</summary>
    public int Seed { get; init; }

    public double Seconds { get; init; }

    public double SliceMilliseconds { get; init; }

    /// <summary>The length of a slice if one of the two cells allocates. A shorter one would often have no collections.</summary>
    public double AllocatingSliceMilliseconds { get; init; }

    /// <summary>The maximum warm-up: of all pairs together in one process, of each pair if two processes take turns.</summary>
    public double WarmUpLimitSeconds { get; init; }

    /// <summary>The mutex that a runner holds while it measures and others warm up; null for a single runner.</summary>
    public string? Mutex { get; init; }

    /// <summary>The pipe with which two runners take turns; null if both cells run in this process.</summary>
    public string? Pipe { get; init; }

    /// <summary>Whether this runner has the old cells and opens the <see cref="Pipe"/>.</summary>
    public bool RunsOld { get; init; }

    // the same in every process with this job; HashCode would differ
    public Random RandomOf(int pair) => new(unchecked((Seed * 397) + pair));
}

sealed record RunnerPair(string Old, string New);

sealed record RunnerOutput
{
    public string? Error { get; init; }

    public ProcessEnvironment? Facts { get; init; }

    public IReadOnlyList<RunnerCell> Cells { get; init; } = [];

    /// <summary>The pairs in the order of the job.</summary>
    public IReadOnlyList<RunnerPairOutput> Pairs { get; init; } = [];
}

/// <param name="OnlyWhenNamed">Whether the cell runs only if a filter names its class.</param>
/// <param name="Waits">Whether its thread waits for other threads.</param>
/// <param name="Refused">The reason why it cannot be measured by slices; null if it can.</param>
sealed record RunnerCell(string Name, string Type, string Method, IReadOnlyDictionary<string, string> Parameters, bool OnlyWhenNamed,
    bool Waits, string? Refused = null);

/// <summary>Represents one pair in one process, or the part of one of two processes.</summary>
sealed record RunnerPairOutput
{
    public string? Error { get; init; }

    /// <summary>The old cell; null in the runner that has the new ones.</summary>
    public RunnerSide? Old { get; init; }

    /// <summary>The new cell; null in the runner that has the old ones.</summary>
    public RunnerSide? New { get; init; }

    /// <summary>"cpu" for the processor time of the measuring thread, "wall" for elapsed time, if a cell waits.</summary>
    public string Clock { get; init; } = "wall";

    /// <summary>Seconds from the first call to the first measured slice.</summary>
    public double WarmUpSeconds { get; init; }

    /// <summary>Whether the JIT compiled nothing for some time before the measurement.</summary>
    public bool Quiet { get; init; }

    /// <summary>The nanoseconds of an empty call of the measuring loop, which every figure includes.</summary>
    public double CallNanoseconds { get; init; }

    /// <summary>The mean time to pass the turn between two processes, in nanoseconds; null for one process.</summary>
    public double? HandOverNanoseconds { get; init; }
}

/// <summary>Represents the slices of one cell, in the order of the pairs.</summary>
/// <param name="BytesPerOperation">The allocated bytes of an operation, all threads together.</param>
sealed record RunnerSide(long Operations, double BytesPerOperation, IReadOnlyList<Slice> Slices);

/// <param name="Wall">Elapsed nanoseconds.</param>
/// <param name="Cpu">Nanoseconds of processor time of the measuring thread; 0 if the system does not report it.</param>
/// <param name="Gen0">Collections of generation 0 and above. The next two are from generation 1 and 2 on.</param>
/// <param name="Pause">Nanoseconds for which collections stopped the threads.</param>
/// <param name="Preemptions">The number of times that the thread was forced to leave its core.</param>
[method: JsonConstructor]
readonly record struct Slice(long Wall, long Cpu, int Gen0, int Gen1, int Gen2, long Pause, long Preemptions);

[JsonSourceGenerationOptions(DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull, RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(RunnerJob))]
[JsonSerializable(typeof(RunnerOutput))]
sealed partial class RunnerJson : JsonSerializerContext;
