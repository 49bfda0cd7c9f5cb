using System.Text.Json.Serialization;

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
    /// <summary>The command line after the program's name, so that the run can be repeated.</summary>
    public string CommandLine { get; init => field = value ?? ""; } = "";

    /// <summary>What made the calls: "grpc-dotnet", the client of the stack, or "event-loop". Null in a file from before there were
    /// two.</summary>
    public string? Client { get; init; }

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
    /// <summary>The row's name in a comparison, for example <c>grpc-dotnet-slab</c>. It is the same in every file.</summary>
    public required string Name { get; init; }

    /// <summary>The transport: grpc-dotnet, http2, ...</summary>
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

    /// <summary>How a note begins that says that all rounds go in one direction.</summary>
    public const string TrendStart = "the median still ";

    /// <summary>The note that all rounds go in one direction, so that their mean describes none of them; null where they do not.</summary>
    public string? Trend() => Notes.FirstOrDefault(note => note.StartsWith(TrendStart, StringComparison.Ordinal));

    /// <summary>VALID or INVALID, as reports print it.</summary>
    public override string ToString() => Valid ? "VALID" : "INVALID";
}

/// <summary>Where and with what a load run was made: what must agree before two runs may be compared.</summary>
public sealed record LoadEnvironment
{
    /// <summary>The load client's process.</summary>
    public required ProcessEnvironment Client { get; init; }

    /// <summary>The host's process, as it told the client.</summary>
    public ProcessEnvironment? Server { get; init; }

    /// <summary>Whether client and host ran on the same machine, and so shared its cores.</summary>
    public bool? SharedCores { get; init; }

    /// <summary>How exact the client's times are. Null where no schedule was kept.</summary>
    public ClockFacts? Clock { get; init; }

    /// <summary>The commit of the working tree, where it is known.</summary>
    public string? Commit { get; init; }

    /// <summary>Whether the tree had no change that is not in <see cref="Commit"/>.</summary>
    public bool? Clean { get; init; }

    /// <summary>The packages that were measured, with their versions.</summary>
    public IReadOnlyDictionary<string, string> PackageVersions { get; init => field = value ?? new Dictionary<string, string>(); } =
        new Dictionary<string, string>();
}

/// <summary>How exact the times of a schedule are, as measured before the run.</summary>
/// <param name="ResolutionNs">The smallest step of the clock, in nanoseconds.</param>
/// <param name="WakeUpDelayP50Us">How much later than asked for the client wakes up: the median, in microseconds.</param>
/// <param name="WakeUpDelayP99Us">The 99th percentile of it.</param>
/// <param name="Pacer">How it waits: "sleep" or "spin".</param>
public sealed record ClockFacts(long ResolutionNs, double WakeUpDelayP50Us, double WakeUpDelayP99Us, string Pacer);

/// <summary>One process and its machine.</summary>
public sealed record ProcessEnvironment
{
    /// <summary>For example ".NET 10.0.1".</summary>
    public required string Runtime { get; init; }

    /// <summary>For example "Workstation concurrent" or "Server".</summary>
    public required string GcMode { get; init; }

    /// <summary>For example "on, quick jit, PGO" or "off".</summary>
    public string? TieredJit { get; init; }

    /// <summary>The processor's name.</summary>
    public required string Cpu { get; init; }

    /// <summary>The cores that the process may use.</summary>
    public required int Cores { get; init; }

    /// <summary>The operating system, with its version.</summary>
    public required string Os { get; init; }

    /// <summary>X64, Arm64, ...</summary>
    public required string Architecture { get; init; }

    /// <summary>What should agree between two processes that are compared.</summary>
    internal IEnumerable<(string Fact, string? Value)> Facts() =>
    [
        ("processor", Cpu), ("cores", Cores.ToString(System.Globalization.CultureInfo.InvariantCulture)), ("operating system", Os),
        ("architecture", Architecture), ("runtime", Runtime), ("GC", GcMode), ("tiered JIT", TieredJit),
    ];
}

/// <summary>What a variant's connections turned out to be, read from the connections and not from the options.</summary>
public sealed record LoadTransport
{
    /// <summary>The negotiated HTTP version, for example "HTTP/2"; or the name of another protocol.</summary>
    public required string Protocol { get; init; }

