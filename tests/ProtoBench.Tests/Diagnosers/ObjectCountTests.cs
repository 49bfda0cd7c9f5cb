using ProtoBench.Diagnosers;

namespace ProtoBench.Tests.Diagnosers;

/// <summary>The estimator on samples that were drawn as the runtime draws them, and on measured ones.</summary>
public class ObjectCountTests
{
    [Fact]
    public void No_bytes_are_no_objects_whatever_strayed_in() => Assert.Equal("0", ObjectCount.Of(Samples(1_000, (32, 3)), 0).ToString());

    [Fact]
    public void Bytes_without_a_sample_are_unknown() => Assert.Equal("unknown", ObjectCount.Of(Samples(1_000), 32).ToString());

    /// <summary>9 samples in 42,480 operations: the samples alone say 0.68, the bytes make it 1 (measured).</summary>
    [Fact]
    public void Few_samples_of_one_size_are_enough() => Assert.Equal("1", ObjectCount.Of(Samples(42_480, (32, 9)), 32).ToString());

    [Fact]
    public void Samples_that_miss_a_thread_are_unknown() => Assert.Equal("unknown", ObjectCount.Of(Draw(1, 1_000_000, (32, 1)), 64).ToString());

    [Fact]
    public void Samples_of_a_foreign_thread_are_unknown() => Assert.Equal("unknown", ObjectCount.Of(Draw(1, 1_000_000, (32, 1), (1_000, 1)), 32).ToString());

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Small_objects_beside_a_large_one(int seed) => Assert.Equal("8", ObjectCount.Of(Draw(seed, 20_000, (32, 7), (1_048_600, 1)), (7 * 32) + 1_048_600).ToString());

    /// <summary>Half an object an operation is no whole number: one of two operations allocates.</summary>
    [Fact]
    public void A_half_is_not_rounded() => Assert.Equal("~0.50", ObjectCount.Of(Draw(7, 1_000_000, (32, 0.5)), 16).ToString());

    [Theory]
    [InlineData(11)]
    [InlineData(12)]
    [InlineData(13)]
    public void Many_sizes_are_an_estimate_with_its_error(int seed)
    {
        (long, double)[] sizes = [(24, 3_501), (40, 1_750.5), (88, 3_500), (120, 1_750), (32_800, 1)];
        var count = ObjectCount.Of(Draw(seed, 500, sizes), (long)sizes.Sum(size => size.Item1 * size.Item2));
        Assert.StartsWith("~", count.ToString(), StringComparison.Ordinal);
        Assert.InRange(count.Value!.Value, 10_502.5 - (4 * count.Error), 10_502.5 + (4 * count.Error));
        Assert.InRange(count.Error, 1, 500);
    }

    /// <summary>An event as the runtime wrote it, for a byte[8].</summary>
    [Fact]
    public void A_sample_is_decoded()
    {
        byte[] payload = [0, 0, 0, 0, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, (byte)'N', 0, (byte)'.', 0, (byte)'T', 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0x20, 0x01, 0, 0, 0, 0, 0, 0, 9, 9, 9, 9, 9, 9, 9, 9];
        Assert.Equal(new("N.T", 288), AllocationListener.Decode(payload));
    }

    static AllocationSamples Samples(long operations, params (long Bytes, long Times)[] sampled)
    {
        var samples = new AllocationSamples();
        samples.AddOperations(operations);
        foreach (var (bytes, times) in sampled)
            samples.Add(new("T", bytes), times);
        return samples;
    }

    static AllocationSamples Draw(int seed, int operations, params (long Bytes, double PerOperation)[] objects)
    {
        var random = new Random(seed);
        return Samples(operations, [.. objects.Select(kind =>
        {
            var chance = new AllocatedObject("T", kind.Bytes).Chance;
            var times = 0L;
            for (var i = 0L; i < (long)(operations * kind.PerOperation); i++)
                times += random.NextDouble() < chance ? 1 : 0;
            return (kind.Bytes, times);
        }).Where(kind => kind.times > 0)]);
    }
}
