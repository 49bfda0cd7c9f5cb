namespace ProtoBench.Codec.Tests;

/// <summary>Refusals: the reason, and the offset, which are the same however the input is cut.</summary>
public class WireReaderTests
{
    [Theory]
    [InlineData("0A", WireError.Truncated, 1)]
    [InlineData("0A0261", WireError.Truncated, 3)]
    [InlineData("0A80", WireError.Truncated, 2)]
    [InlineData("0A8080808008", WireError.InvalidLength, 1)]
    [InlineData("0AFFFFFFFFFFFFFFFFFF01", WireError.InvalidLength, 1)]
    [InlineData("2880808080808080808080", WireError.VarintTooLong, 1)]
    [InlineData("2D010203", WireError.Truncated, 4)]
    [InlineData("2901020304050607", WireError.Truncated, 8)]
    [InlineData("00", WireError.InvalidTag, 0)]
    [InlineData("0A016107", WireError.InvalidTag, 3)]
    [InlineData("2E", WireError.InvalidTag, 0)]
    [InlineData("2F", WireError.InvalidTag, 0)]
    [InlineData("0A0161FE01", WireError.InvalidTag, 3)]
    [InlineData("8080808010", WireError.InvalidTag, 0)]
    [InlineData("2C", WireError.UnmatchedEndGroup, 0)]
    [InlineData("2B34", WireError.UnmatchedEndGroup, 1)]
    [InlineData("2B2801", WireError.Truncated, 3)]
    [InlineData("12030A0261", WireError.Truncated, 5)]
    [InlineData("0A03616280", WireError.InvalidUtf8, 4)]
    [InlineData("12050A03C3A9C3", WireError.InvalidUtf8, 6)]
    public void A_refusal_says_where_and_why(string hex, WireError reason, int offset)
    {
        var wire = Convert.FromHexString(hex);
        AssertRefused(message => message.Parse(wire));
        for (var at = 0; at <= wire.Length; at++)
        {
            var segments = Segments.Cut(wire, at);
            AssertRefused(message => message.Parse(segments));
            AssertRefused(message => message.ParseAlias(segments));
        }

        void AssertRefused(Action<Message<Note>> parse)
        {
            using var message = Note.Rent();
            var refusal = Assert.Throws<WireFormatException>(() => parse(message));
            Assert.Equal((reason, offset), (refusal.Reason, refusal.Offset));
            Assert.Contains($"byte {offset}:", refusal.Message, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("8A0001 61", "0A0161")]
    [InlineData("0A810061", "0A0161")]
    [InlineData("20FFFFFFFFFFFFFFFFFF7F", "220AFFFFFFFFFFFFFFFFFF01")]
    [InlineData("2001 2202 0203 2004", "220401020304")]
    [InlineData("0A0161 0A0162", "0A0162")]
    [InlineData("2B 3001 2C", "2B30012C")]
    [InlineData("0D01020304 0A0161", "0A01610D01020304")]
    public void What_a_sender_may_choose_is_read(string hex, string written)
    {
        using var message = Note.Rent();
        message.Parse(Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal)));
        Assert.Equal(written, Convert.ToHexString(message.ToByteArray()));
    }

    [Fact]
    public void ASCII_and_UTF8_of_every_length_are_told_from_what_is_neither()
    {
        for (var length = 0; length < 80; length++)
        {
            byte[] wire = [0x1A, 40, .. new byte[40], 0x0A, (byte)length, .. Enumerable.Repeat((byte)'a', length)];
            using var message = Note.Rent();
            Assert.Equal(length, message.Parse(wire).Text.Length);
            for (var at = 0; at < length; at++)
            {
                wire[44 + at] = 0x80;
                Assert.Equal(44 + at, Assert.Throws<WireFormatException>(() => message.Parse(wire)).Offset);
                wire[44 + at] = (byte)'a';
            }
        }
    }
}
