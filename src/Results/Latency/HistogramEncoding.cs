using System.Buffers.Binary;
using System.Globalization;
using System.IO.Compression;

namespace ProtoBench.Results;

/// <summary>The format of HdrHistogram's tools: the V2 compressed encoding in base64.</summary>
/// <remarks>Numbers are big-endian. The outer part is a cookie, a length and zlib data. The inner part is a cookie, payload length, index
/// offset, digits, lowest, highest and ratio, and then a count for each bucket. A count is a zigzag LEB128 number of at most 9 bytes, and a
/// negative number stands for that many empty buckets. Index offset and ratio are for shifted and floating-point histograms. They are
/// ignored, because implementations disagree about them (Java writes 0 and the double 1, hdr-histogram-js 1 and the integer 1). Follows
/// HdrHistogram's AbstractHistogram.encodeIntoCompressedByteBuffer and ZigZagEncoding (HdrHistogram/HdrHistogram, public domain).</remarks>
public static class HistogramEncoding
{
    const int outerCookie = 0x1c849304 | 0x10;
    const int innerCookie = 0x1c849303 | 0x10;
    const int outerHeader = 8;
    const int innerHeader = 40;
    const int longestNumber = 9;
    const int longestPayload = LatencyHistogram.BucketCount * longestNumber;

    /// <param name="histogram">The histogram. <see cref="LatencyHistogram.Clamped"/> is not part of the format.</param>
    public static string Encode(LatencyHistogram histogram)
    {
        using var compressed = new MemoryStream();
        compressed.Write(new byte[outerHeader]);
        using (var zlib = new ZLibStream(compressed, CompressionLevel.SmallestSize, leaveOpen: true))
            zlib.Write(EncodeInner(histogram));
        var bytes = compressed.GetBuffer().AsSpan(0, (int)compressed.Length);
        BinaryPrimitives.WriteInt32BigEndian(bytes, outerCookie);
        BinaryPrimitives.WriteInt32BigEndian(bytes[4..], bytes.Length - outerHeader);
        return Convert.ToBase64String(bytes);
    }

    /// <summary>Any HdrHistogram with lowest value 1, three digits and no value above 60 s can be read.</summary>
    public static LatencyHistogram Decode(string text)
    {
        var bytes = Convert.FromBase64String(text).AsSpan();
        if (bytes.Length < outerHeader || BinaryPrimitives.ReadInt32BigEndian(bytes) != outerCookie)
            throw new FormatException("not a compressed V2 HdrHistogram");
        if (BinaryPrimitives.ReadInt32BigEndian(bytes[4..]) != bytes.Length - outerHeader)
            throw new FormatException("a histogram of another length than its header says");
        return DecodeInner(Inflate(bytes[outerHeader..].ToArray()));
    }

    /// <summary>Encodes a histogram without compression. The bytes are the same for every implementation.</summary>
    internal static ReadOnlySpan<byte> EncodeInner(LatencyHistogram histogram)
    {
        var length = WriteCounts(histogram.Counts, []);
        var bytes = new byte[innerHeader + length].AsSpan();
        WriteCounts(histogram.Counts, bytes[innerHeader..]);
        BinaryPrimitives.WriteInt32BigEndian(bytes, innerCookie);
        BinaryPrimitives.WriteInt32BigEndian(bytes[4..], length);
        BinaryPrimitives.WriteInt32BigEndian(bytes[12..], LatencyHistogram.Digits);
        BinaryPrimitives.WriteInt64BigEndian(bytes[16..], 1);
        BinaryPrimitives.WriteInt64BigEndian(bytes[24..], LatencyHistogram.Highest);
        BinaryPrimitives.WriteDoubleBigEndian(bytes[32..], 1);
        return bytes;
    }

