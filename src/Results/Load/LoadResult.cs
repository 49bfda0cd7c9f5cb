using System.Text.Json.Serialization;

namespace ProtoBench.Results;

/// <summary>Units are in the names: Us is microseconds. The generated reader of <see cref="LoadResultFile"/> sets values that are missing
/// in a file to null, so the properties have setters. New fields are optional, so that existing files can be read. <see
/// cref="SchemaVersion"/> is raised only when the meaning of a field changes.</summary>
public sealed record LoadResult
{
    /// <summary>The schema that this program writes, and the newest that it reads.</summary>
    public const int CurrentSchema = 1;

    public int SchemaVersion { get; init; } = CurrentSchema;

    public required DateTimeOffset StartedAt { get; init; }

    public bool Partial { get; init; }

    /// <summary>The cores that other programs used before the run on a machine that was too busy (<see cref="MachineLoad.Busy"/>); null if it
    /// was not, and in results of before 2026-11-29.</summary>
    public double? OtherCores { get; init; }

    public required LoadEnvironment Environment { get; init; }

    public required LoadSettings Settings { get; init; }

    /// <summary>The limits of <see cref="LoadSettings.FailIf"/> that rounds passed, each with the variant, the round and its figure. Null
    /// without such limits, and in results of before 2026-11-30.</summary>
    public IReadOnlyList<string>? PassedLimits { get; init; }

    /// <summary>Libraries that are not in the build and variants that are not possible, each with the reason; null for none.</summary>
    public IReadOnlyList<string>? LeftOut { get; init; }

    /// <summary>The variants that were measured. Several variants took turns (ABBA) in the same run.</summary>
    public required IReadOnlyList<LoadVariant> Variants { get; init; }
}

public sealed record LoadSettings
{
    public string CommandLine { get; init => field = value ?? ""; } = "";

    /// <summary>"grpc-dotnet" for the client of the stack, or "event-loop". Null in files from before the event loop.</summary>
    public string? Client { get; init; }

    /// <summary>"closed" if each caller sends after its last reply, "open" if calls are sent by a schedule.</summary>
    public required string Loop { get; init; }

    /// <summary>The gaps of the open loop: "constant" or "poisson".</summary>
    public string? Arrivals { get; init; }

    /// <summary>Calls per second that the open loop attempts, over all connections.</summary>
    public double? RatePerSecond { get; init; }

    /// <summary>The number of callers of the closed loop.</summary>
    public int? Concurrency { get; init; }

    /// <summary>The number of calls of one round; null if a round ends by time.</summary>
    public long? RequestsPerRound { get; init; }

    /// <summary>The length of one round; null if a round ends by the number of its calls.</summary>
    public double? RoundSeconds { get; init; }

    /// <summary>The number of calls in flight above which the open loop skips calls.</summary>
    public int? MaxInFlight { get; init; }

    public required int Connections { get; init; }

    public required int Rounds { get; init; }

    /// <summary>The length of the warm-up before the first round. No figure includes it.</summary>
    public double WarmupSeconds { get; init; }

    public double? TimeoutSeconds { get; init; }

    public long? Seed { get; init; }

    /// <summary>The limits that no round may pass, as they were given; null for none.</summary>
    public IReadOnlyList<string>? FailIf { get; init; }
}

public sealed record LoadVariant
{
    /// <summary>The name of its row in a comparison, for example <c>grpc-dotnet-slab</c>. It is the same in every file.</summary>
    public required string Name { get; init; }

    public required string Stack { get; init; }

    /// <summary>The codec: google, slab, pbn, raw, ...</summary>
    public required string Codec { get; init; }

    /// <summary>The origin of messages and roots: fresh, recycled, new, threadstatic, ...</summary>
    public string? Memory { get; init; }

    /// <summary>The requested GC mode of the server, if a run has several; null otherwise.</summary>
    public string? GcMode { get; init; }

    /// <summary>Of the closed loop, if the variants of a run differ in it; null for <see cref="LoadSettings.Concurrency"/>.</summary>
    public int? Callers { get; init; }

