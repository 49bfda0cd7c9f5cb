namespace ProtoBench.Results.Tests;

public class LatencyRecordTests
{
    // The buckets of 5,001, 5,003 and 70,000,000 μs have other ends.
    static LatencyRecord Record()
    {
        var histogram = new LatencyHistogram();
        foreach (var microseconds in new[] { 5_001, 5_003, 5_003, 70_000_000L })
            histogram.Record(microseconds);
        return LatencyRecord.Of(histogram, [50]);
    }

    [Fact]
    public void A_histogram_is_decoded_with_what_its_buckets_do_not_have()
    {
        var decoded = Record().Decode();
        Assert.Equal((5_001, LatencyHistogram.Highest, 1, 4), (decoded.Min, decoded.Max, decoded.Clamped, decoded.Count));
        Assert.Equal((5_001 + (2 * 5_003) + 60_000_000) / 4.0, decoded.Mean, 1e-6);
    }

    // A file may say anything.
    [Theory]
    [InlineData(4_000, 60_000_000, 15_003_751.75, 1)]
    [InlineData(5_001, 50_000_000, 15_003_751.75, 1)]
    [InlineData(5_001, 60_000_000, 4_000, 1)]
    [InlineData(5_001, 60_000_000, double.NaN, 1)]
    [InlineData(5_001, 60_000_000, 15_003_751.75, 5)]
    [InlineData(5_001, 60_000_000, 15_003_751.75, -1)]
    [InlineData(-1, 60_000_000, 15_003_751.75, 1)]
    [InlineData(5_001, long.MaxValue, 15_003_751.75, 1)]
    public void Values_that_are_not_those_of_the_histogram_are_ignored(long min, long max, double mean, long clamped)
    {
        var record = Record() with { MinUs = min, MaxUs = max, MeanUs = mean, Clamped = clamped };
        var (decoded, buckets) = (record.Decode(), HistogramEncoding.Decode(record.Histogram));
        Assert.Equal((buckets.Min, buckets.Max, buckets.Mean, 0), (decoded.Min, decoded.Max, decoded.Mean, decoded.Clamped));
    }
}
