using System.Globalization;

namespace ProtoBench.Results;

/// <summary>Writes a <c>.hlog</c> file, the interval log that HdrHistogram's own tools and viewers read (log format 1.3).</summary>
public static class HistogramLog
{
    /// <summary>Writes the header.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="start">When the run began; the intervals count from here.</param>
    public static void WriteHeader(TextWriter writer, DateTimeOffset start)
    {
        writer.Write("#[Histogram log format version 1.3]\n");
        writer.Write(
            string.Create(CultureInfo.InvariantCulture,
                $"#[StartTime: {start.ToUnixTimeMilliseconds() / 1000.0:F3} (seconds since epoch), {start.UtcDateTime:R}]\n"));
        writer.Write("\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n");
    }

    /// <summary>Writes one interval, as a rule one round.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="tag">What was measured, without comma, blank or line break (any of these becomes '-').</param>
    /// <param name="start">When the interval began, from the start of the run.</param>
    /// <param name="length">How long it was.</param>
    /// <param name="histogram">Its latencies in microseconds; the column Interval_Max is in milliseconds.</param>
    public static void WriteInterval(TextWriter writer, string tag, TimeSpan start, TimeSpan length, LatencyHistogram histogram)
    {
        var name = string.Concat(tag.Select(c => c == ',' || char.IsWhiteSpace(c) || char.IsControl(c) ? '-' : c));
        writer.Write(string.Create(
            CultureInfo.InvariantCulture,
            $"Tag={name},{start.TotalSeconds:F3},{length.TotalSeconds:F3},{histogram.Max / 1000.0:F3},{HistogramEncoding.Encode(histogram)}\n"));
    }
}
