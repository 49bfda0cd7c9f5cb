namespace ProtoBench.Results;

/// <summary>The content of a <see cref="LatencyHistogram"/>, from <see cref="LatencyHistogram.Pack"/>: 2 to 3 bytes for each bucket that is
/// not empty, where a histogram takes 136 KiB. Nothing is lost. Immutable.</summary>
public sealed class PackedHistogram
{
    readonly byte[] counts;

    internal PackedHistogram(byte[] counts, long count, long clamped, long min, long max, double sum) =>
        (this.counts, Count, Clamped, Min, Max, Sum) = (counts, count, clamped, min, max, sum);

    public long Count { get; }

    /// <summary>The bytes of the counts.</summary>
    public int Size => counts.Length;

    internal ReadOnlySpan<byte> Counts => counts;

    internal long Clamped { get; }

    internal long Min { get; }

    internal long Max { get; }

    internal double Sum { get; }

    public LatencyHistogram Unpack()
    {
        var histogram = new LatencyHistogram();
        histogram.Add(this);
        return histogram;
    }
}