    /// <summary>The kind of socket: "tcp" or "uds".</summary>
    public string? Socket { get; init; }

    /// <summary>TLS version and cipher, or null for plain text.</summary>
    public string? Tls { get; init; }

    /// <summary>Connections that were really opened.</summary>
    public required int ConnectionsOpened { get; init; }

    /// <summary>HTTP/2 windows and limits in bytes or streams, by name, of client and server.</summary>
    public IReadOnlyDictionary<string, long> Http2 { get; init => field = value ?? new Dictionary<string, long>(); } =
        new Dictionary<string, long>();

    /// <summary>The size of a request message.</summary>
    public required long RequestBytes { get; init; }

    /// <summary>The size of a response message.</summary>
    public required long ResponseBytes { get; init; }

    /// <summary>SHA-256 of the request message in hexadecimal: two runs with another payload are not the same run.</summary>
    public string? PayloadSha256 { get; init; }
}

/// <summary>One round: a stretch of load that is measured as a whole. A round is one sample of a comparison.</summary>
public sealed record LoadRound
{
    /// <summary>The round's position in the whole run, from 0: with several variants it shows who ran when.</summary>
    public required int Position { get; init; }

    /// <summary>The length of the measured window: in the open loop from the first intended send to its end, without the draining of what
    /// was still in flight; in the closed loop until the last call, or with a time until the last call of each caller.</summary>
    public required double DurationSeconds { get; init; }

    /// <summary>Calls that were due within the window, the skipped ones included.</summary>
    public required long Attempted { get; init; }

    /// <summary>Calls that ended well.</summary>
    public required long Succeeded { get; init; }

    /// <summary>Calls of the open loop that were not sent, because too many were in flight.</summary>
    public long Skipped { get; init; }

    /// <summary>Calls that failed, by the name of their status.</summary>
    public IReadOnlyDictionary<string, long> FailedByStatus { get; init => field = value ?? new Dictionary<string, long>(); } =
        new Dictionary<string, long>();

    /// <summary>Calls that were sent noticeably after they were due, by the measure that the load client documents.</summary>
    public long? SentLate { get; init; }

    /// <summary>The most calls that were due and not yet sent at one time.</summary>
    public long? LargestBacklog { get; init; }

    /// <summary>The share of the wall time that the checks of the replies took.</summary>
    public double? VerifiedShare { get; init; }

    /// <summary>Successful calls, from the intended send to the end of the reply. Only the open loop has it.</summary>
    public LatencyRecord? Response { get; init; }

    /// <summary>Successful calls, from the real send to the end of the reply.</summary>
    public required LatencyRecord Service { get; init; }

    /// <summary>Failed calls, from the real send to the failure.</summary>
    public LatencyRecord? Failed { get; init; }

    /// <summary>From the intended to the real send of every call of the open loop.</summary>
    public LatencyRecord? ScheduleLag { get; init; }

    /// <summary>The calls per second that the client could have made here if the host had answered at once, as computed from this round:
    /// see docs/load.md. Null where it is not known.</summary>
    public double? ClientCeilingPerSecond { get; init; }

    /// <summary>What the client's process used in the window.</summary>
    public ProcessUse? Client { get; init; }

    /// <summary>What the server's process used in the window.</summary>
    public ProcessUse? Server { get; init; }

    /// <summary>Successful calls per second.</summary>
    public double SucceededPerSecond => Succeeded / DurationSeconds;

    /// <summary>Calls per second that were due.</summary>
    public double AttemptedPerSecond => Attempted / DurationSeconds;

    /// <summary>The part of the attempted calls that ended well, 0 to 1.</summary>
    public double SuccessfulRate => Attempted == 0 ? 0 : (double)Succeeded / Attempted;
}

/// <summary>Latencies: the figures that people read, and the histogram from which any other follows.</summary>
public sealed record LatencyRecord
{
    /// <summary>How many calls.</summary>
    public required long Count { get; init; }

    /// <summary>The shortest.</summary>
    public required long MinUs { get; init; }

