using System.Buffers;

namespace ProtoBench.Codec.Tests;

/// <summary>Input that is the message's own memory, and input that other code controls.</summary>
public class OwnInputTests
{
    [Theory]
    [MemberData(nameof(Pools.Kinds), MemberType = typeof(Pools))]
    public void A_message_refuses_its_own_memory_and_keeps_its_content(string kind)
    {
        using var pool = Pools.Create(kind);
        using var message = Pools.Rent<Note>(pool);
        message.Value.SetText("kept");
        message.Value.SetData([0x0A, 1, 0x61]);
        Assert.Throws<ArgumentException>(() => message.Parse(message.Value.Data.Span));
        Assert.Throws<ArgumentException>(() => message.Parse(message.Value.Data.Memory));
        Assert.Throws<ArgumentException>(() => message.ParseAlias(message.Value.Data.Memory));
        Assert.Throws<ArgumentException>(() => message.Parse(new ReadOnlySequence<byte>(message.Value.Data.Memory)));
        Assert.Throws<ArgumentException>(() => message.ParseAlias(new ReadOnlySequence<byte>(message.Value.Data.Memory)));
        Assert.Equal("kept", message.Value.Text.ToString());
        Assert.Equal("a", message.Parse(message.Value.Data.ToArray()).Text.ToString());
    }

    [Theory]
    [MemberData(nameof(Pools.Kinds), MemberType = typeof(Pools))]
    public void A_message_may_be_parsed_from_another_ones_memory(string kind)
    {
        using var pool = Pools.Create(kind);
        using var message = Pools.Rent<Note>(pool);
        using var other = Pools.Rent<Note>(pool);
        message.Value.SetData([0x0A, 1, 0x61]);
        Assert.Equal("a", other.Parse(message.Value.Data.Span).Text.ToString());
        var note = other.ParseAlias(message.Value.Data.Memory);
        Assert.Equal("a", note.Text.ToString());
        message.Clear();
        message.Value.SetData("xxx"u8);
        Assert.Throws<ObjectDisposedException>(() => note.Text.ToString());
    }

    [Fact]
    public void A_stream_sees_nothing_of_other_messages_in_the_room_that_it_fills()
    {
        foreach (var size in new[] { 1_000_000, 500_000 })
        {
            using var before = Note.Rent();
            before.Value.SetData(Enumerable.Repeat((byte)0x5E, size).ToArray());
        }

        using var message = Note.Rent();
        message.Parse(new CuriousStream());
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(1)]
    public void A_stream_that_lies_about_its_length_is_refused(int lie)
    {
        using var message = Note.Rent();
        Assert.Throws<IOException>(() => message.Parse(new LyingStream(lie)));
        Assert.Equal(0, message.CalculateSize());
    }

    [Fact]
    public void What_a_stream_throws_is_passed_on_and_leaves_an_empty_message()
    {
        using var message = Note.Rent();
        message.Value.SetText("before");
        Assert.Throws<TimeoutException>(() => message.Parse(new BrokenStream()));
        Assert.Equal(0, message.CalculateSize());
        message.Value.SetText("after");
        Assert.Equal([.. "\u000A\u0005after"u8], message.ToByteArray());
    }

    static readonly string[] ends = ["dispose", "dispose on another thread", "clear", "parse"];

    static readonly string[] reads = ["first", "second", "first of a delimited message"];

    public static TheoryData<string, string, string> EndsInsideRead =>
        [.. from kind in Pools.Kinds from end in ends from read in reads select (kind.Data, end, read)];

