using ProtoBench.GrpcHost.Protocol;

namespace ProtoBench.GrpcHost.Tests;

/// <summary>The golden numbers are those of a program in Python that was written from the description of gRPC's histogram.</summary>
public class QpsHistogramTests
{
    [Theory]
    [InlineData(0.01, 60e9, 2495)]
    [InlineData(0.05, 1e6, 284)]
    [InlineData(0.1, 60e9, 261)]
    public void The_number_of_buckets_is_that_of_other_implementations(double resolution, double maxPossible, int buckets) =>
        Assert.Equal(buckets, new QpsHistogram(resolution, maxPossible).Buckets.Length);

    [Theory]
    [InlineData(0, 0)]
    [InlineData(0.5, 0)]
    [InlineData(1, 0)]
    [InlineData(1.009, 0)]
    [InlineData(1.0101, 1)]
    [InlineData(2, 69)]
    [InlineData(10, 231)]
    [InlineData(99, 461)]
    [InlineData(100, 462)]
    [InlineData(101, 463)]
    [InlineData(1000, 694)]
    [InlineData(1234.5, 715)]
    [InlineData(50_000, 1087)]
    [InlineData(123_456, 1178)]
    [InlineData(1e6, 1388)]
    [InlineData(1.5e6, 1429)]
    [InlineData(7_777_777, 1594)]
    [InlineData(1e9, 2082)]
    [InlineData(59.9e9, 2493)]
    [InlineData(60e9, 2494)]
    [InlineData(1e12, 2494)]
    public void A_value_is_in_the_bucket_of_other_implementations(double nanoseconds, int bucket)
    {
        var histogram = QpsHistogram.Of(null);
        histogram.Record(nanoseconds);
        Assert.Equal(1u, histogram.Buckets[bucket]);
        var data = histogram.ToMessage();
        Assert.Equal((1.0, nanoseconds, nanoseconds * nanoseconds, nanoseconds), (data.Count, data.Sum, data.SumOfSquares, data.MaxSeen));
        Assert.Equal(Math.Min(nanoseconds, 60e9), data.MinSeen);
    }

    [Theory]
    [InlineData(0, 1000.0)]
    [InlineData(1, 100560.02528614682)]
    [InlineData(10, 1000536.351529147)]
    [InlineData(50, 5010292.445336374)]
    [InlineData(90, 9012061.132953662)]
    [InlineData(99, 9905443.988527233)]
    [InlineData(99.9, 9998000.0)]
    [InlineData(100, 9998000.0)]
    public void Percentiles_are_those_of_official_drivers(double percentile, double nanoseconds)
    {
        var histogram = QpsHistogram.Of(null);
        for (var i = 0; i < 1000; i++)
            histogram.Record(((i * 7919 % 10007) + 1) * 1000.0);
        Assert.Equal(nanoseconds, histogram.Percentile(percentile), 1e-6 * nanoseconds);
    }

    [Theory]
    [InlineData(25, 1496704.5027491576)]
    [InlineData(50, 2486188.761040536)]
    [InlineData(75, 498159884.0318531)]
    [InlineData(99, 1e9)]
    public void A_percentile_at_the_end_of_a_bucket_is_in_the_middle_of_the_gap(double percentile, double nanoseconds)
    {
        var histogram = QpsHistogram.Of(null);
        foreach (var value in (double[])[1e6, 2e6, 3e6, 1e9])
            histogram.Record(value);
        Assert.Equal(nanoseconds, histogram.Percentile(percentile), 1e-6 * nanoseconds);
    }

    [Fact]
    public void A_merge_is_the_sum_of_each_bucket()
    {
        var random = new Random(31);
        var (one, other, all) = (QpsHistogram.Of(null), QpsHistogram.Of(null), QpsHistogram.Of(null));
        for (var i = 0; i < 10_000; i++)
        {
            var value = Math.Exp(random.NextDouble() * 25);
            (i % 3 == 0 ? one : other).Record(value);
            all.Record(value);
        }

        var merged = QpsHistogram.Of(null);
        merged.Add(one.ToMessage());
        merged.Add(other);
        Assert.Equal(all.Buckets, merged.Buckets);
        var (a, b) = (all.ToMessage(), merged.ToMessage());
        Assert.Equal((a.Count, a.MinSeen, a.MaxSeen), (b.Count, b.MinSeen, b.MaxSeen));
        Assert.Equal(a.Sum, b.Sum, 1e-9 * a.Sum);
        merged.Add(QpsHistogram.Of(null).ToMessage());
        Assert.Equal(a.MinSeen, merged.ToMessage().MinSeen);
    }

    [Fact]
    public void What_another_version_reports_is_refused_and_nothing_is_added()
    {
        var histogram = QpsHistogram.Of(null);
        histogram.Record(5);
        var before = histogram.ToMessage();
        var short_ = new HistogramData { Bucket = { 1, 2, 3 }, Count = 6 };
        Assert.Contains("a histogram of 3 buckets instead of 2495", Assert.Throws<FormatException>(() => histogram.Add(short_)).Message,
            StringComparison.Ordinal);
        var wrong = before.Clone();
        wrong.Count = 2;
        Assert.Contains("1 values in its buckets that says 2", Assert.Throws<FormatException>(() => histogram.Add(wrong)).Message,
            StringComparison.Ordinal);
        var full = before.Clone();
        full.Bucket[full.Bucket.IndexOf(1u)] = uint.MaxValue;
        full.Count = uint.MaxValue;
        Assert.Contains($"more than {uint.MaxValue} values in bucket", Assert.Throws<FormatException>(() => histogram.Add(full)).Message,
            StringComparison.Ordinal);
        Assert.Equal(before, histogram.ToMessage());
    }

    [Theory]
    [InlineData(0, 60e9)]
    [InlineData(-1, 60e9)]
    [InlineData(double.NaN, 60e9)]
    [InlineData(0.01, 1)]
    [InlineData(0.01, double.PositiveInfinity)]
    [InlineData(1e-12, 60e9)]
    public void A_form_that_is_none_is_refused(double resolution, double maxPossible) =>
        Assert.Throws<ArgumentException>(() => new QpsHistogram(resolution, maxPossible));

    [Fact]
    public void Whole_microseconds_lose_no_call_and_move_it_by_half_a_percent_at_most()
    {
        var random = new Random(7);
        var histogram = QpsHistogram.Of(null);
        for (var i = 0; i < 1000; i++)
            histogram.Record(1e6 + (random.NextDouble() * 1e9));
        var latency = histogram.ToLatency();
        Assert.Equal(1000, latency.Count);
        var data = histogram.ToMessage();
        Assert.Equal(data.Sum / data.Count / 1e3, latency.Mean, 0.005 * latency.Mean);
    }
}