    /// <summary>The host, if the variants have different ones; null for <see cref="LoadEnvironment.Server"/>.</summary>
    public ProcessEnvironment? Server { get; init; }

    public required LoadTransport Transport { get; init; }

    /// <summary>The time to open a connection, TLS included.</summary>
    public double? ConnectUs { get; init; }

    /// <summary>The time of the first call, which no round includes.</summary>
    public double? FirstCallUs { get; init; }

    /// <summary>The parts of the time of a call (encode, decode, handler, ...), in microseconds per call, from a run of its own.</summary>
    public IReadOnlyDictionary<string, double>? AttributionUsPerCall { get; init; }

    /// <summary>The rounds, in the order in which they ran.</summary>
    public required IReadOnlyList<LoadRound> Rounds { get; init; }

    public required LoadVerdict Verdict { get; init; }
}

public sealed record LoadVerdict
{
    /// <summary>False if a check failed; printed as INVALID.</summary>
    public required bool Valid { get; init; }

    public IReadOnlyList<string> Reasons { get; init => field = value ?? []; } = [];

    public IReadOnlyList<string> Notes { get; init => field = value ?? []; } = [];

    public const string TrendStart = "the median still ";

    /// <summary>The note that all rounds change in one direction, so that their mean describes none of them; null without one.</summary>
    public string? Trend() => Notes.FirstOrDefault(note => note.StartsWith(TrendStart, StringComparison.Ordinal));

    public override string ToString() => Valid ? "VALID" : "INVALID";
}

/// <summary>Represents the environment of a load run, which must be equal for two runs that are compared.</summary>
public sealed record LoadEnvironment : MeasuredBuild
{
    public required ProcessEnvironment Client { get; init; }

    public ProcessEnvironment? Server { get; init; }

    /// <summary>Whether client and host ran on the same machine, and so shared its cores.</summary>
    public bool? SharedCores { get; init; }

    /// <summary>The accuracy of the client's times; null without a schedule.</summary>
    public ClockFacts? Clock { get; init; }
}

/// <summary>Represents the accuracy of a schedule, as measured before the run.</summary>
/// <param name="Pacer">How the client waits: "sleep" or "spin".</param>
public sealed record ClockFacts(long ResolutionNs, double WakeUpDelayP50Us, double WakeUpDelayP99Us, string Pacer);

/// <summary>Represents the properties of a variant's connections. They are read from the connections and not from the options.</summary>
public sealed record LoadTransport
{
    /// <summary>The negotiated HTTP version, for example "HTTP/2"; or the name of another protocol.</summary>
    public required string Protocol { get; init; }

    /// <summary>The kind of socket: "tcp" or "uds".</summary>
    public string? Socket { get; init; }

    /// <summary>TLS version and cipher, or null for plain text.</summary>
    public string? Tls { get; init; }

    public required int ConnectionsOpened { get; init; }

    /// <summary>The HTTP/2 windows and limits of client and server, by name, in bytes or streams.</summary>
    public IReadOnlyDictionary<string, long> Http2 { get; init => field = value ?? new Dictionary<string, long>(); } =
        new Dictionary<string, long>();

    public required long RequestBytes { get; init; }

    public required long ResponseBytes { get; init; }

    /// <summary>SHA-256 of the request message in hexadecimal. Runs with different payloads cannot be compared.</summary>
    public string? PayloadSha256 { get; init; }
}

/// <summary>Represents a round: a part of a run that is measured as a whole. A round is one sample of a comparison.</summary>
public sealed record LoadRound
{
    /// <summary>The position of the round in the run, from 0. With several variants it shows their order.</summary>
    public required int Position { get; init; }

    /// <summary>The time by which the calls are divided. In the open loop it begins with the first intended send and ends with the last
    /// successful call, but is at least <see cref="DueSeconds"/>; in results of before 2026-11-28 it is the time in which calls were due. In
    /// the closed loop it ends with the last call, or with the last call of each caller if the round ends by time.</summary>
    public required double DurationSeconds { get; init; }

