using System.Buffers;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.Codec.Tests;

/// <summary>The limits: 2 GiB, 2^30 elements, a depth of 100. Most of the large messages are one small segment, again and again.</summary>
public class LimitTests
{
    const int segment = 1 << 20;

    // Addresses for nearly 2 GiB: one segment less than an int can count.
    const int segments = 2047;

    static readonly bool isLong = Environment.GetEnvironmentVariable("PROTOBENCH_LONG") == "1";

    [Fact]
    public void More_than_2_GiB_is_refused_before_the_first_byte()
    {
        using var message = Unpacked.Rent();
        var unpacked = message.ParseAlias(Again(Segment(0x42), segments));
        for (var i = 0; i < 1_000_000; i++) unpacked.AddBytesValues([1]);
        var writer = new CountingWriter();
        Assert.Throws<InvalidOperationException>(() => message.WriteTo(writer));
        Assert.Equal((0, 0), (writer.Windows, writer.Written));
        Assert.Throws<InvalidOperationException>(() => message.CalculateSize());
        Assert.Throws<InvalidOperationException>(() => message.WriteTo(new byte[1]));
        Assert.Throws<InvalidOperationException>(() => message.ToByteArray());
        message.Clear();
        Assert.Equal(0, message.CalculateSize());
    }

    [Fact]
    public void A_store_that_does_not_fit_throws_and_changes_nothing_and_the_next_one_is_what_it_says()
    {
        for (var i = 0; i < 3; i++)
        {
            using var before = Echo.Rent();
            before.Value.SetBody(Enumerable.Repeat((byte)0x5E, 400_000).ToArray());
        }

        using var message = Unpacked.Rent();
        var unpacked = message.ParseAlias(Again(Segment(0x42), segments));
        unpacked.AddBytesValues([1, 2, 3]);
        Assert.Throws<InsufficientMemoryException>(() => unpacked.AddBytesValues(new byte[2 * segment]));
        Assert.Equal(segments + 1, unpacked.BytesValues.Count);
        unpacked.AddStringValues("after");
        unpacked.AddBytesValues([4, 5, 6]);
        Assert.Equal("after", unpacked.StringValues[0].ToString());
        Assert.Equal([1, 2, 3], unpacked.BytesValues[segments].ToArray());
        Assert.Equal([4, 5, 6], unpacked.BytesValues[segments + 1].ToArray());
    }

    [Fact]
    public void Input_of_more_than_2_GiB_is_refused_and_leaves_an_empty_message()
    {
        using var message = Unpacked.Rent();
        Assert.Throws<InsufficientMemoryException>(() => message.ParseAlias(Again(Segment(0x42), 2049)));
        Assert.Equal(0, message.CalculateSize());
        message.Value.AddStringValues("after");
        Assert.Equal("after", message.Value.StringValues[0].ToString());
        Assert.Equal("2A"u8.Length, message.Parse(new byte[] { 0x42, 2, 1, 2 }).BytesValues[0].Length);
    }

    [Fact]
    public void More_than_2_GiB_of_segments_are_not_merged()
    {
        using var message = Unpacked.Rent();
        message.Value.AddStringValues("before");
        var input = Again(Segment(0x42), 2049);
        Assert.Throws<InsufficientMemoryException>(() => message.MergeFrom(input));
        Assert.Throws<InsufficientMemoryException>(() => message.Value.MergeFrom(input));
        Assert.Equal("before", message.Value.StringValues[0].ToString());
        Assert.Equal(0, message.Value.BytesValues.Count);
    }

    [Theory]
    [InlineData(99, true)]
    [InlineData(100, false)]
    public void A_message_without_sub_messages_counts_as_a_level(int branches, bool accepted)
    {
        using var message = Zoo.Rent();
        var zoo = message.Value;
        for (var i = 0; i < branches; i++) zoo = zoo.MutableBranch();
        foreach (var add in new Action<Zoo>[] { zoo => zoo.SetVisitors("Ann", 1), zoo => zoo.MutableScalars(),
            zoo => zoo.MutableOptionals() })
        {
            add(zoo);
            if (!accepted)
            {
                Assert.Throws<InvalidOperationException>(() => message.CalculateSize());
                Assert.Throws<InvalidOperationException>(() => message.WriteTo(new ArrayBufferWriter<byte>()));
                continue;
            }

            using var copy = Zoo.Rent();
            copy.Parse(message.ToByteArray());
            Subject.Of<Zoo>().Compare(message.ToByteArray());
        }
    }

    [Theory]
    [InlineData("32", 97)]
    [InlineData("32", 98)]
    [InlineData("32", 99)]
    [InlineData("32", 100)]
    [InlineData("3A", 98)]
    [InlineData("3A", 99)]
    [InlineData("42", 98)]
    [InlineData("42", 99)]
    public void Groups_in_a_map_entry_are_accepted_as_deep_as_Google_accepts_them(string map, int depth)
    {
        byte[] groups = [.. Enumerable.Repeat((byte)0x4B, depth), .. Enumerable.Repeat((byte)0x4C, depth)];
        byte[] length = [(byte)(groups.Length | 0x80), (byte)(groups.Length >> 7)];
        byte[] wire = [.. Convert.FromHexString(map), .. groups.Length < 128 ? [(byte)groups.Length] : length, .. groups];
        Subject.Of<Zoo>().Compare(wire);
        Assert.Equal(depth <= 98, Subject.Of<Zoo>().Read(wire).Refusal is null);
    }

    [Fact]
    public void A_stream_of_more_than_1_GiB_is_read_like_a_span()
    {
        if (!isLong) return;
        var data = new byte[(1 << 30) + (1 << 20)];
        data[^1] = 7;
        using var message = Echo.Rent();
        message.Value.SetBody(data);
        var wire = message.ToByteArray();
        using var copy = Echo.Rent();
        Assert.Equal(7, copy.Parse(new BufferedStream(new MemoryStream(wire))).Body.Span[^1]);
        Assert.Equal(data.Length, copy.Value.Body.Length);
        Assert.Equal(data.Length, copy.Parse(wire.AsSpan()).Body.Length);
        RecycledMessages.Trim();
    }

    [Fact]
    public void A_field_of_more_than_2_to_the_30_elements_is_refused_with_a_documented_exception()
    {
        if (!isLong) return;
        using var message = Packed.Rent();
        Assert.Throws<InsufficientMemoryException>(() => message.ParseAlias(Again(Segment(0x6A), 1025)));
        Assert.Equal(0, message.CalculateSize());
        RecycledMessages.Trim();
    }

    static byte[] Segment(byte tag)
    {
        var bytes = new byte[segment];
        var length = segment - 4;
        (bytes[0], bytes[1], bytes[2], bytes[3]) = (tag, (byte)(length | 0x80), (byte)((length >> 7) | 0x80), (byte)(length >> 14));
        return bytes;
    }

    static ReadOnlySequence<byte> Again(byte[] bytes, int count) =>
        Segments.Of(Enumerable.Repeat((ReadOnlyMemory<byte>)bytes, count));

    sealed class CountingWriter : IBufferWriter<byte>
    {
        readonly byte[] window = new byte[1 << 16];

        public int Windows { get; private set; }

        public long Written { get; private set; }

        public void Advance(int count) => Written += count;

        public Memory<byte> GetMemory(int sizeHint = 0)
        {
            Windows++;
            return window;
        }

        public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;
    }
}
