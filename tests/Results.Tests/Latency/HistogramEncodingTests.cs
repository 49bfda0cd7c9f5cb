using System.Buffers.Binary;
using System.IO.Compression;
using System.Text.Json;

namespace ProtoBench.Results.Tests;

/// <summary>hdr-histogram-js.json was written by the npm package hdr-histogram-js 3.0.1, an implementation independent of ours. Index
/// offset and ratio are compared with what HdrHistogram itself (Java) wrote: the first interval of its test resource
/// jHiccup-2.0.7S.logV2.hlog.</summary>
public class HistogramEncodingTests
{
    const string java = "HISTFAAAAEV42pNpmSzMwMCgyAABTBDKT4GBgdnNYMcCBvsPEBEJISEuATEZMQ4uASkhIR4nrxg9v2lMaxhvMekILGZkKmcCAEf2CsI=";

    static readonly JsonElement foreign = JsonDocument.Parse(
        File.ReadAllText(Path.Combine(Golden.Root, "tests", "Results.Tests", "Latency", "hdr-histogram-js.json"))).RootElement.GetProperty(
            "cases");

    public static TheoryData<string> Cases => [.. foreign.EnumerateObject().Select(property => property.Name)];

    [Theory, MemberData(nameof(Cases))]
    public void What_another_implementation_wrote_is_read(string name)
    {
        var expected = foreign.GetProperty(name);
        var decoded = HistogramEncoding.Decode(expected.GetProperty("encoded").GetString()!);
        Assert.Equal(LatencyHistogramTests.Of(Values(name)).Counts, decoded.Counts);
        Assert.Equal(expected.GetProperty("count").GetInt64(), decoded.Count);
        foreach (var percentile in decoded.Count == 0 ? [] : expected.GetProperty("percentiles").EnumerateObject())
            Assert.Equal(Math.Min(percentile.Value.GetInt64(), LatencyHistogram.Highest),
                decoded.Percentile(double.Parse(percentile.Name, null)));
    }

    [Theory, MemberData(nameof(Cases))]
    public void What_we_write_is_what_another_implementation_writes(string name)
    {
        var theirs = foreign.GetProperty(name).GetProperty("encoded").GetString()!;
        var ours = HistogramEncoding.Encode(LatencyHistogramTests.Of(Values(name)));
        Assert.Equal(Inner(theirs)[..8], Inner(ours)[..8]);
        Assert.Equal(Inner(theirs)[12..32], Inner(ours)[12..32]);
        Assert.Equal(Inner(theirs)[40..], Inner(ours)[40..]);
        Assert.Equal(Inner(java)[8..12], Inner(ours)[8..12]);
        Assert.Equal(Inner(java)[32..40], Inner(ours)[32..40]);
    }

    [Fact]
    public void Another_precision_is_refused() =>
        Assert.Contains("another precision", Assert.Throws<FormatException>(() => HistogramEncoding.Decode(java)).Message,
            StringComparison.Ordinal);

    [Theory, InlineData(1), InlineData(2)]
    public void Nothing_is_lost_on_the_way_there_and_back(int seed)
    {
        var random = new Random(seed);
        var histogram = LatencyHistogramTests.Of(Enumerable.Range(0, 5_000).Select(_ => random.NextInt64(0, 1L << random.Next(1, 26))));
        histogram.Restore(LatencyHistogram.IndexOf(123_456), long.MaxValue / 2);
        Assert.Equal(histogram.Counts, HistogramEncoding.Decode(HistogramEncoding.Encode(histogram)).Counts);
    }

    [Fact]
    public void A_cut_text_is_refused_at_every_length()
    {
        var whole = Convert.FromBase64String(foreign.GetProperty("wide").GetProperty("encoded").GetString()!);
        for (var length = 0; length < whole.Length; length++)
            Assert.Throws<FormatException>(() => HistogramEncoding.Decode(Convert.ToBase64String(whole[..length])));
    }

    [Fact]
    public void A_flipped_bit_is_refused_or_read_but_never_another_exception()
    {
        var whole = Convert.FromBase64String(foreign.GetProperty("wide").GetProperty("encoded").GetString()!);
        for (var bit = 0; bit < whole.Length * 8; bit++)
        {
            var damaged = whole.ToArray();
            damaged[bit / 8] ^= (byte)(1 << (bit % 8));
            try
            {
                HistogramEncoding.Decode(Convert.ToBase64String(damaged));
            }
            catch (FormatException)
            {
            }
        }
    }