    /// <summary>The mean.</summary>
    public required double MeanUs { get; init; }

    /// <summary>The longest.</summary>
    public required long MaxUs { get; init; }

    /// <summary>Percentiles, by their number as text ("50", "99.9"). One that the data do not support (see
    /// <see cref="LatencyHistogram.Supports"/>) is here all the same; the reader marks it.</summary>
    public required IReadOnlyDictionary<string, long> PercentilesUs { get; init; }

    /// <summary>Calls longer than 60 s, which the histogram counts as 60 s.</summary>
    public long Clamped { get; init; }

    /// <summary>The histogram in microseconds: HdrHistogram V2 compressed, base64 (<see cref="HistogramEncoding"/>).</summary>
    public required string Histogram { get; init; }

    /// <summary>The histogram, decoded anew at each call.</summary>
    /// <exception cref="FormatException">It is damaged. A record that <see cref="LoadResultFile"/> read has been checked.</exception>
    public LatencyHistogram Decode() => HistogramEncoding.Decode(Histogram);

    /// <summary>The record of a histogram.</summary>
    /// <param name="histogram">The latencies.</param>
    /// <param name="percentiles">The percentiles to write out, each from 0 to 100.</param>
    public static LatencyRecord Of(LatencyHistogram histogram, IEnumerable<double> percentiles) => new()
    {
        Count = histogram.Count,
        MinUs = histogram.Min,
        MeanUs = histogram.Mean,
        MaxUs = histogram.Max,
        Clamped = histogram.Clamped,
        PercentilesUs = histogram.Count == 0
            ? new Dictionary<string, long>()
            : percentiles.Distinct().ToDictionary(p => p.ToString(System.Globalization.CultureInfo.InvariantCulture), histogram.Percentile),
        Histogram = HistogramEncoding.Encode(histogram),
    };
}

/// <summary>What one process used over exactly the measured window: totals, and the same per call.</summary>
public sealed record ProcessUse
{
    /// <summary>The calls that the totals are divided by: those that the process saw in the window.</summary>
    public required long Calls { get; init; }

    /// <summary>Bytes allocated on the managed heap.</summary>
    public required long AllocatedBytes { get; init; }

    /// <summary>Collections of generation 0, 1 and 2.</summary>
    public required IReadOnlyList<long> GcCollections { get; init; }

    /// <summary>The time in which the GC had stopped the process.</summary>
    public required double GcPauseUs { get; init; }

    /// <summary>User and kernel time of all threads.</summary>
    public required double CpuUs { get; init; }

    /// <summary>Times that a thread had to wait for a lock.</summary>
    public long LockContentions { get; init; }

    /// <summary>Bytes of memory that the process occupied at the end of the window.</summary>
    public long? WorkingSetBytes { get; init; }

    /// <summary>Bytes that the managed heaps had committed at the last collection before the end of the window.</summary>
    public long? CommittedHeapBytes { get; init; }

    /// <summary>Messages encoded.</summary>
    public long? Encodes { get; init; }

    /// <summary>Messages decoded.</summary>
    public long? Decodes { get; init; }

    /// <summary>Pooled slices that were not released when the window had ended and nothing was in flight.</summary>
    public long? SlicesOutstanding { get; init; }

    /// <summary>Bytes sent and received on the sockets, frames and headers included, where they are counted.</summary>
    public long? WireBytes { get; init; }

    /// <summary><see cref="AllocatedBytes"/> per call.</summary>
    public double AllocatedBytesPerCall => PerCall(AllocatedBytes);

    /// <summary><see cref="CpuUs"/> per call.</summary>
    public double CpuUsPerCall => PerCall(CpuUs);

    /// <summary><see cref="GcPauseUs"/> per call.</summary>
    public double GcPauseUsPerCall => PerCall(GcPauseUs);

    /// <summary><see cref="LockContentions"/> per call.</summary>
    public double LockContentionsPerCall => PerCall(LockContentions);

    /// <summary><see cref="WireBytes"/> per call.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public double? WireBytesPerCall => WireBytes is { } bytes ? PerCall(bytes) : null;

    double PerCall(double total) => Calls == 0 ? 0 : total / Calls;
}