    static LatencyHistogram DecodeInner(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length < innerHeader || BinaryPrimitives.ReadInt32BigEndian(bytes) != innerCookie)
            throw new FormatException("not a V2 HdrHistogram inside");
        if (BinaryPrimitives.ReadInt32BigEndian(bytes[12..]) != LatencyHistogram.Digits
            || BinaryPrimitives.ReadInt64BigEndian(bytes[16..]) != 1)
            throw new FormatException("a histogram of another precision: only lowest 1 with 3 significant digits is read");
        if (BinaryPrimitives.ReadInt32BigEndian(bytes[4..]) != bytes.Length - innerHeader)
            throw new FormatException("a histogram whose counts have another length than its header says");
        var histogram = new LatencyHistogram();
        ReadCounts(bytes[innerHeader..], histogram);
        return histogram;
    }

    /// <summary>Writes the counts of the buckets without a header: 2 to 3 bytes for a bucket that is not empty.</summary>
    internal static byte[] EncodeCounts(LatencyHistogram histogram)
    {
        var bytes = new byte[WriteCounts(histogram.Counts, [])];
        WriteCounts(histogram.Counts, bytes);
        return bytes;
    }

    /// <param name="bytes">Empty to measure the length only.</param>
    static int WriteCounts(ReadOnlySpan<long> counts, Span<byte> bytes)
    {
        var used = Math.Max(1, counts.LastIndexOfAnyExcept(0) + 1);
        var at = 0;
        Span<byte> one = stackalloc byte[longestNumber];
        for (var i = 0; i < used;)
        {
            var empty = counts[i..used].IndexOfAnyExcept(0);
            at += WriteNumber(bytes.IsEmpty ? one : bytes[at..], empty > 1 ? -empty : counts[i]);
            i += Math.Max(1, empty);
        }

        return at;
    }

    internal static void ReadCounts(ReadOnlySpan<byte> bytes, LatencyHistogram histogram)
    {
        var index = 0L;
        for (var rest = bytes; rest.Length > 0;)
        {
            var number = ReadNumber(ref rest);
            if (number == long.MinValue || index >= LatencyHistogram.BucketCount)
                throw new FormatException("a histogram with values above 60 s");
            if (number > 0)
                Restore(histogram, (int)index, number);
            index = number < 0 ? Math.Min(index - number, LatencyHistogram.BucketCount) : index + 1;
        }
    }

    static void Restore(LatencyHistogram histogram, int index, long count)
    {
        try
        {
            histogram.Restore(index, count);
        }
        catch (OverflowException)
        {
            throw new FormatException("a histogram with more than 2^63 values");
        }
    }

    static byte[] Inflate(byte[] compressed)
    {
        using var zlib = new ZLibStream(new MemoryStream(compressed), CompressionMode.Decompress);
        var bytes = new byte[innerHeader + longestPayload + 1];
        try
        {
            var length = zlib.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false);
            return length < bytes.Length ? bytes[..length] : throw new FormatException("a histogram larger than 60 s at 3 digits can be");
        }
        catch (InvalidDataException e)
        {
            throw new FormatException("a histogram with damaged zlib data", e);
        }
    }

    static int WriteNumber(Span<byte> bytes, long number)
    {
        var zigzag = (ulong)((number << 1) ^ (number >> 63));
        var at = 0;
        for (; zigzag >= 0x80 && at < longestNumber - 1; zigzag >>= 7)
            bytes[at++] = (byte)(zigzag | 0x80);
        bytes[at++] = (byte)zigzag;
        return at;
    }

    static long ReadNumber(ref ReadOnlySpan<byte> bytes)
    {
        var zigzag = 0UL;
        for (var at = 0; at < longestNumber && at < bytes.Length; at++)
        {
            var last = at == longestNumber - 1 || bytes[at] < 0x80;
            zigzag |= (ulong)(last ? bytes[at] : bytes[at] & 0x7f) << (7 * at);
            if (last)
            {
                bytes = bytes[(at + 1)..];
                return (long)(zigzag >> 1) ^ -(long)(zigzag & 1);
            }
        }

        throw new FormatException("a histogram that ends in the middle of a number");
    }
}

/// <summary>Writes and reads a <c>.hlog</c> file, the interval log of HdrHistogram's own tools and viewers (log format 1.3).</summary>
public static class HistogramLog
{
    public static void WriteHeader(TextWriter writer, DateTimeOffset start)
    {
        writer.Write("#[Histogram log format version 1.3]\n");
        writer.Write(
            string.Create(CultureInfo.InvariantCulture,
                $"#[StartTime: {start.ToUnixTimeMilliseconds() / 1000.0:F3} (seconds since epoch), {start.UtcDateTime:R}]\n"));
        writer.Write("\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n");
    }

    /// <param name="tag">The subject of the interval. Commas, blanks and line breaks become '-'.</param>
    /// <param name="histogram">Its latencies in microseconds; the column Interval_Max is in milliseconds.</param>
    public static void WriteInterval(TextWriter writer, string tag, TimeSpan start, TimeSpan length, LatencyHistogram histogram)
    {
        var name = string.Concat(tag.Select(c => c == ',' || char.IsWhiteSpace(c) || char.IsControl(c) ? '-' : c));
        writer.Write(string.Create(
            CultureInfo.InvariantCulture,
            $"Tag={name},{start.TotalSeconds:F3},{length.TotalSeconds:F3},{histogram.Max / 1000.0:F3},{HistogramEncoding.Encode(histogram)}\n"));
    }

    public static IEnumerable<HistogramInterval> Read(IEnumerable<string> lines)
    {
        var number = 0;
        foreach (var line in lines)
        {
            number++;
            if (line.Length == 0 || line[0] is '#' or '"')
                continue;
            yield return Parse(line, number);
        }
    }

    static HistogramInterval Parse(string line, int number)
    {
        const string tagged = "Tag=";
        var fields = line.Split(',');
        var tag = fields[0].StartsWith(tagged, StringComparison.Ordinal) ? fields[0][tagged.Length..] : null;
        if (tag is not null)
            fields = fields[1..];
        if (fields.Length != 4 || Seconds(fields[0]) is not { } start || Seconds(fields[1]) is not { } length)
            throw new FormatException($"line {number}: not an interval: start, length, maximum and histogram");
        try
        {
            return new(tag ?? "", start, length, HistogramEncoding.Decode(fields[3]));
        }
        catch (FormatException e)
        {
            throw new FormatException($"line {number}: {e.Message}", e);
        }
    }

    static TimeSpan? Seconds(string text) =>
        double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var seconds)
            && Math.Abs(seconds) < TimeSpan.MaxValue.TotalSeconds / 2
            ? TimeSpan.FromTicks((long)Math.Round(seconds * TimeSpan.TicksPerSecond)) : null;
}

/// <param name="Histogram">Its latencies in microseconds.</param>
public sealed record HistogramInterval(string Tag, TimeSpan Start, TimeSpan Length, LatencyHistogram Histogram);
