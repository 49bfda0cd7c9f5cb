using ProtoBench.Payloads;

namespace ProtoBench.Messages.Tests.Payloads;

public class HiveWalkTests
{
    /// <summary>Each with the byte where it is noticed. Wire format: https://protobuf.dev/programming-guides/encoding/</summary>
    [Theory]
    [InlineData("0E", "wire type 6 cannot")]
    [InlineData("0F", "wire type 7 cannot")]
    [InlineData("00", "field number 0")]
    [InlineData("0C", "wire type 4 cannot")]
    [InlineData("0A05", "5 bytes are announced, 0 are left")]
    [InlineData("0AFFFFFFFF0F", "longer than 31 bits")]
    [InlineData("0A8080808080808080808001", "longer than ten bytes")]
    [InlineData("88808080800100", "longer than 32 bits")]
    [InlineData("0A80", "end inside a varint")]
    [InlineData("1B", "end inside a group")]
    [InlineData("12020A05", "5 bytes are announced, 0 are left")]
    public void Bad_bytes_are_refused_with_the_place_and_the_reason(string hex, string reason)
    {
        var visitor = default(Nothing);
        var thrown = Assert.Throws<InvalidDataException>(() => HiveWalk.Request(Convert.FromHexString(hex), ref visitor));
        Assert.StartsWith("At byte ", thrown.Message, StringComparison.Ordinal);
        Assert.Contains(reason, thrown.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Groups_deeper_than_a_hundred_are_refused()
    {
        var visitor = default(Nothing);
        byte[] Nested(int depth) => [.. Enumerable.Repeat((byte)0x7B, depth), .. Enumerable.Repeat((byte)0x7C, depth)];
        Assert.False(HiveWalk.Request(Nested(100), ref visitor));
        Assert.Throws<InvalidDataException>(() => HiveWalk.Request(Nested(101), ref visitor));
    }

    [Fact]
    public void Unknown_fields_are_skipped_and_told()
    {
        var visitor = default(Nothing);
        Assert.True(HiveWalk.Request(Hive.Request(3), ref visitor));
        Assert.False(HiveWalk.Request(Hive.Mixed(), ref visitor));
        Assert.True(HiveWalk.Response(Hive.Response(3), ref visitor));
    }

    struct Nothing : IRequestVisitor, IResponseVisitor
    {
        public readonly void RootLeaf(int field, int offset, int length)
        {
        }

        public readonly void RootNumber(int field, long value)
        {
        }

        public readonly void Item(int idOffset, int idLength, int contextOffset, int contextLength)
        {
        }

        public readonly void Item(float result, int extraOffset, int extraLength)
        {
        }
    }
}
