using System.Runtime.InteropServices;
using Google.Protobuf;
using ProtoBench.Codec.Generated;
using ProtoBench.SlabProtobuf.Sets;

namespace ProtoBench.Codec.Tests;

/// <summary>A message that has room in one window is written without sizes, and each length after its message.</summary>
public class OnePassTests
{
    const byte kindTag = (3 << 3) | 2;
    const byte passengersTag = (11 << 3) | 2;

    [Fact]
    public void Messages_are_what_Google_writes_in_windows_of_any_size()
    {
        var random = new Random(20261127);
        for (var round = 0; round < 12; round++)
        {
            var updates = new Gpb.Sets.GameUpdates();
            for (var i = random.Next(3); i >= 0; i--)
            {
                var update = new Gpb.Sets.GameUpdate { Players = { new Gpb.Sets.GamePlayer { Alias = Text(random.Next(200)) } } };
                for (var j = random.Next(4); j > 0; j--)
                    update.Contacts.Add(new Gpb.Sets.GameContact { Guidance = new(), Transform = new(), Turrets = { random.Next(), j } });
                updates.Updates.Add(update);
            }

            Check<GameUpdates>(updates.ToByteArray());
        }

        string Text(int length) => new('t', length);
    }

    [Theory]
    [InlineData(100, 150)]
    [InlineData(16_370, 16_390)]
    public void A_length_of_any_size_is_written_after_its_message(int from, int to)
    {
        for (var length = from; length < to; length++)
        {
            // two levels of messages, and another message behind each
            byte[] leaf = [kindTag, .. Varint(length), .. Enumerable.Repeat((byte)'a', length)];
            byte[] wire = [.. Passenger([.. Passenger(leaf), .. Passenger([])]), .. Passenger(leaf), .. Passenger([])];
            using var message = SavedEntity.Rent();
            message.Parse(wire);
            foreach (var more in (int[])[-1, 0, 1, 69, 70, 71, 500, 3 * wire.Length])
            {
                var writer = new WindowWriter(wire.Length + more);
                message.WriteTo(writer);
                Assert.Equal(wire, writer.Written);
            }
        }
    }

