using Google.Protobuf;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.Codec.Tests;

/// <summary>An entry of a map of messages has a value, also where the wire has none: an empty message, as in Google.Protobuf.</summary>
public class MapValueTests
{
    const string withoutValue = "3A02 0807";
    const string withEmptyValue = "3A04 0807 1200";

    [Theory]
    [InlineData(withoutValue)]
    [InlineData(withEmptyValue)]
    [InlineData("3A00")]
    public void An_entry_without_value_has_an_empty_one(string hex)
    {
        var wire = Wire(hex);
        var (key, expected) = Gpb.Zoo.Parser.ParseFrom(wire).Animals.Single();
        Assert.Equal(0, expected.CalculateSize());
        using var message = Zoo.Rent();
        var zoo = message.Parse(wire.AsSpan());
        Assert.Empty(zoo.Animals[0].Value.ToByteArray());
        Assert.True(zoo.TryGetAnimals(key, out var animal));
        Assert.Equal("", animal.Name.ToString());
    }

    [Fact]
    public void Entries_with_an_empty_value_and_without_one_are_equal()
    {
        using var one = Zoo.Rent();
        using var other = Zoo.Rent();
        var (left, right) = (one.Parse(Wire(withoutValue).AsSpan()), other.Parse(Wire(withEmptyValue).AsSpan()));
        Assert.Equal(Gpb.Zoo.Parser.ParseFrom(Wire(withoutValue)), Gpb.Zoo.Parser.ParseFrom(Wire(withEmptyValue)));
        Assert.Equal(right, left);
        Assert.Equal(right.GetHashCode(), left.GetHashCode());
        Assert.Equal(right.ToString(), left.ToString());
        Assert.Equal(Gpb.Zoo.Parser.ParseFrom(Wire(withoutValue)).ToByteArray(), one.ToByteArray());
    }

    [Fact]
    public void A_value_that_is_cleared_is_empty()
    {
        using var message = Zoo.Rent();
        message.Value.MutableAnimals(7).SetName("Ada");
        var before = message.Value.Animals[0].Value;
        message.Value.Animals[0].ClearValue();
        Assert.Equal("", message.Value.Animals[0].Value.Name.ToString());
        Assert.Equal("Ada", before.Name.ToString());
        using var other = Zoo.Rent();
        Assert.Equal(other.Parse(message.ToByteArray().AsSpan()), message.Value);
    }

    static byte[] Wire(string hex) => Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal));
}
