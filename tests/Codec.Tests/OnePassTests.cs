using ProtoBench.Codec.Runtime;
using ProtoBench.SlabProtobuf.Sets;

namespace ProtoBench.Codec.Tests;

/// <summary>A message that has room in one window is written without sizes, and each length after its message.</summary>
public class OnePassTests
{
    [Fact]
    public void Sizes_are_calculated_only_if_the_window_is_too_small()
    {
        using var message = Message<Pair>.Rent();
        for (var window = 1; window < 300; window++)
        {
            Pair.Sized = 0;
            var writer = new WindowWriter(window);
            message.WriteTo(writer);
            Assert.Equal((byte[])[0x0A, 4, 0x0A, 2, 0x08, 1], writer.Written);
            Assert.Equal(window < 6 ? 1 : 0, Pair.Sized);
        }
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
        Assert.Equal(0, writer.Written.Length);
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

    // The first message leaves three bytes for the length of the second one, which needs two: it is moved back at the window's end.
    [Fact]
    public void Nothing_is_cleared_behind_the_window()
    {
        using var message = SavedEntity.Rent();
        message.Value.AddPassengers().SetKind(new string('a', 20_000));
        message.Value.AddPassengers().SetKind(new string('a', 10_000));
        var size = (int)message.CalculateSize();
        for (var more = 1; more < 80; more++)
        {
            var writer = new PartWriter(size + more);
            message.WriteTo(writer);
            Assert.Equal(size, writer.Advanced);
            Assert.False(writer.IsTouchedAround);
        }
    }

    [Fact]
    public void A_message_that_was_not_begun_cannot_be_ended_where_sizes_are_stored()
    {
        using var message = Message<Ending>.Rent();
        var writer = new WindowWriter(300);
        Assert.Throws<InvalidOperationException>(() => message.WriteTo(writer));
        Assert.Equal(0, writer.Written.Length);
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
