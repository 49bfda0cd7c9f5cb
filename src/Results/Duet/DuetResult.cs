using System.Text.Json.Serialization;

namespace ProtoBench.Results;

/// <summary><see cref="DuetResultFile"/> reads and writes it. Its generated reader sets values that are missing in a file to null, so
/// the properties have setters. New fields are optional, so that existing files can be read. <see cref="SchemaVersion"/> is raised only
/// when the meaning of a field changes.</summary>
public sealed record DuetResult
{
    /// <summary>The schema that this program writes, and the newest that it reads.</summary>
    public const int CurrentSchema = 1;

    public int SchemaVersion { get; init; } = CurrentSchema;

    public required DateTimeOffset StartedAt { get; init; }

    public bool Partial { get; init; }

    public required DuetEnvironment Environment { get; init; }

    /// <summary>The environment of the old build; null if both sides are cells of one build.</summary>
    public DuetEnvironment? Base { get; init; }

    /// <summary>The package whose versions are compared, see <see cref="DuetVersions"/>; null if builds or cells are compared.</summary>
    public string? Package { get; init; }

    public required DuetSettings Settings { get; init; }

    public required IReadOnlyList<DuetPair> Duets { get; init; }

    public IReadOnlyList<DuetFailure> Failed { get; init => field = value ?? []; } = [];

    /// <summary>The cores that other programs used on a machine that was too busy (<see cref="MachineLoad.Busy"/>); null if it was not, and
    /// in files of older versions, which have a load average.</summary>
    public double? OtherCores { get; init; }

    /// <summary>What a benchmark project printed of this result; null in other results, and in files of older versions.</summary>
    public DuetAnswer? Answer { get; init; }

    /// <exception cref="StoppedException">Thrown for a run that was stopped before a process had ended.</exception>
    public void RequireAny()
    {
        if (Partial && Duets.Count == 0)
            throw new StoppedException(measured: false, file: null);
    }
}

/// <summary>The answer of a benchmark project in the words of its console, so that a page of it says the same.</summary>
public sealed record DuetAnswer
{
    /// <summary>The full name of the message.</summary>
    public required string Message { get; init; }

    /// <summary>The library that the others are compared with.</summary>
    public string Baseline { get; init => field = value ?? "Google.Protobuf"; } = "Google.Protobuf";

    /// <summary>Sentences about the payloads and their sizes, and about the libraries that are compared or left out.</summary>
    public IReadOnlyList<string> About { get; init => field = value ?? []; } = [];

    /// <summary>The kinds of work, with the names of the libraries.</summary>
    public IReadOnlyList<AnsweredWork> Works { get; init => field = value ?? []; } = [];

    /// <summary>The lines before the recommendation.</summary>
    public IReadOnlyList<string> Lines { get; init => field = value ?? []; } = [];

    public IReadOnlyList<string> Recommendation { get; init => field = value ?? []; } = [];
}

public sealed record AnsweredWork(string Name, IReadOnlyList<AnsweredPair> Pairs);

/// <param name="Library">The library that is compared with the first one.</param>
/// <param name="Old">The full name of a cell, as in <see cref="DuetSide.Cell"/>.</param>
public sealed record AnsweredPair(string Library, string Old, string New);

public sealed record DuetEnvironment : MeasuredBuild
{
    /// <summary>The name that the user gave the build; null for the current one.</summary>
    public string? Label { get; init; }

    public required ProcessEnvironment Process { get; init; }
}

public sealed record DuetSettings
{
    public string CommandLine { get; init => field = value ?? ""; } = "";

    /// <summary>"oneProcess": both sides alternate in one process. "twoProcesses": each has its own, and they take turns.</summary>
    public required string Form { get; init; }

    public required int Processes { get; init; }

    public required double SecondsPerProcess { get; init; }

    public required double SliceMilliseconds { get; init; }

    public required double AllocatingSliceMilliseconds { get; init; }

    /// <summary>The half-width of the interval, as a share, at which the measurement stops; null if it does not stop early.</summary>
    public double? Until { get; init; }

    /// <summary>The accepted probability of a false claim for each pair.</summary>
    public required double Alpha { get; init; }