    /// <summary>The stream fills its span after the release: the memory must not belong to the next renter by then.</summary>
    [Theory]
    [MemberData(nameof(EndsInsideRead))]
    public void A_stream_that_ends_the_content_inside_a_read_writes_into_no_other_message(string kind, string end, string read)
    {
        using var pool = Pools.Create(kind);
        var message = Pools.Rent<Note>(pool);
        var victims = new List<Message<Note>>();
        var stream = new EndingStream(() =>
        {
            if (end == "dispose on another thread") Threads.Run(1, _ => message.Dispose());
            else if (end == "dispose") message.Dispose();
            else if (end == "clear") message.Clear();
            else message.Parse("\n\u0006victim"u8);

            // As many as use a slab each, so that one of them gets the memory wherever it was put.
            for (var i = 0; i < 4; i++)
            {
                victims.Add(Pools.Rent<Note>(pool));
                victims[i].Parse([.. "\n\u0006victim"u8, 0x1A, 0x80, 0x80, 0x01, .. new byte[16_384]]);
            }
        }, read switch { "first" => null, "second" => (byte)'\n', _ => 100 });
        Action parse = read is "first" or "second" ? () => message.Parse(stream) : () => message.TryParseDelimited(stream);
        Assert.Throws<ObjectDisposedException>(parse);
        Assert.True(stream.HasFilled);
        using (var next = Pools.Rent<Note>(pool)) Assert.Equal(0, next.CalculateSize());
        foreach (var victim in victims)
        {
            Assert.Equal("victim", victim.Value.Text.ToString());
            Assert.Equal(-1, victim.Value.Data.Span.IndexOfAnyExcept((byte)0));
            victim.Dispose();
        }

        if (end == "parse") Assert.Equal("victim", message.Value.Text.ToString());
        if (end is "parse" or "clear")
        {
            Assert.Equal("again", message.Parse(new BufferedStream(new MemoryStream([.. "\n\u0005again"u8]))).Text.ToString());
            message.Dispose();
        }

        if (pool is not null) Assert.Equal(0, pool.Snapshot().LiveBytes);
    }

    [Fact]
    public void Streams_of_every_length_around_the_room_are_read_whole()
    {
        using var message = Note.Rent();
        foreach (var room in new[] { 32 * 1024, 64 * 1024, 512 * 1024 })
        {
            for (var length = room - 70; length < room + 5; length++)
            {
                var data = new byte[length - 4];
                data[^1] = 1;
                byte[] wire = [0x1A, (byte)(data.Length | 0x80), (byte)((data.Length >> 7) | 0x80), (byte)(data.Length >> 14), .. data];
                Assert.Equal(data, message.Parse(new BufferedStream(new MemoryStream(wire))).Data.Span);
                message.Value.SetText("behind");
                Assert.Equal([.. "\u000A\u0006behind"u8, .. wire], message.ToByteArray());
            }
        }
    }

    sealed class CuriousStream : ReadStream
    {
        int reads;
        int total;

        public override int Read(Span<byte> buffer)
        {
            Assert.Equal(-1, buffer.IndexOfAnyExcept((byte)0));

            // Fields of the unknown number 100, in all of the room, until the room has grown to a megabyte.
            var length = ++reads < 7 ? buffer.Length : (3 - (total % 3)) % 3;
            for (var i = 0; i < length; i++) buffer[i] = (total++ % 3) switch { 0 => 0xA0, 1 => 0x06, _ => 0x01 };
            return length;
        }
    }

    /// <summary>Ends the content of the message that it is read into, and fills the span after that.</summary>
    /// <param name="first">What an earlier read gives.</param>
    sealed class EndingStream(Action end, byte? first) : ReadStream
    {
        byte? first = first;

        public bool HasFilled { get; private set; }

        public override int Read(Span<byte> buffer)
        {
            if (first is { } byteBefore)
            {
                (buffer[0], first) = (byteBefore, null);
                return 1;
            }

            end();
            buffer.Fill((byte)'!');
            HasFilled = true;
            return buffer.Length;
        }
    }

    sealed class LyingStream(int lie) : ReadStream
    {
        public override int Read(Span<byte> buffer) => lie < 0 ? -1 : buffer.Length + lie;
    }

    sealed class BrokenStream : ReadStream
    {
        int reads;

        public override int Read(Span<byte> buffer)
        {
            if (reads++ > 1) throw new TimeoutException();
            buffer.Fill(0x0A);
            return buffer.Length;
        }
    }

    abstract class ReadStream : MemoryStream
    {
        public override bool CanSeek => false;

        public abstract override int Read(Span<byte> buffer);

        public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));
    }
}