    [Theory]
    [InlineData("not base64!", "")]
    [InlineData("AAAAAAAAAAA=", "not a compressed V2 HdrHistogram")]
    public void Something_else_is_refused_with_the_reason(string text, string reason) =>
        Assert.Contains(reason, Assert.Throws<FormatException>(() => HistogramEncoding.Decode(text)).Message, StringComparison.Ordinal);

    [Fact]
    public void A_payload_made_to_explode_is_refused()
    {
        var bomb = new byte[10_000_000];
        Assert.Contains("larger than", Assert.Throws<FormatException>(() => HistogramEncoding.Decode(Outer(bomb))).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void Counts_beyond_the_last_bucket_or_beyond_63_bits_are_refused()
    {
        Assert.Contains("above 60 s", Refusal([0xff, 0xff, 0x7f, 0x02]), StringComparison.Ordinal);
        byte[] most = [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
        Assert.Contains("2^63", Refusal([.. most, .. most]), StringComparison.Ordinal);
        Assert.Contains("middle of a number", Refusal([0x80]), StringComparison.Ordinal);
    }

    static string Refusal(byte[] counts)
    {
        var inner = new byte[40 + counts.Length];
        BinaryPrimitives.WriteInt32BigEndian(inner, 0x1c849313);
        BinaryPrimitives.WriteInt32BigEndian(inner.AsSpan(4), counts.Length);
        BinaryPrimitives.WriteInt32BigEndian(inner.AsSpan(12), 3);
        BinaryPrimitives.WriteInt64BigEndian(inner.AsSpan(16), 1);
        counts.CopyTo(inner, 40);
        return Assert.Throws<FormatException>(() => HistogramEncoding.Decode(Outer(inner))).Message;
    }

    static string Outer(byte[] inner)
    {
        using var stream = new MemoryStream();
        stream.Write(new byte[8]);
        using (var zlib = new ZLibStream(stream, CompressionLevel.Fastest, leaveOpen: true))
            zlib.Write(inner);
        var bytes = stream.ToArray();
        BinaryPrimitives.WriteInt32BigEndian(bytes, 0x1c849314);
        BinaryPrimitives.WriteInt32BigEndian(bytes.AsSpan(4), bytes.Length - 8);
        return Convert.ToBase64String(bytes);
    }

    static byte[] Inner(string text)
    {
        using var zlib = new ZLibStream(new MemoryStream(Convert.FromBase64String(text)[8..]), CompressionMode.Decompress);
        using var inner = new MemoryStream();
        zlib.CopyTo(inner);
        return inner.ToArray();
    }

    static IEnumerable<long> Values(string name) => name == "wide"
        ? Enumerable.Range(0, 20_000).Select(i => 1 + ((long)i * i * 37 % 60_000_000 / (1 + (i % 97))))
        : foreign.GetProperty(name).GetProperty("values").EnumerateArray().Select(value => value.GetInt64());
}

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

    [Fact]
    public void A_log_is_read_with_and_without_tags()
    {
        using var text = new StringWriter();
        HistogramLog.WriteHeader(text, DateTimeOffset.UnixEpoch);
        var written = LatencyHistogramTests.Of([7, 9, 100_000]);
        HistogramLog.WriteInterval(text, "a b", TimeSpan.FromSeconds(1.5), TimeSpan.FromSeconds(2), written);
        text.Write($"0.127,1.007,2.769,{HistogramEncoding.Encode(LatencyHistogramTests.Of([3]))}\n");
        var intervals = HistogramLog.Read(text.ToString().Split('\n')).ToList();
        Assert.Equal([("a-b", 1.5, 2.0), ("", 0.127, 1.007)],
            intervals.Select(one => (one.Tag, one.Start.TotalSeconds, one.Length.TotalSeconds)));
        Assert.Equal(written.Counts, intervals[0].Histogram.Counts);
    }

    [Theory]
    [InlineData("1,2,3", "line 2: not an interval: ")]
    [InlineData("Tag=a,x,2,3,AAAA", "line 2: not an interval: ")]
    [InlineData("Tag=a,1,NaN,3,AAAA", "line 2: not an interval: ")]
    [InlineData("Tag=a,1,2,3,AAAA", "line 2: not a compressed V2 HdrHistogram")]
    [InlineData("1,2,3,?", "line 2: ")]
    public void A_line_that_is_no_interval_is_refused_with_its_number(string line, string reason) =>
        Assert.StartsWith(reason, Assert.Throws<FormatException>(() => HistogramLog.Read(["#comment", line]).ToList()).Message,
            StringComparison.Ordinal);
}