    /// <summary>The time in which the calls of the open loop were due; null in the closed loop, and in results of before
    /// 2026-11-28.</summary>
    public double? DueSeconds { get; init; }

    /// <summary>The number of calls that were due within the window, including skipped ones.</summary>
    public required long Attempted { get; init; }

    public required long Succeeded { get; init; }

    /// <summary>The number of calls of the open loop that were not sent, because too many were in flight.</summary>
    public long Skipped { get; init; }

    public IReadOnlyDictionary<string, long> FailedByStatus { get; init => field = value ?? new Dictionary<string, long>(); } =
        new Dictionary<string, long>();

    /// <summary>The successful calls by their status, if it was expected and another than OK; null for none.</summary>
    public IReadOnlyDictionary<string, long>? ExpectedByStatus { get; init; }

    /// <summary>The text of the first call of each status but OK that has one; null for none.</summary>
    public IReadOnlyDictionary<string, string>? FailureMessages { get; init; }

    /// <summary>The number of calls that were sent late, see docs/load.md.</summary>
    public long? SentLate { get; init; }

    /// <summary>The number of calls that were due in the round and were answered after it; open loop only, null in results of before
    /// 2026-11-25.</summary>
    public long? ServedAfter { get; init; }

    /// <summary>The largest number of calls that were due and not yet sent.</summary>
    public long? LargestBacklog { get; init; }

    /// <summary>The calls that were sent again because the server had refused them without processing them (GOAWAY, REFUSED_STREAM): the
    /// transparent retries of gRPC's A6; null without any.</summary>
    public long? TransparentRetries { get; init; }

    /// <summary>The share of the elapsed time that the checks of the replies took.</summary>
    public double? VerifiedShare { get; init; }

    /// <summary>The time of successful calls from the intended send to the end of the reply; open loop only.</summary>
    public LatencyRecord? Response { get; init; }

    /// <summary>The time of successful calls from the actual send to the end of the reply.</summary>
    public required LatencyRecord Service { get; init; }

    public LatencyRecord? Failed { get; init; }

    /// <summary>The messages of streams; null for unary calls, and in results of before 2026-11-26.</summary>
    public StreamRecord? Messages { get; init; }

    /// <summary>The time from the intended to the actual send of every call of the open loop.</summary>
    public LatencyRecord? ScheduleLag { get; init; }

    /// <summary>The calls by the second in which they ended, without the seconds in which nothing happened; null in results of before
    /// 2026-11-26.</summary>
    public IReadOnlyList<SecondRecord>? Seconds { get; init; }

    /// <summary>The mean number of calls in flight of the closed loop: the callers' time in calls, divided by the duration. Little's law is
    /// checked against it. Null in the open loop, where only the times of the calls themselves are known, and in results of before
    /// 2026-11-29.</summary>
    public double? InFlight { get; init; }

    /// <summary>The largest number of calls at a time; null in results of before 2026-11-29.</summary>
    public int? MostInFlight { get; init; }

    /// <summary>The share of the time in which the client's event loops did not wait; null for another client, and in results of before
    /// 2026-11-29.</summary>
    public double? LoopBusy { get; init; }

    /// <summary>Whether the round was stopped before its end; also false in results of before 2026-11-29.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool Partial { get; init; }

    /// <summary>If the host had answered at once, computed from this round: see docs/load.md. Null if it is not known.</summary>
    public double? ClientCeilingPerSecond { get; init; }

    /// <summary>The parts of the time of a call; null if they are not measured, and in results of before 2026-11-29.</summary>
    public IReadOnlyDictionary<string, double>? AttributionUsPerCall { get; init; }

    public ProcessUse? Client { get; init; }

    public ProcessUse? Server { get; init; }

    [JsonIgnore]
    public long FailedCalls => FailedByStatus.Values.Sum();

    public double SucceededPerSecond => Succeeded / DurationSeconds;

    public double AttemptedPerSecond => Attempted / (DueSeconds ?? DurationSeconds);

