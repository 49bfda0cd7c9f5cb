using System.Buffers;
using ProtoBench.Allocators;

namespace ProtoBench.Codec.Tests;

public class MessageTests
{
    static readonly byte[] wire = Convert.FromHexString("0A0568656C6C6F" + "12040A026869" + "1A03010203" + "22020708");

    [Fact]
    public void Every_source_gives_the_same_message()
    {
        var sequence = new ReadOnlySequence<byte>(wire);
        foreach (var parse in new Action<Message<Note>>[]
        {
            message => message.Parse(wire),
            message => message.Parse((ReadOnlyMemory<byte>)wire),
            message => message.Parse(sequence),
            message => message.Parse(new MemoryStream(wire)),
            message => message.Parse(new MemoryStream(wire, 0, wire.Length, false, true)),
            message => message.Parse(new BufferedStream(new MemoryStream(wire))),
            message => message.ParseAlias(wire),
            message => message.ParseAlias(sequence),
            message => message.ParseAlias(new Foreign(wire).Memory),
        })
        {
            using var message = Note.Rent();
            parse(message);
            var note = message.Value;
            Assert.Equal("hello", note.Text.ToString());
            Assert.Equal("hi", note.Replies[0].Text.ToString());
            Assert.Equal([1, 2, 3], note.Data.ToArray());
            Assert.Equal([7, 8], note.Numbers);
            Assert.Equal(wire, message.ToByteArray());
        }
    }

    [Fact]
    public void A_stream_is_read_from_where_it_stands_to_its_end()
    {
        using var message = Note.Rent();
        var stream = new MemoryStream([0xFF, .. wire], 0, wire.Length + 1, false, true) { Position = 1 };
        Assert.Equal("hello", message.Parse(stream).Text.ToString());
        Assert.Equal(stream.Length, stream.Position);
    }

    [Fact]
    public void A_large_stream_of_unknown_length_is_read_whole()
    {
        using var written = Note.Rent();
        var data = new byte[1_500_000];
        new Random(1).NextBytes(data);
        written.Value.SetData(data);
        using var message = Note.Rent();
        Assert.Equal(data, message.Parse(new BufferedStream(new MemoryStream(written.ToByteArray()))).Data.Span);
    }

    [Fact]
    public void Parsing_again_forgets_what_was_there()
    {
        using var message = Note.Rent();
        message.Parse(wire);
        message.Parse(ReadOnlySpan<byte>.Empty);
        Assert.Equal(0, message.CalculateSize());
        Assert.Throws<WireFormatException>(() => message.Parse([0x0A, 0x01, 0x61, 0x0A]));
        Assert.Equal(0, message.Value.Text.Length);
        message.Parse(wire);
        message.Clear();
        Assert.Equal(0, message.CalculateSize());
    }

    [Fact]
    public void A_rented_message_is_empty_whatever_it_was()
    {
        for (var i = 0; i < 3; i++)
        {
            using var message = Note.Rent();
            Assert.Equal(0, message.CalculateSize());
            message.Parse(wire);
        }
    }

    [Fact]
    public void Messages_that_live_at_once_are_not_the_same()
    {
        var messages = Enumerable.Range(0, 50).Select(_ => Note.Rent()).ToList();
        Assert.Equal(50, messages.Distinct().Count());
        for (var i = 0; i < 50; i++) messages[i].Value.SetText($"{i}");
        for (var i = 0; i < 50; i++) Assert.Equal($"{i}", messages[i].Value.Text.ToString());
        foreach (var message in messages) message.Dispose();
        foreach (var message in messages) message.Dispose();

        // a message that was disposed twice is still only one message: whoever rents from now on gets one of his own
        var next = Enumerable.Range(0, 101).Select(_ => Note.Rent()).ToList();
        Assert.Equal(101, next.Distinct().Count());
        for (var i = 0; i < 101; i++) next[i].Value.SetText($"next {i}");
        for (var i = 0; i < 101; i++) Assert.Equal($"next {i}", next[i].Value.Text.ToString());
        foreach (var message in next) message.Dispose();
    }

    [Fact]
    public void A_message_in_pieces_returns_every_slab()
    {
        using var pool = new DiagnosticSlabPool(SlabPool.Create(new() { SlabSize = 64 }));
        using (var message = Message<Note>.Rent(pool))
        {
            for (var i = 0; i < 40; i++) message.Value.AddReplies().SetText(new string('x', i));
            message.Value.SetData(new byte[1_000]);
            using var copy = Note.Rent();
            copy.Parse(message.ToByteArray());
            for (var i = 0; i < 40; i++) Assert.Equal(new string('x', i), copy.Value.Replies[i].Text.ToString());
        }

        pool.ThrowIfOutstanding();
    }

    [Fact]
    public void An_element_that_is_not_there_is_an_argument_out_of_range()
    {
        using var message = Note.Rent();
        Assert.Throws<ArgumentOutOfRangeException>(() => message.Parse(wire).Replies[1]);
        Assert.Throws<ArgumentOutOfRangeException>(() => message.Value.Replies[-1]);
    }

    [Fact]
    public void A_writer_that_gives_too_little_is_named()
    {
        using var message = Note.Rent();
        message.Parse(wire);
        Assert.StartsWith("The buffer writer gave 0 bytes where ",
            Assert.Throws<InvalidOperationException>(() => message.WriteTo(new Miser())).Message, StringComparison.Ordinal);
        Assert.Equal(wire, message.ToByteArray());
    }

    sealed class Foreign(byte[] bytes) : MemoryManager<byte>
    {
        public override Span<byte> GetSpan() => bytes;

        public override MemoryHandle Pin(int elementIndex = 0) => throw new NotSupportedException();

        public override void Unpin()
        {
        }

        protected override void Dispose(bool disposing)
        {
        }
    }

    sealed class Miser : IBufferWriter<byte>
    {
        public void Advance(int count)
        {
        }

        public Memory<byte> GetMemory(int sizeHint = 0) => default;

        public Span<byte> GetSpan(int sizeHint = 0) => default;
    }
}
