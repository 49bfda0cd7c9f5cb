using System.Text.Json.Serialization;

namespace ProtoBench.Results;

/// <summary>One round: a stretch of load that is measured as a whole. A round is one sample of a comparison.</summary>
public sealed record LoadRound
{
    /// <summary>The round's position in the whole run, from 0: with several variants it shows who ran when.</summary>
    public required int Position { get; init; }

    /// <summary>The length of the measured window: from the first intended send
    /// to its end, without the draining of what was still in flight.</summary>
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
