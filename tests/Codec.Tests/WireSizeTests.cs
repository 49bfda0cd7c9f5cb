using ProtoBench.Codec.Runtime;

namespace ProtoBench.Codec.Tests;

public class WireSizeTests
{
    /// <summary>A varint has seven bits a byte: https://protobuf.dev/programming-guides/encoding/#varints.</summary>
    [Fact]
    public void A_varint_has_seven_bits_a_byte()
    {
        Assert.Equal(1, WireSize.Varint(0ul));
        for (var bit = 0; bit < 64; bit++)
        {
            Assert.Equal((bit / 7) + 1, WireSize.Varint(1ul << bit));
            Assert.Equal((bit / 7) + 1, WireSize.Varint((1ul << bit) | ((1ul << bit) - 1)));
            if (bit < 32) Assert.Equal((bit / 7) + 1, WireSize.Varint(1u << bit));
        }
    }

    [Fact]
    public void A_negative_int32_has_ten_bytes_and_a_zigzag_one_few()
    {
        Assert.Equal(10, WireSize.Int32(-1));
        Assert.Equal(1, WireSize.SInt32(-1));
        Assert.Equal(5, WireSize.SInt32(int.MinValue));
        Assert.Equal(10, WireSize.SInt64(long.MinValue));
    }
}
