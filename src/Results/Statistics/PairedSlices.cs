namespace ProtoBench.Results;

/// <summary>What one process says about two programs whose slices it ran in pairs: by what factor the new one takes longer.</summary>
/// <remarks>
/// <para>The two slices of a pair are neighbours, so what slows the machine slows both, and their ratio stays (L. Bulej et al., Duet
/// Benchmarking: Improving Measurement Accuracy in the Cloud, ICPE 2020). The median over the pairs is not moved by pairs in which
/// something hit one slice only.</para>
/// <para>Collections are rare and long, and in which side's slice one falls is chance. So pairs with a collection are left out of the
/// median; what collections cost (the time of their slices above the median slice of their side) is added up and charged to both sides by
/// the bytes that they allocated, where they share a heap, and to its own side where they do not. Where fewer than half of the pairs are
/// without a collection, all pairs count as they are.</para>
/// </remarks>
/// <param name="Ratio">Time of an operation of the new side by that of the old side.</param>
/// <param name="OldNanoseconds">Time of an operation of the old side, its share of the collections included.</param>
/// <param name="NewNanoseconds">Time of an operation of the new side, its share of the collections included.</param>
/// <param name="Pairs">The pairs behind the median.</param>
public readonly record struct PairedSlices(double Ratio, double OldNanoseconds, double NewNanoseconds, int Pairs)
{
    /// <summary>The estimate of one process.</summary>
    /// <param name="old">The old side.</param>
    /// <param name="new">The new side, with as many slices.</param>
    /// <param name="sharedHeap">Whether both ran in the same process.</param>
    /// <exception cref="ArgumentException">There is no pair, the sides have
    /// different numbers of slices, or a slice took no time.</exception>
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

    // The nanoseconds that all collections of this side added to its slices.
    static double CostOfCollections(SliceSide side, int[] clean)
    {
        var usual = MedianOf(clean.Select(pair => side.Nanoseconds[pair]));
        return Enumerable.Range(0, side.Nanoseconds.Count).Where(pair => side.Collected[pair])
            .Sum(pair => Math.Max(0, side.Nanoseconds[pair] - usual));
    }

    static double MedianOf(IEnumerable<double> values) => Median.Middle([.. values.Order()]);
}

/// <summary>The slices of one side, in the order of their pairs.</summary>
/// <param name="Nanoseconds">The time of each slice.</param>
/// <param name="Collected">Whether a collection ran in it.</param>
/// <param name="Operations">Operations in each slice.</param>
/// <param name="BytesPerOperation">Allocated bytes of an operation.</param>
public sealed record SliceSide(IReadOnlyList<double> Nanoseconds, IReadOnlyList<bool> Collected, long Operations, double BytesPerOperation);