    [Fact]
    public void Sizes_are_calculated_only_if_the_window_is_too_small()
    {
        using var message = Message<Pair>.Rent();
        for (var window = 1; window < 300; window++)
        {
            Pair.Sized = 0;
            var writer = new WindowWriter(window);
            message.WriteTo(writer);
            Assert.Equal([0x0A, 4, 0x0A, 2, 0x08, 1], writer.Written);
            Assert.Equal(window < 6 ? 1 : 0, Pair.Sized);
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(10_000)]
    public void The_last_level_that_a_reader_accepts_is_written(int window)
    {
        byte[] wire = [];
        for (var depth = 0; depth < ParseLimits.MaxDepth; depth++) wire = Passenger(wire);
        using var message = SavedEntity.Rent();
        message.Parse(wire);
        var writer = new WindowWriter(window);
        message.WriteTo(writer);
        Assert.Equal(wire, writer.Written);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(10_000)]
    public void A_level_that_no_reader_accepts_is_refused(int window)
    {
        using var message = SavedEntity.Rent();
        var inner = message.Value;
        for (var depth = 0; depth <= ParseLimits.MaxDepth; depth++) inner = inner.AddPassengers();
        var writer = new WindowWriter(window);
        Assert.Throws<InvalidOperationException>(() => message.WriteTo(writer));
        Assert.Empty(writer.Written);
    }

    [Fact]
    public void A_body_is_not_moved_beyond_the_window()
    {
        var wire = Passenger([kindTag, .. Varint(500), .. Enumerable.Repeat((byte)'a', 500)]);
        using var message = SavedEntity.Rent();
        message.Parse(wire);
        for (var less = 0; less < 4; less++)
        {
            var writer = new WindowWriter(wire.Length - less);
            message.WriteTo(writer);
            Assert.Equal(wire, writer.Written);
        }
    }

    // From level 15 on each length of more than one byte moves the content. That many moves take longer than the calculation of the sizes.
    [Fact]
    public void Sizes_are_calculated_where_many_levels_would_move_the_content()
    {
        Chain.Sized = 0;
        using var message = Message<Chain>.Rent();
        var writer = new WindowWriter(1_000_000);
        message.WriteTo(writer);
        Assert.Equal(1, Chain.Sized);
    }

    // Where many levels would move the content, the sizes are calculated after all. From level 15 on each length of two bytes moves it.
    [Theory]
    [InlineData(200)]
    [InlineData(20_000)]
    public void A_chain_of_large_messages_is_written_at_each_depth(int length)
    {
        byte[] wire = [0x1A, .. Varint(length), .. new byte[length].Select(_ => (byte)'a')];
        for (var depth = 1; depth <= 20; depth++)
        {
            wire = Passenger(wire);
            using var message = SavedEntity.Rent();
            message.Parse(wire);
            var writer = new WindowWriter(50_000);
            message.WriteTo(writer);
            Assert.Equal(wire, writer.Written);
        }
    }

    // Each of 15 levels keeps four bytes for its length, because the first chain needs them. The second chain needs one, so each of its
    // levels is moved back by three bytes. So many bytes are moved only if the rest of the message, the root's string, is large.
    [Theory]
    [InlineData(1)]
    [InlineData(32)]
    [InlineData(33)]
    [InlineData(64)]
    public void Nothing_is_left_behind_levels_that_are_moved_back(int length)
    {
        byte[] root = Kind(6_000_000), chains = [.. Chain(1 << 21), .. Chain(length)], wire = [.. root, .. chains];
        using var message = SavedEntity.Rent();

        // In the message's memory, the root's string is behind that of the second chain. A short copy writes its first bytes, too.
        message.Parse([.. chains, .. root]);
        var writer = new WindowWriter(wire.Length + 5_000);
        message.WriteTo(writer);
        Assert.True(wire.AsSpan().SequenceEqual(CollectionsMarshal.AsSpan(writer.Written)));

        static byte[] Kind(int length)
        {
            var wire = new byte[length];
            Array.Fill(wire, (byte)'a');
            return [kindTag, .. Varint(length), .. wire];
        }

        static byte[] Chain(int length)
        {
            var wire = Kind(length);
            for (var level = 0; level < 15; level++) wire = Passenger(wire);
            return wire;
        }
    }

    // The first message leaves three bytes for the length of the second one, which needs two: it is moved back at the window's end.
    [Fact]
    public void Nothing_is_cleared_behind_the_window()
    {
        byte[] wire = [.. Leaf(20_000), .. Leaf(10_000)];
        using var message = SavedEntity.Rent();
        message.Parse(wire);
        for (var more = 1; more < 80; more++)
        {
            var writer = new PartWriter(wire.Length + more);
            message.WriteTo(writer);
            Assert.Equal(wire.Length, writer.Advanced);
            Assert.All(writer.Around, around => Assert.Equal(0xEE, around));
        }

        static byte[] Leaf(int length) => Passenger([kindTag, .. Varint(length), .. Enumerable.Repeat((byte)'a', length)]);
    }

    [Fact]
    public void A_message_that_is_released_when_the_window_is_requested_is_refused()
    {
        var message = SavedEntity.Rent();
        message.Value.AddPassengers().AddPassengers().SetKind("a");
        var writer = new WindowWriter(10_000) { Asked = message.Dispose };
        Assert.Throws<ObjectDisposedException>(() => message.WriteTo(writer));
        Assert.Empty(writer.Written);
    }

    [Fact]
    public void A_message_that_was_not_begun_cannot_be_ended_where_sizes_are_stored()
    {
        using var message = Message<Ending>.Rent();
        var writer = new WindowWriter(300);
        Assert.Throws<InvalidOperationException>(() => message.WriteTo(writer));
        Assert.Empty(writer.Written);
    }

    static byte[] Passenger(byte[] body) => [passengersTag, .. Varint(body.Length), .. body];

    static byte[] Varint(int value)
    {
        var bytes = new List<byte>();
        for (; value >= 0x80; value >>= 7) bytes.Add((byte)(value | 0x80));
        return [.. bytes, (byte)value];
    }

    static void Check<T>(byte[] expected)
        where T : struct, ISlabMessage<T>
    {
        using var message = Message<T>.Rent();
        message.Parse(expected);
        for (var window = 1; window < expected.Length + 80; window++)
        {
            var writer = new WindowWriter(window);
            message.WriteTo(writer);
            Assert.Equal(expected, writer.Written);
        }
    }

    /// <summary>Writes <c>1 { 1 { 1: 1 } }</c>.</summary>
    readonly struct Pair : IHandWritten<Pair>
    {
        public static int Sized { get; set; }

        static bool ISlabMessage<Pair>.NeedsSizes => true;

        static bool ISlabMessage<Pair>.IsWrittenInOnePass => true;

        static long ISlabMessage<Pair>.CalculateSize(Pair message)
        {
            Sized++;
            return 6;
        }

        static void ISlabMessage<Pair>.Write(ref WireWriter writer, Pair message)
        {
            if (!writer.BeginMessage(10, 4, out var outer)) return;
            if (writer.BeginMessage(10, 2, out var inner))
            {
                writer.WriteVarint(8, 1);
                writer.EndMessage(inner);
            }

            writer.EndMessage(outer);
        }
    }

    /// <summary>Writes 90 messages in each other, the last one with 200,000 bytes.</summary>
    readonly struct Chain : IHandWritten<Chain>
    {
        const int levels = 90, numbers = 100_000;

        public static int Sized { get; set; }

        static bool ISlabMessage<Chain>.NeedsSizes => true;

        static bool ISlabMessage<Chain>.IsWrittenInOnePass => true;

        static long ISlabMessage<Chain>.CalculateSize(Chain message)
        {
            Sized++;
            return Size(levels);
        }

        static void ISlabMessage<Chain>.Write(ref WireWriter writer, Chain message) => Write(ref writer, levels);

        // the length of each level has three bytes
        static int Size(int level) => (2 * numbers) + (4 * level);

        static void Write(ref WireWriter writer, int level)
        {
            if (level == 0)
            {
                for (var i = 0; i < numbers; i++) writer.WriteVarint(8, 1);
            }
            else if (writer.BeginMessage(10, Size(level - 1), out var mark))
            {
                Write(ref writer, level - 1);
                writer.EndMessage(mark);
            }
        }
    }

    /// <summary>Ends a message with 200 bytes that it has not begun.</summary>
    readonly struct Ending : IHandWritten<Ending>
    {
        static void ISlabMessage<Ending>.Write(ref WireWriter writer, Ending message)
        {
            for (var i = 0; i < 100; i++) writer.WriteVarint(8, 1);
            writer.EndMessage(0);
        }
    }
}
