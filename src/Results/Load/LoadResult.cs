namespace ProtoBench.Results;

/// <summary>What one run of the load client found, as it stands in a result file. Units are in the names: Us is microseconds.</summary>
/// <remarks>Read and written by <see cref="LoadResultFile"/>, whose generated reader sets what a file does not say to null: hence the
/// setters. A field that is added later is optional, so that a file of today stays readable; <see cref="SchemaVersion"/> rises only when
/// the meaning of a field changes.</remarks>
public sealed record LoadResult
{
    /// <summary>The schema that this program writes, and the newest that it reads.</summary>
    public const int CurrentSchema = 1;

    /// <summary>The schema of the file.</summary>
    public int SchemaVersion { get; init; } = CurrentSchema;

    /// <summary>When the run began.</summary>
    public required DateTimeOffset StartedAt { get; init; }

    /// <summary>Whether the run was stopped early, so that less was measured than asked for.</summary>
    public bool Partial { get; init; }

    /// <summary>Where and with what it ran.</summary>
    public required LoadEnvironment Environment { get; init; }

    /// <summary>What was asked for.</summary>
    public required LoadSettings Settings { get; init; }

    /// <summary>Libraries that the build does without and variants that are not possible, each with the reason; null for none.</summary>
    public IReadOnlyList<string>? LeftOut { get; init; }

    /// <summary>What was measured: one, or several that took turns (ABBA) in the same run.</summary>
    public required IReadOnlyList<LoadVariant> Variants { get; init; }
}

/// <summary>What was asked of the load client.</summary>
public sealed record LoadSettings
{
    /// <summary>The whole command line after the program's name, for whoever wants to repeat it.</summary>
    public string CommandLine { get; init => field = value ?? ""; } = "";

    /// <summary>"closed": each caller sends when its last reply has arrived. "open": calls are sent by a schedule.</summary>
    public required string Loop { get; init; }

    /// <summary>"constant" or "poisson" gaps of the open loop.</summary>
    public string? Arrivals { get; init; }

    /// <summary>Calls per second that the open loop attempts, over all connections.</summary>
    public double? RatePerSecond { get; init; }

    /// <summary>Callers of the closed loop.</summary>
    public int? Concurrency { get; init; }

    /// <summary>Calls of one round, where the round ends by their number.</summary>
    public long? RequestsPerRound { get; init; }

    /// <summary>The length of one round, where it ends by time.</summary>
    public double? RoundSeconds { get; init; }

    /// <summary>Calls in flight beyond which the open loop skips.</summary>
    public int? MaxInFlight { get; init; }

    /// <summary>Connections asked for.</summary>
    public required int Connections { get; init; }

    /// <summary>The number of rounds.</summary>
    public required int Rounds { get; init; }

    /// <summary>The warm-up before the first round, outside every figure.</summary>
    public double WarmupSeconds { get; init; }

    /// <summary>After this a call has failed.</summary>
    public double? TimeoutSeconds { get; init; }

    /// <summary>What the Poisson gaps and the payload grew from.</summary>
    public long? Seed { get; init; }
}

/// <summary>One thing under load (a stack, a codec, a memory strategy) and its rounds.</summary>
public sealed record LoadVariant
{
    /// <summary>The row's name in a comparison, for example <c>builtin-slab</c>. The same thing has the same name in every file.</summary>
    public required string Name { get; init; }

    /// <summary>The transport: builtin, grpc-dotnet, ...</summary>
    public required string Stack { get; init; }

    /// <summary>The codec: google, slab, pbn, raw, ...</summary>
    public required string Codec { get; init; }

    /// <summary>Where messages live and where their roots come from: fresh, recycled, new, threadstatic, ...</summary>
    public string? Memory { get; init; }

    /// <summary>The mode of the server's garbage collector that was asked for, where a run has several; null otherwise.</summary>
    public string? GcMode { get; init; }

    /// <summary>The callers of the closed loop, where a run has variants with different
    /// numbers of them; null for <see cref="LoadSettings.Concurrency"/>.</summary>
    public int? Callers { get; init; }

    /// <summary>The host's process, where the variants of a run have different
    /// ones; null for <see cref="LoadEnvironment.Server"/>.</summary>
    public ProcessEnvironment? Server { get; init; }

    /// <summary>What the connections turned out to be.</summary>
    public required LoadTransport Transport { get; init; }

    /// <summary>The time from nothing to an open connection, TLS included.</summary>
    public double? ConnectUs { get; init; }

    /// <summary>The time of the first call, which is in no round.</summary>
    public double? FirstCallUs { get; init; }

    /// <summary>Where the time of a call goes (encode, decode, handler, ...), in microseconds per call, from a run of its own.</summary>
    public IReadOnlyDictionary<string, double>? AttributionUsPerCall { get; init; }

    /// <summary>The rounds, in the order in which they ran.</summary>
    public required IReadOnlyList<LoadRound> Rounds { get; init; }

    /// <summary>Whether these figures may be believed.</summary>
    public required LoadVerdict Verdict { get; init; }
}

/// <summary>Whether a run may be believed.</summary>
public sealed record LoadVerdict
{
    /// <summary>False when one of the checks on the run itself failed; printed as INVALID.</summary>
    public required bool Valid { get; init; }

    /// <summary>Why it is invalid, one sentence for each failed check; empty when it is valid.</summary>
    public IReadOnlyList<string> Reasons { get; init => field = value ?? []; } = [];

    /// <summary>What a reader should know though it does not make the run invalid.</summary>
    public IReadOnlyList<string> Notes { get; init => field = value ?? []; } = [];

    /// <summary>VALID or INVALID, as reports print it.</summary>
    public override string ToString() => Valid ? "VALID" : "INVALID";
}
