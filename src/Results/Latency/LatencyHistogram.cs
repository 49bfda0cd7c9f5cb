using System.Numerics;

namespace ProtoBench.Results;

/// <summary>Counts latencies in microseconds, 0 to 60 s, in buckets that are at most
/// 0.1 % wide (3 significant digits); merging two histograms loses nothing.</summary>
/// <remarks>
/// <para>The layout is the one of Gil Tene's HdrHistogram with lowest 1, highest 60,000,000 and 3 digits: up to 2,047 every microsecond has
/// a bucket, then each doubling is cut into 1,024. There is no limit to the number of values. 136 KiB; recording allocates nothing.</para>
/// <para>Not thread-safe: one per worker, merged at the end with <see cref="Add"/>.</para>
/// </remarks>
public sealed class LatencyHistogram
{
    /// <summary>The longest latency that has a bucket of its own, in microseconds
    /// (60 s). A longer one is counted here and in <see cref="Clamped"/>.</summary>
    public const long Highest = 60_000_000;

    /// <summary>The number of values beyond a percentile below which the data do not support it.</summary>
    public const int NeededBeyond = 10;

    internal const int Digits = 3;
    internal const int BucketCount = 17 * half;
    const int half = 1024;
    const int halfMagnitude = 10;
    const int mask = (2 * half) - 1;

    readonly long[] counts = new long[BucketCount];
    double sum;

    /// <summary>The number of latencies recorded.</summary>
    public long Count { get; private set; }

    /// <summary>The number of latencies that were longer than <see cref="Highest"/>. It does not survive the encoding.</summary>
    public long Clamped { get; private set; }

    /// <summary>The shortest latency in microseconds; 0 when there is none. Exact
    /// as recorded; after decoding, the lower end of its bucket.</summary>
    public long Min { get; private set; }

    /// <summary>The longest latency in microseconds, at most <see cref="Highest"/>; 0 when
    /// there is none. Exact as recorded; after decoding, the upper end of its bucket.</summary>
    public long Max { get; private set; }

    /// <summary>The mean in microseconds; 0 when there is none. Exact as recorded;
    /// after decoding, that of the buckets' middles (within 0.05 %).</summary>
    public double Mean => Count == 0 ? 0 : sum / Count;

    /// <summary>How often each bucket was hit, by <see cref="IndexOf"/>.</summary>
    internal ReadOnlySpan<long> Counts => counts;

    /// <summary>Counts one latency.</summary>
    /// <param name="microseconds">The latency in microseconds, not negative.</param>
    /// <exception cref="ArgumentOutOfRangeException">It is negative.</exception>
    public void Record(long microseconds) => Record(microseconds, 1);

    /// <summary>Counts a latency as often as it occurred.</summary>
    /// <param name="microseconds">The latency in microseconds, not negative.</param>
    /// <param name="times">How often, at least once.</param>
    /// <exception cref="ArgumentOutOfRangeException">A number is too low.</exception>
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

    /// <summary>Adds what another histogram has counted; the other one stays as it is.</summary>
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

    /// <summary>Forgets everything.</summary>
    public void Clear()
    {
        Array.Clear(counts);
        (Count, Clamped, Min, Max, sum) = (0, 0, 0, 0, 0);
    }

    /// <summary>The latency in microseconds that <paramref name="percentile"/> percent of the recorded ones do
    /// not exceed (nearest rank; the upper end of its bucket, but not above <see cref="Max"/>).</summary>
    /// <param name="percentile">0 to 100; 0 is the shortest, 100 the longest.</param>
    /// <exception cref="ArgumentOutOfRangeException">It is not from 0 to 100.</exception>
    /// <exception cref="InvalidOperationException">Nothing was recorded.</exception>
    public long Percentile(double percentile)
    {
        if (!(percentile is >= 0 and <= 100))
            throw new ArgumentOutOfRangeException(nameof(percentile), percentile, "a percentile is from 0 to 100");
        if (Count == 0)
            throw new InvalidOperationException("an empty histogram has no percentiles");

        // One step down, so that a rank which is whole in decimal does not become the next one by rounding in binary.
        var rank = Math.Max(1, (long)Math.Ceiling(Math.BitDecrement(percentile) * Count / 100));
        var index = 0;
        for (var seen = counts[0]; seen < rank; seen += counts[index])
            index++;
        return percentile == 0 ? Min : Math.Clamp(UpperEnd(index), Min, Max);
    }

    /// <summary>Whether at least <see cref="NeededBeyond"/> recorded latencies lie beyond
    /// <paramref name="percentile"/>. Otherwise a few calls decide the percentile, and it is marked.</summary>
    /// <param name="percentile">0 to 100.</param>
    public bool Supports(double percentile) => Count >= CountNeeded(percentile);

    /// <summary>How many latencies must be recorded before <paramref name="percentile"/>
    /// has <see cref="NeededBeyond"/> beyond it: 10,000 for 99.9.</summary>
    /// <param name="percentile">0 to 100, 100 being never supported.</param>
    public static long CountNeeded(double percentile) =>
        percentile >= 100 ? long.MaxValue : (long)Math.Ceiling(NeededBeyond / (1 - (percentile / 100)) * (1 - 1e-9));

    /// <summary>The bucket of a latency.</summary>
    internal static int IndexOf(long microseconds)
    {
        var doubling = 64 - halfMagnitude - 1 - BitOperations.LeadingZeroCount((ulong)(microseconds | mask));
        return (doubling << halfMagnitude) + (int)(microseconds >> doubling);
    }

    /// <summary>The shortest latency that a bucket counts.</summary>
    internal static long LowerEnd(int index) =>
        index < 2 * half ? index : (long)((index & (half - 1)) + half) << ((index >> halfMagnitude) - 1);

    /// <summary>The longest latency that a bucket counts.</summary>
    internal static long UpperEnd(int index) => LowerEnd(index + 1) - 1;

    /// <summary>Takes over the count of a bucket, as a decoder does.</summary>
    internal void Restore(int index, long count)
    {
        counts[index] = count;
        Min = Count == 0 ? LowerEnd(index) : Math.Min(Min, LowerEnd(index));
        Max = Math.Max(Max, Math.Min(UpperEnd(index), Highest));
        Count = checked(Count + count);
        sum += (LowerEnd(index) + UpperEnd(index)) / 2.0 * count;
    }
}
