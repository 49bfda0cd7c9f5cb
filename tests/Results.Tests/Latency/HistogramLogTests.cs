namespace ProtoBench.Results.Tests;

public class HistogramLogTests
{
    [Fact]
    public void The_lines_are_those_of_log_format_1_3()
    {
        using var log = new StringWriter();
        HistogramLog.WriteHeader(log, new DateTimeOffset(2026, 1, 2, 3, 4, 5, 678, TimeSpan.Zero));
        HistogramLog.WriteInterval(log, "slab, fresh", TimeSpan.FromSeconds(1.5), TimeSpan.FromSeconds(10),
            LatencyHistogramTests.Of([1, 2_500]));
        var lines = log.ToString().Split('\n');
        Assert.Equal("#[Histogram log format version 1.3]", lines[0]);
        Assert.Equal("#[StartTime: 1767323045.678 (seconds since epoch), Fri, 02 Jan 2026 03:04:05 GMT]", lines[1]);
        Assert.Equal("\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"", lines[2]);
        Assert.StartsWith("Tag=slab--fresh,1.500,10.000,2.500,HISTF", lines[3], StringComparison.Ordinal);
        Assert.Equal(2, HistogramEncoding.Decode(lines[3].Split(',')[^1]).Count);
    }
}
