using ProtoBench.GrpcHost.Protocol;

namespace ProtoBench.GrpcHost;

/// <summary>The histogram of gRPC's benchmark protocol. Bucket 0 counts values below 1 + resolution. Bucket n counts those from (1 +
/// resolution)^n up to the next bucket. Values are nanoseconds. Not thread-safe.</summary>
sealed class QpsHistogram
{
    /// <summary>The resolution that official drivers request.</summary>
    public const double UsualResolution = 0.01;

    /// <summary>The largest value that official drivers request: 60 s.</summary>
    public const double UsualMaxPossible = 60e9;

    // 40 MB for one histogram; the usual histogram has 2,495 buckets
    const int mostBuckets = 10_000_000;

    readonly double resolution;
    readonly double maxPossible;
    readonly double perLog;
    readonly uint[] buckets;
    double min;
    double max;
    double sum;
    double sumOfSquares;

    /// <param name="resolution">The relative width of a bucket, above 0.</param>
    /// <param name="maxPossible">The largest value, above 1 + the resolution. Larger values are counted in the last bucket.</param>
    /// <exception cref="ArgumentException">Thrown when an argument is out of range, or needs more than 10,000,000 buckets.</exception>
    public QpsHistogram(double resolution, double maxPossible)
    {
        if (!(resolution > 0 && double.IsFinite(resolution) && maxPossible > 1 + resolution && double.IsFinite(maxPossible)))
            throw new ArgumentException($"no histogram has resolution {resolution} and max_possible {maxPossible}");
        (this.resolution, this.maxPossible) = (resolution, maxPossible);
        // Other implementations multiply by this value instead of dividing. Values at the edge of a bucket must fall into the same bucket.
        perLog = 1 / Math.Log(1 + resolution);
        var count = (Math.Log(maxPossible) * perLog) + 1;
        if (count > mostBuckets)
            throw new ArgumentException($"a histogram with resolution {resolution} and max_possible {maxPossible} has more than {mostBuckets} buckets");
        buckets = new uint[(int)count];
        Clear();
    }

    /// <summary>Creates an empty histogram as described by a driver. Without a description, it is the usual one.</summary>
    public static QpsHistogram Of(HistogramParams? asked) =>
        asked is null ? new(UsualResolution, UsualMaxPossible) : new(asked.Resolution, asked.MaxPossible);

    /// <summary>Creates an empty histogram of the same form.</summary>
    public QpsHistogram Like() => new(resolution, maxPossible);

    public double Count { get; private set; }

    public ReadOnlySpan<uint> Buckets => buckets;

    public void Record(double nanoseconds)
    {
        Count++;
        sum += nanoseconds;
        sumOfSquares += nanoseconds * nanoseconds;
        min = Math.Min(min, nanoseconds);
        max = Math.Max(max, nanoseconds);
        buckets[(int)(Math.Log(Math.Clamp(nanoseconds, 1, maxPossible)) * perLog)]++;
    }

    public void Clear()
    {
        Array.Clear(buckets);
        (Count, sum, sumOfSquares) = (0, 0, 0);
        (min, max) = (maxPossible, 0);
    }

    public void Add(QpsHistogram other) => Add(other.ToMessage());

    /// <exception cref="FormatException">Thrown when it has another number of buckets, counts that do not add up, or more values than a
    /// bucket can count. Nothing is added then.</exception>
    public void Add(HistogramData data)
    {
        if (data.Bucket.Count != buckets.Length)
            throw new FormatException($"a histogram of {data.Bucket.Count} buckets instead of {buckets.Length}");
        var total = 0L;
        for (var i = 0; i < buckets.Length; i++)
        {
            total += data.Bucket[i];
            if (data.Bucket[i] > uint.MaxValue - buckets[i])
                throw new FormatException($"more than {uint.MaxValue} values in bucket {i} of a histogram");
        }

        if (total != data.Count)
            throw new FormatException($"a histogram with {total} values in its buckets that says {data.Count}");
        if (total == 0)
            return;
        for (var i = 0; i < buckets.Length; i++)
            buckets[i] += data.Bucket[i];
        Count += data.Count;
        sum += data.Sum;
        sumOfSquares += data.SumOfSquares;
        min = Math.Min(min, data.MinSeen);
        max = Math.Max(max, data.MaxSeen);
    }

    public HistogramData ToMessage()
    {
        var data = new HistogramData { MinSeen = min, MaxSeen = max, Sum = sum, SumOfSquares = sumOfSquares, Count = Count };
        data.Bucket.AddRange(buckets);
        return data;
    }

    /// <summary>Nanoseconds that this percentage does not exceed, interpolated within a bucket as official drivers do it.</summary>
    /// <returns>The value; 0 for an empty histogram.</returns>
    public double Percentile(double percentile)
    {
        var rank = Count * percentile / 100;
        if (Count == 0)
            return 0;
        if (rank <= 0)
            return min;
        if (rank >= Count)
            return max;
        var (index, seen) = (0, (double)buckets[0]);
        while (seen < rank)
            seen += buckets[++index];
        if (seen > rank)
        {
            var (lower, upper) = (Start(index), Start(index + 1));
            return Math.Clamp(upper - ((upper - lower) * (seen - rank) / buckets[index]), min, max);
        }

        // exactly at the end of a bucket: the middle between it and the next bucket that is not empty
        var next = index + 1;
        while (next < buckets.Length && buckets[next] == 0)
            next++;
        return (Start(index) + Start(next)) / 2;
    }

    /// <summary>Whole microseconds, from the middle of each bucket: the error is at most 0.5 % for the usual resolution.</summary>
    public LatencyHistogram ToLatency()
    {
        var latency = new LatencyHistogram();
        for (var i = 0; i < buckets.Length; i++)
        {
            if (buckets[i] > 0)
                latency.Record((long)Math.Clamp((Start(i) + Start(i + 1)) / 2, min, max) / 1_000, buckets[i]);
        }

        return latency;
    }

    double Start(int index) => Math.Pow(1 + resolution, index);
}
