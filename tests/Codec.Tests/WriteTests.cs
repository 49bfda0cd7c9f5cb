using System.Buffers;

namespace ProtoBench.Codec.Tests;

public class WriteTests
{
    [Fact]
    public void A_message_is_written_by_many_threads_at_once()
    {
        using var message = Note.Rent();
        Fill(message.Value, 40);
        var expected = message.ToByteArray();
        Parallel.For(0, 4_000, new ParallelOptions { MaxDegreeOfParallelism = 8 }, i =>
        {
            var writer = new ArrayBufferWriter<byte>(1 + (i % 100));
            message.WriteTo(writer);
            Assert.Equal(expected, writer.WrittenSpan);
            var stream = new MemoryStream();
            message.WriteTo(i % 2 == 0 ? stream : new BufferedStream(stream, 1));
            Assert.Equal(expected, stream.ToArray());
            Assert.Equal(expected, message.ToByteArray());
            Assert.Equal(expected.Length, message.CalculateSize());
        });
    }

    [Fact]
    public void A_write_inside_of_a_write_is_whole()
    {
        using var outer = Note.Rent();
        using var inner = Note.Rent();
        Fill(outer.Value, 40);
        Fill(inner.Value, 3);
        var written = new List<byte[]>();
        var writer = new WindowWriter(16) { Asked = () => written.Add(inner.ToByteArray()) };
        outer.WriteTo(writer);
        Assert.Equal(outer.ToByteArray(), writer.Written);
        Assert.All(written, bytes => Assert.Equal(inner.ToByteArray(), bytes));
        Assert.NotEmpty(written);
    }

    [Theory]
    [MemberData(nameof(Pools.Kinds), MemberType = typeof(Pools))]
    public void Nothing_is_left_in_a_window_behind_the_written_end(string kind)
    {
        using var pool = Pools.Create(kind);
        for (var length = 0; length < 70; length++)
        {
            using (var before = Pools.Rent<Note>(pool)) before.Parse([0x1A, 0x80, 0x10, .. Enumerable.Repeat((byte)0x5E, 2048)]);
            using var message = Pools.Rent<Note>(pool);
            message.Value.SetData("b"u8);
            message.Value.SetText(new string('a', length));
            foreach (var window in new[] { 3, 40, 64, 100, 256 })
            {
                var first = new WindowWriter(window);
                message.WriteTo(first);
                using var copy = Pools.Rent<Note>(pool);
                copy.Parse(first.Written);
                var writer = new WindowWriter(window);
                copy.WriteTo(writer);
                Assert.Equal(message.ToByteArray(), writer.Written);
            }
        }
    }

    [Fact]
    public void Bytes_of_any_length_are_copied_within_their_bounds()
    {
        Assert.SkipUnless(GuardedMemory.IsSupported, "needs mmap");
        using IMemoryOwner<byte> owner = new GuardedMemory(8192);
        var guarded = (GuardedMemory)owner;
        var random = new Random(1);
        int[] lengths = [.. Enumerable.Range(60, 140), .. Enumerable.Range(250, 10), .. Enumerable.Range(3066, 12), 4000];
        foreach (var length in lengths)
        {
            var data = new byte[length];
            random.NextBytes(data);
            byte[] wire = length < 0x80
                ? [0x1A, (byte)length, .. data]
                : [0x1A, (byte)(length | 0x80), (byte)(length >> 7), .. data];
            using var message = Note.Rent();
            foreach (var input in new[] { guarded.AtEnd(wire), guarded.AtStart(wire) })
            {
                message.ParseAlias(input);
                Assert.Equal(wire, message.ToByteArray());
            }

            message.Parse(wire);
            var output = guarded.Last(wire.Length);
            Assert.Equal(wire.Length, message.WriteTo(output));
            Assert.Equal(wire, output);
        }
    }

    [Fact]
    public void What_no_reader_would_accept_is_not_written_not_even_a_leaf()
    {
        using var message = Note.Rent();
        var note = message.Value;
        for (var depth = 0; depth < 100; depth++) note = note.AddReplies();
        using var copy = Note.Rent();
        copy.Parse(message.ToByteArray());
        note.AddReplies();
        var writer = new ArrayBufferWriter<byte>();
        Assert.Throws<InvalidOperationException>(() => message.WriteTo(writer));
        Assert.Equal(0, writer.WrittenCount);
    }

    static void Fill(Note note, int replies)
    {
        note.SetText("a text");
        for (var i = 0; i < replies; i++)
        {
            var reply = note.AddReplies();
            reply.SetText(new string('r', i));
            reply.SetData(new byte[5 * i]);
            reply.AddNumbers(i);
            if (i % 3 == 0) reply.AddReplies().SetText("nested");
        }
    }
}
