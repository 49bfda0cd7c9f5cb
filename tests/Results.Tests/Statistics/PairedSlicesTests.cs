namespace ProtoBench.Results.Tests;

public class PairedSlicesTests
{
    // 10 operations of 100 ns against 5 of 210 ns; the machine halves its
    // speed in the second pair, and something hits one slice of the third.
    [Fact]
    public void What_slows_both_slices_of_a_pair_leaves_the_ratio()
    {
        var found = PairedSlices.Of(Side([1_000, 2_000, 1_000, 1_000, 2_000], 10), Side([1_050, 2_100, 9_999, 1_050, 2_100], 5),
            sharedHeap: true);
        Assert.Equal(2.1, found.Ratio, 1e-12);
        Assert.Equal(210, found.NewNanoseconds, 1e-9);
        Assert.Equal((100, 5), (found.OldNanoseconds, found.Pairs));
    }

    // A collection costs 500 ns. Both sides allocate 8 bytes an operation, 10 operations a
    // slice: each is charged half of what the two collections cost, whoever had them.
    [Fact]
    public void Collections_of_a_shared_heap_are_charged_by_allocated_bytes()
    {
        var old = new SliceSide([1_000, 1_500, 1_500, 1_000, 1_000], [false, true, true, false, false], 10, 8);
        var @new = new SliceSide([1_000, 1_000, 1_000, 1_000, 1_000], [false, false, false, false, false], 10, 8);
        var found = PairedSlices.Of(old, @new, sharedHeap: true);
        Assert.Equal(1, found.Ratio, 1e-12);
        Assert.Equal(100 + (500 / 50.0), found.OldNanoseconds, 1e-9);
        Assert.Equal(3, found.Pairs);

        // A side that allocates nothing is charged nothing.
        var lean = PairedSlices.Of(old, @new with { BytesPerOperation = 0 }, sharedHeap: true);
        Assert.Equal((100 + (1_000 / 50.0), 100), (lean.OldNanoseconds, lean.NewNanoseconds));
        Assert.Equal(100 / 120.0, lean.Ratio, 1e-12);
    }

    [Fact]
    public void Collections_of_two_heaps_are_charged_to_their_own_side()
    {
        var old = new SliceSide([1_000, 1_500, 1_500, 1_000, 1_000], [false, true, true, false, false], 10, 8);
        var @new = new SliceSide([1_000, 1_000, 1_000, 1_000, 1_000], [false, false, false, false, false], 10, 8);
        var found = PairedSlices.Of(old, @new, sharedHeap: false);
        Assert.Equal((120, 100), (found.OldNanoseconds, found.NewNanoseconds));
    }

    [Fact]
    public void Where_most_pairs_have_a_collection_all_count_as_they_are()
    {
        var old = new SliceSide([1_000, 1_500, 1_500], [false, true, true], 10, 8);
        var found = PairedSlices.Of(old, Side([1_000, 1_500, 1_500], 10), sharedHeap: true);
        Assert.Equal((1, 150, 150, 3), (found.Ratio, found.OldNanoseconds, found.NewNanoseconds, found.Pairs));
    }

    [Fact]
    public void Swapping_the_sides_inverts_it()
    {
        var random = new Random(32);
        for (var i = 0; i < 200; i++)
        {
            // an even number of pairs has a median of two logarithms, and a time that is the mean of two
            var n = (2 * random.Next(3, 30)) + 1;
            SliceSide Draw() =>
                new([.. Enumerable.Range(0, n).Select(_ => 1_000 + (random.NextDouble() * 100))],
                    [.. Enumerable.Range(0, n).Select(_ => false)], random.Next(1, 20), random.Next(2) * 24);
            var (one, other) = (Draw(), Draw());
            Assert.Equal(1, PairedSlices.Of(one, other, sharedHeap: true).Ratio * PairedSlices.Of(other, one, sharedHeap: true).Ratio,
                1e-12);
        }
    }

    [Fact]
    public void Slices_that_cannot_be_paired_are_refused()
    {
        Assert.Throws<ArgumentException>(() => PairedSlices.Of(Side([], 1), Side([], 1), sharedHeap: true));
        Assert.Throws<ArgumentException>(() => PairedSlices.Of(Side([1, 2], 1), Side([1], 1), sharedHeap: true));
        Assert.Throws<ArgumentException>(() => PairedSlices.Of(Side([1, 0], 1), Side([1, 1], 1), sharedHeap: true));
    }

    static SliceSide Side(double[] times, long operations) => new(times, [.. times.Select(_ => false)], operations, 0);
}