    /// <summary>The number of times that the measurement may evaluate its interval, or <see cref="Results.Looks.ByWidth"/>. Each interval
    /// has the level 1 - alpha/looks.</summary>
    public double Looks { get; init; } = 1;

    /// <summary>The largest change that is not claimed.</summary>
    public double Threshold { get; init; }

    /// <summary>Whether each cell was compared with itself, so that every claim is false.</summary>
    public bool Same { get; init; }

    public int Seed { get; init; }
}

public sealed record DuetFailure(string Old, string New, string Reason);

public sealed record DuetPair
{
    public required DuetSide Old { get; init; }

    public required DuetSide New { get; init; }

    /// <summary>New time by old: the geometric mean over the processes. Above 1, the new side is slower.</summary>
    public required double Ratio { get; init; }

    /// <summary>The lower end of its interval; null with one process.</summary>
    public double? Low { get; init; }

    public double? High { get; init; }

    /// <summary>Two-sided, with the looks taken into account. Null with one process.</summary>
    public double? P { get; init; }

    /// <summary>The p-value corrected over all pairs of the file, by Holm's method.</summary>
    public double? CorrectedP { get; init; }

    /// <summary>"cpu" for the processor time of the measuring thread, "wall" for the elapsed time of cells that wait for others.</summary>
    public required string Clock { get; init; }

    /// <summary>False if no verdict may be based on it.</summary>
    public bool Valid { get; init; } = true;

    public IReadOnlyList<string> Notes { get; init => field = value ?? []; } = [];

    public required IReadOnlyList<DuetProcess> Processes { get; init; }
}

public sealed record DuetSide
{
    /// <summary>The full name of the cell in BenchmarkDotNet.</summary>
    public required string Cell { get; init; }

    /// <summary>Its class, without namespace.</summary>
    public required string Type { get; init; }

    public required string Method { get; init; }

    /// <summary>The facts about the cell; null for a cell that is not in the hive's table, and in files of older versions.</summary>
    public CellFacts? Facts { get; init; }

    public IReadOnlyDictionary<string, string> Parameters { get; init => field = value ?? new Dictionary<string, string>(); } =
        new Dictionary<string, string>();

    public required double NanosecondsPerOperation { get; init; }

    /// <summary>Allocated bytes of an operation: the median over the processes.</summary>
    public required double AllocatedBytesPerOperation { get; init; }

    /// <summary>Collections of generation 0, 1 and 2 in this side's slices, all processes together.</summary>
    public required IReadOnlyList<long> Collections { get; init; }

    /// <summary>The time for which collections stopped the threads, all processes together.</summary>
    public double PauseMilliseconds { get; init; }

    /// <summary>The method with its parameters, in the form of BenchmarkDotNet.</summary>
    [JsonIgnore]
    public string Name =>
        Method + (Parameters.Count == 0 ? "" : $"({string.Join(", ", Parameters.Select(one => $"{one.Key}: {one.Value}"))})");
}

public sealed record DuetProcess
{
    public required double Ratio { get; init; }

    public double? WallRatio { get; init; }

    public required double OldNanoseconds { get; init; }

    public required double NewNanoseconds { get; init; }

    public required int Pairs { get; init; }

    /// <summary>The number of pairs whose median is the ratio: those without a collection, or all.</summary>
    public required int Blocks { get; init; }

    public long OldOperations { get; init; }

    public long NewOperations { get; init; }

    public DuetDisturbed Disturbed { get; init => field = value ?? new(0, 0); } = new(0, 0);

    public double WarmUpSeconds { get; init; }

    /// <summary>Whether the JIT had no work when the measurement began.</summary>
    public bool Quiet { get; init; } = true;

    /// <summary>The mean time to pass the turn between two processes; null for one process.</summary>
    public double? HandOverNanoseconds { get; init; }
}

/// <param name="Collections">Not used for the median. The cost of the collection is divided by allocated bytes.</param>
/// <param name="ContextSwitches">Pairs in which the thread had to leave its core. They count as they are.</param>
public sealed record DuetDisturbed(int Collections, int ContextSwitches);
