namespace ProtoBench.Results.Tests;

public class LatencyHistogramTests
{
    [Fact]
    public void Every_bucket_follows_the_one_before_and_is_at_most_a_thousandth_wide()
    {
        for (var i = 0; i < LatencyHistogram.BucketCount; i++)
        {
            var (lower, upper) = (LatencyHistogram.LowerEnd(i), LatencyHistogram.UpperEnd(i));
            Assert.Equal(i, LatencyHistogram.IndexOf(lower));
            Assert.Equal(i, LatencyHistogram.IndexOf(upper));
            Assert.True(upper - lower < Math.Max(1, lower / 1000.0), $"bucket {i} is from {lower} to {upper}");
        }

        Assert.True(LatencyHistogram.UpperEnd(LatencyHistogram.BucketCount - 1) >= LatencyHistogram.Highest);
    }

    [Theory, InlineData(1), InlineData(2), InlineData(3)]
    public void Percentiles_are_those_of_the_sorted_values_within_a_thousandth(int seed)
    {
        var random = new Random(seed);
        var values = Enumerable.Range(0, 30_000).Select(_ => (long)Math.Pow(10, random.NextDouble() * 7.5)).Order().ToArray();
        var histogram = Of(values);
        foreach (var percentile in (double[])[0, 0.1, 1, 25, 50, 75, 90, 95, 99, 99.9, 99.99, 100])
        {
            var exact = values[Math.Max(0, (int)Math.Round(percentile * values.Length / 100) - 1)];
            Assert.InRange(histogram.Percentile(percentile), exact, exact * 1.001);
        }

        Assert.Equal(values[0], histogram.Min);
        Assert.Equal(values[^1], histogram.Max);
        Assert.Equal(values.Average(), histogram.Mean, 1e-6 * values.Average());
    }

    [Theory, InlineData(1), InlineData(2)]
    public void A_packed_histogram_loses_nothing(int seed)
    {
        var random = new Random(seed);
        var histogram = new LatencyHistogram();
        for (var i = 0; i < 5_000; i++)
            histogram.Record((long)Math.Pow(10, random.NextDouble() * 8), 1 + random.Next(300));
        var all = new LatencyHistogram();
        all.Record(7);
        all.Add(histogram.Pack());
        all.Add(new LatencyHistogram().Pack());
        var expected = new LatencyHistogram();
        expected.Record(7);
        expected.Add(histogram);
        Assert.Equal((expected.Count, expected.Min, expected.Max, expected.Mean, expected.Clamped),
            (all.Count, all.Min, all.Max, all.Mean, all.Clamped));
        Assert.True(expected.Counts.SequenceEqual(all.Counts));
        Assert.Equal(HistogramEncoding.Encode(histogram), HistogramEncoding.Encode(histogram.Pack().Unpack()));
    }

    // eight threads for ten minutes: under 200 MB
    [Fact]
    public void A_packed_histogram_with_values_in_all_buckets_has_under_41_kB()
    {
        var histogram = new LatencyHistogram();
        for (var i = 0; i < LatencyHistogram.BucketCount && LatencyHistogram.LowerEnd(i) <= LatencyHistogram.Highest; i++)
            histogram.Record(LatencyHistogram.LowerEnd(i), 100);
        Assert.InRange(histogram.Pack().Size, 30_000, 200_000_000 / 600 / 8);
    }

    [Fact]
    public void A_rank_that_is_whole_is_not_rounded_up_to_the_next() =>
        Assert.Equal(161, Of(Enumerable.Range(1, 1_000).Select(i => (long)i)).Percentile(16.1));

    [Fact]
    public void Count_max_and_percentiles_describe_all_of_more_than_a_million_values()
    {
        var histogram = Of(Enumerable.Repeat(100L, 1_500_000));
        for (var i = 0; i < 500_000; i++)
            histogram.Record(2_000);
        Assert.Equal(2_000_000, histogram.Count);
        Assert.Equal(2_000, histogram.Max);
        Assert.Equal(100, histogram.Percentile(75));
        Assert.Equal(2_000, histogram.Percentile(75.001));
    }

