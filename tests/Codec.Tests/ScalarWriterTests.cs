using ProtoBench.Codec.Runtime;

namespace ProtoBench.Codec.Tests;

/// <summary>A message type that somebody wrote by hand, in safe C#, and that says of its room what is not so.</summary>
public class ScalarWriterTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    public void No_write_leaves_the_window(int kind)
    {
        using var message = Message<Liar>.Rent();
        for (var size = Liar.SmallestWindow; size < Liar.SmallestWindow + 40; size++)
        {
            for (var start = 0; start < 16; start++)
            {
                Liar.Write = writer =>
                {
                    for (var i = 0; i < start; i++) writer.WriteBool(8, true);
                    for (var i = 0; i < 100; i++) Put(ref writer, kind);
                    return writer;
                };
                var writer = new PartWriter(size);
                Assert.Throws<InvalidOperationException>(() => message.WriteTo(writer));
                Assert.Equal(0, writer.Advanced);
                Assert.False(writer.IsTouchedAround);
            }
        }
    }

    /// <summary>The room is read again at each use; it may be more than a number holds, and something else each time.</summary>
    [Theory]
    [InlineData(int.MaxValue)]
    [InlineData(int.MaxValue - 14)]
    [InlineData(1, -15)]
    [InlineData(1, -8)]
    [InlineData(1, int.MinValue)]
    [InlineData(1, 1, -15)]
    public void No_room_that_a_type_says_leads_out_of_the_window(params int[] rooms)
    {
        using var message = Message<Liar>.Rent();
        for (var kind = 0; kind < 6; kind++)
        {
            for (var size = 0; size < Liar.SmallestWindow; size++)
            {
                var reads = 0;
                Liar.Rooms = () => rooms[Math.Min(reads++, rooms.Length - 1)];
                Liar.Write = writer =>
                {
                    for (var i = 0; i < 6; i++) Put(ref writer, kind);
                    return writer;
                };
                var writer = new PartWriter(size);
                try
                {
                    message.WriteTo(writer);
                }
                catch (InvalidOperationException)
                {
                    // as it should be
                }
                finally
                {
                    Liar.Rooms = null;
                }

                Assert.True(writer.Advanced <= size);
                Assert.False(writer.IsTouchedAround);
            }
        }
    }

    [Fact]
    public void A_writer_that_was_never_given_does_no_harm()
    {
        Assert.Throws<NullReferenceException>(() => default(ScalarWriter).WriteInt32(8, 1));
        Assert.Throws<NullReferenceException>(() => default(ScalarWriter).WriteDouble(9, 1));
    }

    [Fact]
    public void What_is_not_written_is_not_handed_over()
    {
        using var message = Message<Liar>.Rent();
        Liar.Write = static _ => default;
        var writer = new PartWriter(100);
        message.WriteTo(writer);
        Assert.Equal(0, writer.Advanced);
        Liar.Write = static writer =>
        {
            var copy = writer;
            copy.WriteInt32(8, 1);
            return writer;
        };
        message.WriteTo(writer);
        Assert.Equal(0, writer.Advanced);
    }

    static void Put(ref ScalarWriter writer, int kind)
    {
        switch (kind)
        {
            case 0: writer.WriteInt32(uint.MaxValue, -1); break;
            case 1: writer.WriteUInt32(8, 300); break;
            case 2: writer.WriteFixed64(0x3FF9, ulong.MaxValue); break;
            case 3: writer.WriteFixed32(13, uint.MaxValue); break;
            case 4: writer.WriteBool(0x3FF8, true); break;
            default: writer.WriteSInt64(0x80, long.MinValue); break;
        }
    }

    readonly struct Liar : IHandWritten<Liar>
    {
        public const int Room = 3;

        // A smaller one is written by Write. The longest field has a tag of five bytes and a value of ten.
        public const int SmallestWindow = Room + 15;

        public delegate ScalarWriter Deed(ScalarWriter writer);

        public static Deed Write { get; set; } = static _ => default;

        /// <summary>What the type says instead, at each read.</summary>
        public static Func<int>? Rooms { get; set; }

        static int ISlabMessage<Liar>.ScalarRoom => Rooms?.Invoke() ?? Room;

        static ScalarWriter ISlabMessage<Liar>.WriteScalars(ScalarWriter writer, Liar message) => Write(writer);
    }
}
