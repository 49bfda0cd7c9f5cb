using Google.Protobuf;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.Codec.Tests;

/// <summary>Where the slab codec differs from Google.Protobuf on purpose: each place, and what both do there.</summary>
public class DifferenceTests
{
    [Theory]
    [InlineData("0A01FF", 2)]
    [InlineData("0A02C328", 2)]
    [InlineData("120161 0A0661C3A9EDA080", 8)]
    [InlineData("0A24 6161616161616161616161616161616161616161616161616161616161616161 6161F09F", 36)]
    public void A_string_that_is_not_UTF8_is_refused_at_its_first_wrong_byte_where_Google_gives_no_place(string hex, int offset)
    {
        var wire = Wire(hex);
        Assert.Throws<InvalidProtocolBufferException>(() => Gpb.ForwardPerItemRequest.Parser.ParseFrom(wire));
        AssertRefused<ForwardPerItemRequest>(wire, WireError.InvalidUtf8, offset);
    }

    [Fact]
    public void A_tag_of_more_than_32_bits_is_refused_where_Google_drops_the_bits()
    {
        var wire = Wire("0A0161 8A8080801000");
        Assert.NotNull(Gpb.ForwardPerItemRequest.Parser.ParseFrom(wire));
        AssertRefused<ForwardPerItemRequest>(wire, WireError.InvalidTag, 3);
    }

    [Theory]
    [InlineData("0A0161 8A8080808000 0162", 3)]
    [InlineData("8A808080808080808000 0161", 0)]
    public void A_tag_of_more_than_five_bytes_is_refused_where_Google_reads_its_value(string hex, int offset)
    {
        var wire = Wire(hex);
        Assert.NotNull(Gpb.ForwardPerItemRequest.Parser.ParseFrom(wire));
        AssertRefused<ForwardPerItemRequest>(wire, WireError.InvalidTag, offset);
        Assert.Equal(Wire("0A0161"), Subject.Of<ForwardPerItemRequest>().Read(Wire("8A80808000 0161")).Written);
    }

    [Fact]
    public void A_length_of_more_than_32_bits_is_refused_where_Google_drops_the_bits()
    {
        var wire = Wire("0A 8180808010 61");
        Assert.Equal("a", Gpb.ForwardPerItemRequest.Parser.ParseFrom(wire).ItemId);
        AssertRefused<ForwardPerItemRequest>(wire, WireError.InvalidLength, 1);
    }

    [Fact]
    public void A_packed_field_of_negative_length_is_refused_where_Google_takes_it_for_empty()
    {
        var wire = Wire("1A FFFFFFFF0F");
        Assert.Empty(Gpb.Packed.Parser.ParseFrom(wire).Int32Values);
        AssertRefused<Packed>(wire, WireError.InvalidLength, 1);
    }

    [Theory]
    [InlineData("3A04 0801 FE01")]
    [InlineData("3A04 0801 FF01")]
    public void A_reserved_wire_type_in_a_map_entry_is_refused_where_Google_steps_over_its_tag(string hex)
    {
        var wire = Wire(hex);
        Assert.Single(Gpb.Zoo.Parser.ParseFrom(wire).Animals);
        AssertRefused<Zoo>(wire, WireError.InvalidTag, 4);
    }

    [Fact]
    public void Negative_zero_is_written_where_Google_drops_it()
    {
        var wire = Wire("0D00000080 1201FF");
        Assert.Equal(Wire("1201FF"), Gpb.ForwardPerItemResponse.Parser.ParseFrom(wire).ToByteArray());
        Assert.Equal(wire, Subject.Of<ForwardPerItemResponse>().Read(wire).Written);
    }

    [Fact]
    public void Unknown_fields_keep_the_order_of_their_arrival_where_Google_groups_them_by_number()
    {
        var wire = Wire("2801 3002 2803");
        Assert.Equal(Wire("2801 2803 3002"), Gpb.ForwardPerItemRequest.Parser.ParseFrom(wire).ToByteArray());
        Assert.Equal(wire, Subject.Of<ForwardPerItemRequest>().Read(wire).Written);
    }

    [Fact]
    public void Unknown_fields_of_a_map_entry_are_kept_where_Google_drops_them()
    {
        var wire = Wire("4204 0801 2801");
        Assert.Equal(Wire("4202 0801"), Gpb.Zoo.Parser.ParseFrom(wire).ToByteArray());
        Assert.Equal(wire, Subject.Of<Zoo>().Read(wire).Written);
    }

    [Fact]
    public void Unknown_fields_follow_the_known_ones_at_every_level()
    {
        var wire = Wire("3001 1208 2801 0A0161 120162 0A0174");
        Assert.Equal(Wire("0A0174 1208 0A0161 120162 2801 3001"), Subject.Of<ForwardRequest>().Read(wire).Written);
    }

    static byte[] Wire(string hex) => Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal));

    static void AssertRefused<T>(byte[] wire, WireError reason, int offset)
        where T : struct, ISlabMessage<T>
    {
        var refusal = Assert.IsType<WireFormatException>(Subject.Of<T>().Read(wire).Refusal);
        Assert.Equal((reason, offset), (refusal.Reason, refusal.Offset));
    }
}
