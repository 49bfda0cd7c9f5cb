using ProtoBench.Codec.Runtime;

namespace ProtoBench.Codec.Tests;

/// <summary>Writing a message whose size is known, or was: it goes over the stack, where it is small.</summary>
public class ExactSizeTests
{
    [Fact]
    public void A_span_gets_the_message_and_nothing_behind_it()
    {
        using var message = Note.Rent();
        for (var length = 0; length < 400; length++)
        {
            var text = new string('a', length);
            message.Value.SetText(text);
            message.Value.SetData("b"u8);
            byte[] expected = [.. Text(text), 0x1A, 1, (byte)'b'];
            var room = new byte[expected.Length + 100];
            Array.Fill(room, (byte)0xEE);
            Assert.Equal(expected.Length, message.WriteTo(room));
            Assert.Equal(expected, room[..expected.Length]);
            Assert.Equal(-1, room.AsSpan(expected.Length).IndexOfAnyExcept((byte)0xEE));
            Assert.Equal(expected, message.ToByteArray());
        }
    }

    /// <summary>As a message that another thread changes between its size and its fields.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(36)]
    [InlineData(255)]
    [InlineData(256)]
    [InlineData(257)]
    [InlineData(400)]
    public void A_message_of_another_size_than_it_said_is_refused_and_nothing_of_it_is_left(int size)
    {
        using var message = Message<Sized>.Rent();
        foreach (var written in new[] { 0, size - 1, size + 1, size + 63, size + 64, size + 70, size + 71, size + 1000 })
        {
            if (written < 0 || written == size) continue;
            (Sized.Size, Sized.Written) = (size, written);
            var room = new byte[size + 100];
            Array.Fill(room, (byte)0xEE);
            Assert.Throws<InvalidOperationException>(() => message.WriteTo(room));
            Assert.Equal((written, -1), (written, room.AsSpan(..size).IndexOfAnyExcept((byte)0, (byte)0xEE)));
            Assert.Equal((written, -1), (written, room.AsSpan(size).IndexOfAnyExcept((byte)0xEE)));
            Assert.Throws<InvalidOperationException>(() => message.ToByteArray());
        }
    }

    static byte[] Text(string text)
    {
        if (text.Length == 0) return [];
        byte[] length = text.Length < 128 ? [(byte)text.Length] : [(byte)(text.Length | 0x80), (byte)(text.Length >> 7)];
        return [0x0A, .. length, .. System.Text.Encoding.UTF8.GetBytes(text)];
    }

    /// <summary>A message type that somebody wrote by hand: it writes another number of bytes than it says.</summary>
    readonly struct Sized : IHandWritten<Sized>
    {
        public static int Size { get; set; }

        public static int Written { get; set; }

        static long ISlabMessage<Sized>.CalculateSize(Sized message) => Size;

        static void ISlabMessage<Sized>.Write(ref WireWriter writer, Sized message)
        {
            for (var i = 0; i < Written; i++) writer.WriteVarint(0, 0x5E);
        }
    }
}
