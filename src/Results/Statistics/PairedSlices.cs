namespace ProtoBench.Results;

/// <summary>Represents the estimate of one process in which two programs ran slices in pairs: the ratio of their times. The two slices of a
/// pair are neighbours. A slowdown of the machine affects both, and their ratio stays the same (L. Bulej et al., Duet Benchmarking:
/// Improving Measurement Accuracy in the Cloud, ICPE 2020). Pairs in which only one slice was disturbed do not move the median over the
/// pairs. Collections are rare and long, and each falls into the slice of either side by chance. So the median is over the pairs without a
/// collection. The cost of the collections is the time of their slices above the median slice of their side. If the sides share a heap, the
/// sum is divided between them by the bytes that they allocated. Otherwise each side has its own cost. If fewer than half of the pairs are
/// without a collection, all pairs count as they are.</summary>
public readonly record struct PairedSlices(double Ratio, double OldNanoseconds, double NewNanoseconds, int Pairs)
{
    /// <param name="sharedHeap">Whether both ran in the same process.</param>
    public static PairedSlices Of(SliceSide old, SliceSide @new, bool sharedHeap)
    {
        if (old.Nanoseconds.Count == 0 || old.Nanoseconds.Count != @new.Nanoseconds.Count)
            throw new ArgumentException($"{old.Nanoseconds.Count} slices cannot be paired with {@new.Nanoseconds.Count}", nameof(@new));
        if (old.Nanoseconds.Concat(@new.Nanoseconds).Any(time => time <= 0))
            throw new ArgumentException("a slice that took no time", nameof(old));
        int[] all = [.. Enumerable.Range(0, old.Nanoseconds.Count)];
        int[] clean = [.. all.Where(pair => !old.Collected[pair] && !@new.Collected[pair])];
        var charges = clean.Length * 2 >= all.Length;
        var pairs = charges ? clean : all;
        var ratio = Math.Exp(
            MedianOf(pairs.Select(pair =>
                Math.Log(@new.Nanoseconds[pair] / @new.Operations) - Math.Log(old.Nanoseconds[pair] / old.Operations))));
        var time = MedianOf(pairs.Select(pair => old.Nanoseconds[pair])) / old.Operations;
        if (!charges)
            return new(ratio, time, time * ratio, pairs.Length);

        var (costOld, costNew) = (CostOfCollections(old, clean), CostOfCollections(@new, clean));
        if (sharedHeap)
        {
            var (bytesOld, bytesNew) = (old.BytesPerOperation * old.Operations, @new.BytesPerOperation * @new.Operations);
            var share = bytesOld + bytesNew > 0 ? (costOld + costNew) / (bytesOld + bytesNew) : 0;
            (costOld, costNew) = (share * bytesOld, share * bytesNew);
        }

        var oldTotal = time + (costOld / old.Operations / all.Length);
        var newTotal = (time * ratio) + (costNew / @new.Operations / all.Length);
        return new(newTotal / oldTotal, oldTotal, newTotal, pairs.Length);
    }

    // Returns the nanoseconds that all collections of this side added to its slices.
    static double CostOfCollections(SliceSide side, int[] clean)
    {
        var usual = MedianOf(clean.Select(pair => side.Nanoseconds[pair]));
        return Enumerable.Range(0, side.Nanoseconds.Count).Where(pair => side.Collected[pair])
            .Sum(pair => Math.Max(0, side.Nanoseconds[pair] - usual));
    }

    static double MedianOf(IEnumerable<double> values) => Median.Middle([.. values.Order()]);
}

/// <summary>Represents the slices of one side, in the order of their pairs.</summary>
public sealed record SliceSide(IReadOnlyList<double> Nanoseconds, IReadOnlyList<bool> Collected, long Operations, double BytesPerOperation);
