using System.Buffers;
using ProtoBench.Codec.Runtime;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.Codec.Tests;

/// <summary>A message type that somebody wrote by hand gets a reader and a writer, with which it can call the members that generated types
/// implement for the runtime, on a view that it kept: the content of that view has ended, and another renter has the memory.</summary>
public class ForeignCodeTests
{
    [Fact]
    public void A_stale_view_neither_reads_nor_writes_the_next_renters_message()
    {
        Scalars stale;
        using (var before = Scalars.Rent()) stale = before.Value;
        using var victim = Scalars.Rent();
        victim.Value.SetInt32Value(0x5E);
        var expected = victim.ToByteArray();

        using var foreign = Message<Foreign>.Rent();
        Foreign.Parse = reader => Foreign.Read(reader, stale);
        Assert.Throws<ObjectDisposedException>(() => foreign.Parse([0x18, 7]));
        Assert.Equal(expected, victim.ToByteArray());

        Foreign.Write = (ref WireWriter writer) => Foreign.WriteOther(ref writer, stale);
        var output = new ArrayBufferWriter<byte>();
        Assert.Throws<ObjectDisposedException>(() => foreign.WriteTo(output));
        Assert.Equal(0, output.WrittenCount);
        Assert.Throws<ObjectDisposedException>(() => Foreign.Size(stale));
    }

    [Fact]
    public void A_stale_view_of_a_small_message_of_numbers_is_not_written_either()
    {
        Small stale;
        using (var before = Small.Rent()) stale = before.Value;
        using var victim = Small.Rent();
        victim.Value.SetId(0x5E);
        using var foreign = Message<Foreign>.Rent();
        Foreign.Room = 100;
        Foreign.Scalars = writer => Foreign.WriteOther(writer, stale);
        try
        {
            var output = new ArrayBufferWriter<byte>();
            Assert.Throws<ObjectDisposedException>(() => foreign.WriteTo(output));
            Assert.Equal(0, output.WrittenCount);
        }
        finally
        {
            Foreign.Room = 0;
        }
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(int.MinValue)]
    [InlineData(3)]
    [InlineData(int.MaxValue)]
    public void A_reader_skips_no_bytes_that_its_window_does_not_have(int count)
    {
        using var foreign = Message<Foreign>.Rent();
        Foreign.Parse = reader => reader.Skip(count);
        Assert.Throws<WireFormatException>(() => foreign.Parse([0x18, 7]));
    }

    readonly struct Foreign : IHandWritten<Foreign>
    {
        public delegate void Reading(WireReader reader);

        public delegate void Writing(ref WireWriter writer);

        public delegate ScalarWriter WritingScalars(ScalarWriter writer);

        public static Reading Parse { get; set; } = null!;

        public static Writing Write { get; set; } = null!;

        public static WritingScalars Scalars { get; set; } = null!;

        public static int Room { get; set; }

        static int ISlabMessage<Foreign>.ScalarRoom => Room;

        public static void Read<T>(WireReader reader, T view)
            where T : struct, ISlabMessage<T> => T.Parse(reader, view);

        public static void WriteOther<T>(ref WireWriter writer, T view)
            where T : struct, ISlabMessage<T> => T.Write(ref writer, view);

        public static ScalarWriter WriteOther<T>(ScalarWriter writer, T view)
            where T : struct, ISlabMessage<T> => T.WriteScalars(writer, view);

        public static long Size<T>(T view)
            where T : struct, ISlabMessage<T> => T.CalculateSize(view);

        static void ISlabMessage<Foreign>.Parse(WireReader reader, Foreign message) => Parse(reader);

        static void ISlabMessage<Foreign>.Write(ref WireWriter writer, Foreign message) => Write(ref writer);

        static ScalarWriter ISlabMessage<Foreign>.WriteScalars(ScalarWriter writer, Foreign message) => Scalars(writer);
    }
}