    [Fact]
    public void Merging_is_the_same_as_recording_everything_in_one()
    {
        var random = new Random(4);
        var parts = Enumerable.Range(0, 5).Select(_ => Enumerable.Range(0, 1_000).Select(_ => random.NextInt64(1, 70_000_000)).ToArray())
            .ToArray();
        var merged = new LatencyHistogram();
        foreach (var part in parts)
            merged.Add(Of(part));
        merged.Add(new LatencyHistogram());
        var whole = Of(parts.SelectMany(part => part));
        Assert.Equal(whole.Counts, merged.Counts);
        Assert.Equal((whole.Count, whole.Clamped, whole.Min, whole.Max), (merged.Count, merged.Clamped, merged.Min, merged.Max));
        Assert.Equal(whole.Mean, merged.Mean, 1e-6);
    }

    [Fact]
    public void A_value_above_60_s_is_counted_as_60_s_and_as_clamped()
    {
        var histogram = Of([LatencyHistogram.Highest, LatencyHistogram.Highest + 1]);
        Assert.Equal((2, 1, LatencyHistogram.Highest), (histogram.Count, histogram.Clamped, histogram.Percentile(100)));
    }

    [Fact]
    public void A_percentile_needs_ten_values_beyond_it()
    {
        Assert.Equal([20, 100, 1_000, 10_000, 100_000], new[] { 50, 90, 99, 99.9, 99.99 }.Select(LatencyHistogram.CountNeeded));
        Assert.False(Of(Enumerable.Repeat(1L, 999)).Supports(99));
        Assert.True(Of(Enumerable.Repeat(1L, 1_000)).Supports(99));
        Assert.False(Of(Enumerable.Repeat(1L, 1_000)).Supports(100));
    }

    [Fact]
    public void Recording_allocates_nothing()
    {
        var histogram = Of([1]);
        Assert.Equal(0, AllocatedBytes.Of(() =>
        {
            for (var i = 0; i < 1_000; i++)
                histogram.Record(i * 1_000);
        }));
    }

    [Fact]
    public void A_latency_that_occurred_several_times_is_as_many_single_ones()
    {
        var (single, several) = (new LatencyHistogram(), new LatencyHistogram());
        foreach (var (latency, times) in ((long, int)[])[(5, 3), (123_456, 1), (LatencyHistogram.Highest + 1, 2)])
        {
            several.Record(latency, times);
            for (var i = 0; i < times; i++)
                single.Record(latency);
        }

        Assert.Equal(single.Counts, several.Counts);
        Assert.Equal((single.Count, single.Clamped, single.Min, single.Max, single.Mean),
            (several.Count, several.Clamped, several.Min, several.Max, several.Mean));
        Assert.Throws<ArgumentOutOfRangeException>(() => several.Record(1, 0));
        Assert.Throws<ArgumentOutOfRangeException>(() => several.Record(-1, 1));
        Assert.Equal(6, several.Count);
    }

    [Fact]
    public void Nonsense_is_refused()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => Of([-1]));
        Assert.Throws<ArgumentOutOfRangeException>(() => Of([1]).Percentile(double.NaN));
        Assert.Throws<ArgumentOutOfRangeException>(() => Of([1]).Percentile(100.1));
        Assert.Throws<InvalidOperationException>(() => new LatencyHistogram().Percentile(50));
    }

    [Fact]
    public void Cleared_is_as_new()
    {
        var histogram = Of([1, 70_000_000]);
        histogram.Clear();
        Assert.Equal((0, 0, 0, 0, 0.0), (histogram.Count, histogram.Clamped, histogram.Min, histogram.Max, histogram.Mean));
        histogram.Record(7);
        Assert.Equal((7, 7, 7), (histogram.Min, histogram.Percentile(50), histogram.Max));
    }

    internal static LatencyHistogram Of(IEnumerable<long> values)
    {
        var histogram = new LatencyHistogram();
        foreach (var value in values)
            histogram.Record(value);
        return histogram;
    }
}