    public double SuccessfulRate => Attempted == 0 ? 0 : (double)Succeeded / Attempted;

    /// <summary>The part of a second that belongs to the round, in seconds. The calls after the end of a round have a whole one.</summary>
    public double LengthOf(SecondRecord second) => DurationSeconds - second.Second is > 0 and < 1 and var rest ? rest : 1;
}

/// <param name="Second">Whole seconds since the start of the round.</param>
/// <param name="Latency">Of the successful calls: the response time, which in the closed loop is the service time.</param>
/// <param name="Messages">Of streams, also of those that go on; null for unary calls.</param>
public sealed record SecondRecord(int Second, long Failed, LatencyRecord Latency, StreamRecord? Messages = null);

/// <param name="BetweenMessages">The time from one message to the next, of replies where these stream, otherwise of requests.</param>
/// <param name="ToAnswer">The time from a message to the reply with the same number; with an interval, from when the message was
/// due. For a stream on one side only, from the last request to the first reply.</param>
public sealed record StreamRecord(long Sent, long Received, LatencyRecord BetweenMessages, LatencyRecord ToAnswer);

public sealed record LatencyRecord
{
    public required long Count { get; init; }

    public required long MinUs { get; init; }

    public required double MeanUs { get; init; }

    public required long MaxUs { get; init; }

    /// <summary>Latencies by the number of the percentile as text ("50", "99.9"). They include percentiles that the data do not support (see
    /// <see cref="LatencyHistogram.Supports"/>), which readers of the file mark.</summary>
    public required IReadOnlyDictionary<string, long> PercentilesUs { get; init; }

    /// <summary>The number of calls longer than 60 s, which the histogram counts as 60 s.</summary>
    public long Clamped { get; init; }

    /// <summary>The histogram in microseconds: HdrHistogram V2 compressed, base64 (<see cref="HistogramEncoding"/>).</summary>
    public required string Histogram { get; init; }

    /// <summary>Returns the histogram, with the figures that only the record has: its least and largest value, its mean, and how many calls
    /// were longer than it counts.</summary>
    public LatencyHistogram Decode()
    {
        var histogram = HistogramEncoding.Decode(Histogram);
        histogram.Restore(MinUs, MaxUs, MeanUs, Clamped);
        return histogram;
    }

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

/// <summary>Represents the resources that one process used in the measured window: totals, and figures per call.</summary>
public sealed record ProcessUse
{
    /// <summary>The number of calls by which the totals are divided: those that the process made or answered in the window.</summary>
    public required long Calls { get; init; }

    public required long AllocatedBytes { get; init; }

    /// <summary>Collections of generation 0, 1 and 2.</summary>
    public required IReadOnlyList<long> GcCollections { get; init; }

    public required double GcPauseUs { get; init; }

    public required double CpuUs { get; init; }

    public long LockContentions { get; init; }

    /// <summary>Bytes of memory that the process occupied at the end of the window.</summary>
    public long? WorkingSetBytes { get; init; }

    /// <summary>Bytes that the managed heaps had committed at the last collection before the end of the window.</summary>
    public long? CommittedHeapBytes { get; init; }

    public long? Encodes { get; init; }

    public long? Decodes { get; init; }

    /// <summary>The number of pooled slices that were not released when the window had ended and no call was in flight.</summary>
    public long? SlicesOutstanding { get; init; }

    /// <summary>Bytes sent and received on the sockets, including frames and headers; null if they are not counted.</summary>
    public long? WireBytes { get; init; }

    public double AllocatedBytesPerCall => PerCall(AllocatedBytes);

    public double CpuUsPerCall => PerCall(CpuUs);

    public double GcPauseUsPerCall => PerCall(GcPauseUs);

    public double LockContentionsPerCall => PerCall(LockContentions);

    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public double? WireBytesPerCall => WireBytes is { } bytes ? PerCall(bytes) : null;

    double PerCall(double total) => Calls == 0 ? 0 : total / Calls;
}
