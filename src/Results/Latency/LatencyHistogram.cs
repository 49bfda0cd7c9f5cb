using System.Numerics;

namespace ProtoBench.Results;

/// <summary>Counts latencies in microseconds from 0 to 60 s, in buckets that are at most 0.1 % wide (3 significant digits). Histograms can
/// be merged without loss. The layout is that of Gil Tene's HdrHistogram with lowest 1, highest 60,000,000 and 3 digits. Up to 2,047 every
/// microsecond has a bucket, then each doubling is divided into 1,024. The number of values is not limited. The size is 136 KiB; recording
/// allocates nothing. Not thread-safe: use one histogram for each worker, and merge them with <see cref="Add(LatencyHistogram)"/>.</summary>
public sealed class LatencyHistogram
{
    /// <summary>In microseconds (60 s). A larger latency is counted in this bucket and in <see cref="Clamped"/>.</summary>
    public const long Highest = 60_000_000;

    /// <summary>The number of values above a percentile that are needed to support it.</summary>
    public const int NeededBeyond = 10;

    internal const int Digits = 3;
    internal const int BucketCount = 17 * half;
    const int half = 1024;
    const int halfMagnitude = 10;
    const int mask = (2 * half) - 1;

    readonly long[] counts = new long[BucketCount];
    double sum;

    public long Count { get; private set; }

    /// <summary>Gets the number of latencies above <see cref="Highest"/>. It is lost by encoding.</summary>
    public long Clamped { get; private set; }

    /// <summary>In microseconds; 0 without any. Exact for recorded values; after decoding, the lower end of its bucket.</summary>
    public long Min { get; private set; }

    /// <summary>In microseconds, at most <see cref="Highest"/>. Exact; after decoding, the upper end of its bucket.</summary>
    public long Max { get; private set; }

    /// <summary>In microseconds. Exact for recorded values; after decoding, the mean of the buckets' middles (within 0.05 %).</summary>
    public double Mean => Count == 0 ? 0 : sum / Count;

    internal ReadOnlySpan<long> Counts => counts;

    public void Record(long microseconds) => Record(microseconds, 1);

    /// <param name="microseconds">The latency in microseconds, not negative.</param>
    /// <param name="times">The number of times, at least 1.</param>
    public void Record(long microseconds, long times)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(microseconds);
        ArgumentOutOfRangeException.ThrowIfLessThan(times, 1);
        if (microseconds > Highest)
        {
            microseconds = Highest;
            Clamped += times;
        }

        counts[IndexOf(microseconds)] += times;
        Min = Count == 0 ? microseconds : Math.Min(Min, microseconds);
        Max = Math.Max(Max, microseconds);
        Count += times;
        sum += (double)microseconds * times;
    }

    public void Add(LatencyHistogram other)
    {
        if (other.Count == 0)
            return;
        for (var i = 0; i < BucketCount; i++)
            counts[i] += other.counts[i];
        Min = Count == 0 ? other.Min : Math.Min(Min, other.Min);
        Max = Math.Max(Max, other.Max);
        Count += other.Count;
        Clamped += other.Clamped;
        sum += other.sum;
    }

    public void Add(PackedHistogram other)
    {
        if (other.Count == 0)
            return;
        var (min, max, before) = (Count == 0 ? other.Min : Math.Min(Min, other.Min), Math.Max(Max, other.Max), sum);
        HistogramEncoding.ReadCounts(other.Counts, this);
        (Min, Max, sum) = (min, max, before + other.Sum);
        Clamped += other.Clamped;
    }

    public PackedHistogram Pack() => new(HistogramEncoding.EncodeCounts(this), Count, Clamped, Min, Max, sum);

    public void Clear()
    {
        Array.Clear(counts);
        (Count, Clamped, Min, Max, sum) = (0, 0, 0, 0, 0);
    }

    /// <summary>In microseconds: nearest rank, and the upper end of its bucket, at most <see cref="Max"/>.</summary>
    /// <param name="percentile">0 to 100; 0 is the shortest, 100 the longest.</param>
    public long Percentile(double percentile)
    {
        if (!(percentile is >= 0 and <= 100))
            throw new ArgumentOutOfRangeException(nameof(percentile), percentile, "a percentile is from 0 to 100");
        if (Count == 0)
            throw new InvalidOperationException("an empty histogram has no percentiles");

        // One step down, because a rank that is whole in decimal may be rounded up in binary.
        var rank = Math.Max(1, (long)Math.Ceiling(Math.BitDecrement(percentile) * Count / 100));
        var index = 0;
        for (var seen = counts[0]; seen < rank; seen += counts[index])
            index++;
        return percentile == 0 ? Min : Math.Clamp(UpperEnd(index), Min, Max);
    }

    /// <summary>Returns the number of latencies up to the end of the bucket of this one.</summary>
    public long CountUpTo(long microseconds)
    {
        var count = 0L;
        for (var i = IndexOf(Math.Clamp(microseconds, 0, Highest)); i >= 0; i--)
            count += counts[i];
        return count;
    }

    /// <summary>False if the percentile depends on fewer than <see cref="NeededBeyond"/> calls. It is marked then.</summary>
    public bool Supports(double percentile) => Count >= CountNeeded(percentile);

    /// <summary>So that <see cref="NeededBeyond"/> latencies are above <paramref name="percentile"/>: 10,000 for 99.9.</summary>
    /// <param name="percentile">0 to 100; 100 is never supported.</param>
    public static long CountNeeded(double percentile) =>
        percentile >= 100 ? long.MaxValue : (long)Math.Ceiling(NeededBeyond / (1 - (percentile / 100)) * (1 - 1e-9));

    internal static int IndexOf(long microseconds)
    {
        var doubling = 64 - halfMagnitude - 1 - BitOperations.LeadingZeroCount((ulong)(microseconds | mask));
        return (doubling << halfMagnitude) + (int)(microseconds >> doubling);
    }

    internal static long LowerEnd(int index) =>
        index < 2 * half ? index : (long)((index & (half - 1)) + half) << ((index >> halfMagnitude) - 1);

    internal static long UpperEnd(int index) => LowerEnd(index + 1) - 1;

    internal void Restore(int index, long count)
    {
        counts[index] += count;
        Min = Count == 0 ? LowerEnd(index) : Math.Min(Min, LowerEnd(index));
        Max = Math.Max(Max, Math.Min(UpperEnd(index), Highest));
        Count = checked(Count + count);
        sum += (LowerEnd(index) + UpperEnd(index)) / 2.0 * count;
    }

    /// <summary>Sets what the buckets do not have. Values that cannot be those of the same calls are ignored.</summary>
    internal void Restore(long min, long max, double mean, long clamped)
    {
        if (Count == 0 || min < 0 || max > Highest || IndexOf(min) != IndexOf(Min) || IndexOf(max) != IndexOf(Max)
            || !(mean >= min && mean <= max) || clamped < 0 || clamped > Count)
            return;
        (Min, Max, sum, Clamped) = (min, max, mean * Count, clamped);
    }
}
