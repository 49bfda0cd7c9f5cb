using System.Globalization;

namespace ProtoBench.Diagnosers;

/// <summary>
/// Objects allocated by one operation, estimated from samples and from the exact bytes. Each sample stands for 1/chance objects; the exact bytes of an operation, which
/// <c>MemoryDiagnoser</c> knows, calibrate the sum. Where whole numbers of each size add up to those bytes, the count is exact.
/// </summary>
/// <param name="Value">Objects per operation; null: the samples and the bytes contradict each other, so nothing is known.</param>
/// <param name="Error">One standard error of <paramref name="Value"/>; 0 for an exact count.</param>
public sealed record ObjectCount(double? Value, double Error)
{
    // A claim is made at so many standard errors.
    const double sure = 3;

    // Bytes of an operation are rounded to whole bytes, and BenchmarkDotNet's own few are spread over all operations.
    const double byteTolerance = 1;

    /// <summary>Nothing can be said.</summary>
    public static ObjectCount Unknown { get; } = new(null, 0);

    /// <summary>Estimates the count.</summary>
    /// <param name="samples">What was sampled, and over how many operations.</param>
    /// <param name="exactBytes">Bytes that one operation allocates.</param>
    public static ObjectCount Of(AllocationSamples samples, long exactBytes)
    {
        if (exactBytes == 0)
            return new(0, 0);
        if (samples.Counts.Count == 0 || samples.Operations == 0 || !Agrees(samples, exactBytes))
            return Unknown;
        Size[] sizes = [.. samples.Counts.GroupBy(pair => pair.Key.Bytes, (bytes, pairs) => Size.Of(pairs.First().Key, pairs.Sum(pair => pair.Value), samples.Operations)).OrderByDescending(size => size.Bytes)];
        return Whole(sizes, exactBytes) ?? Ratio(sizes, exactBytes, samples.Operations);
    }

    /// <summary>"7" where the count is exact, "~10,511 ± 19" where it is an estimate, "unknown" where there is none.</summary>
    public override string ToString()
    {
        if (Value is not { } value)
            return "unknown";
        if (Error == 0 && double.IsInteger(value))
            return value.ToString("N0", CultureInfo.InvariantCulture);
        var format = value >= 100 ? "N0" : "N2";
        return "~" + value.ToString(format, CultureInfo.InvariantCulture) + (Error > 0 ? " ± " + Error.ToString(format, CultureInfo.InvariantCulture) : "");
    }

    /// <summary>A sample that misses a thread, or sees a foreign one, is told by its bytes.</summary>
    static bool Agrees(AllocationSamples samples, long exactBytes)
    {
        var bytes = samples.Counts.Sum(pair => pair.Value * pair.Key.Bytes / pair.Key.Chance) / samples.Operations;
        var error = Math.Sqrt(samples.Counts.Sum(pair => pair.Value * (1 - pair.Key.Chance) * Math.Pow(pair.Key.Bytes / pair.Key.Chance, 2))) / samples.Operations;
        return Math.Abs(bytes - exactBytes) <= (sure * error) + Math.Max(byteTolerance, exactBytes * 0.01);
    }

    /// <summary>
    /// From the largest size to the smallest: is its count a whole number beyond doubt? The last size takes what is left of the bytes. So seven small objects beside one of
    /// 1 MiB are found, although few of the small ones are sampled. Null unless the whole numbers add up to the exact bytes.
    /// </summary>
    static ObjectCount? Whole(Size[] sizes, long exactBytes)
    {
        double objects = 0;
        double left = exactBytes;
        for (var i = 0; i < sizes.Length; i++)
        {
            var (count, error) = i == sizes.Length - 1 ? (left / sizes[i].Bytes, 0) : (sizes[i].PerOperation, sizes[i].Error);
            var whole = Math.Round(count);
            if (i < sizes.Length - 1 && (Math.Abs(count - whole) > sure * error || sure * error > 0.5))
                return null;
            objects += whole;
            left -= whole * sizes[i].Bytes;
        }

        return objects > 0 && Math.Abs(left) <= byteTolerance ? new(objects, 0) : null;
    }

    static ObjectCount Ratio(Size[] sizes, long exactBytes, long operations)
    {
        var objects = sizes.Sum(size => size.PerOperation);
        var mean = sizes.Sum(size => size.PerOperation * size.Bytes) / objects;
        var variance = sizes.Sum(size => size.Samples * (1 - size.Chance) / (size.Chance * size.Chance) * Math.Pow(1 - (size.Bytes / mean), 2));
        return new(exactBytes / mean, Math.Sqrt(variance) / operations);
    }

    /// <summary>All samples of one size.</summary>
    readonly record struct Size(long Bytes, double Chance, long Samples, double PerOperation, double Error)
    {
        public static Size Of(AllocatedObject sampled, long samples, long operations)
        {
            var chance = sampled.Chance;
            return new(sampled.Bytes, chance, samples, samples / chance / operations, Math.Sqrt(samples * (1 - chance)) / chance / operations);
        }
    }
}
