using Google.Protobuf;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.Codec.Tests;

public class ShapeTests
{
    [Theory]
    [InlineData(100, true)]
    [InlineData(101, false)]
    public void Nesting_is_accepted_to_a_depth_of_100(int depth, bool accepted)
    {
        byte[] animal = [];
        byte[] mixed = [];
        for (var i = 0; i < depth; i++)
        {
            animal = Field(0x12, animal);

            // Sub-messages, with groups in the innermost that nobody knows.
            mixed = i < depth / 2 ? [0x4B, .. mixed, 0x4C] : Field(0x12, mixed);
        }

        foreach (var wire in new[] { animal, mixed })
        {
            Subject.Of<Animal>().Compare(wire);
            var (written, refusal) = Subject.Of<Animal>().Read(wire);
            Assert.Equal(accepted, refusal is null);
            if (accepted) Assert.Equal(wire, written);
            else Assert.Equal(WireError.TooDeep, refusal!.Reason);
        }
    }

    [Fact]
    public void What_could_not_be_read_again_is_not_written()
    {
        using var message = Animal.Rent();
        var animal = message.Value;
        for (var depth = 1; depth <= 100; depth++) animal = animal.MutableMother();
        Subject.Of<Animal>().Compare(message.ToByteArray());
        animal.MutableMother();
        Assert.Throws<InvalidOperationException>(() => message.CalculateSize());
    }

    [Theory]
    [InlineData(8)]
    [InlineData(9)]
    [InlineData(1_000)]
    public void The_last_entry_of_each_key_of_a_map_stays_in_the_place_of_the_first(int keys)
    {
        var wire = new MemoryStream();
        foreach (var value in Enumerable.Range(0, 3))
        {
            foreach (var key in Enumerable.Range(0, keys))
            {
                new Gpb.Zoo
                {
                    Visitors = { [$"visitor {key}"] = value },
                    Animals = { [key * value] = new() { Tag = (uint)value } }
                }.WriteTo(wire);
            }
        }

        Subject.Of<Zoo>().Compare(wire.ToArray());
        using var message = Zoo.Rent();
        Assert.Equal(keys, message.Parse(wire.ToArray().AsSpan()).Visitors.Count);
        Assert.All(Enumerable.Range(0, keys), i => Assert.Equal(2, message.Value.Visitors[i].Value));
    }

    [Fact]
    public void Children_of_two_parents_may_arrive_by_turns()
    {
        var wire = new MemoryStream();
        for (var i = 0; i < 3_000; i++)
        {
            var branch = new Gpb.Zoo { Cages = { new Gpb.Cage { Label = $"branch {i}" } }, Packed = new() { Int32Values = { i } } };
            new Gpb.Zoo
            {
                Cages = { new Gpb.Cage { Label = $"{i}", Animals = { new Gpb.Animal { Name = "a" } } } },
                Packed = new() { Int32Values = { -i } },
                Branch = branch
            }.WriteTo(wire);
        }

        Subject.Of<Zoo>().Compare(wire.ToArray());
    }

    [Fact]
    public void Many_elements_of_many_elements_are_all_there()
    {
        var zoo = new Gpb.Zoo();
        for (var i = 0; i < 300; i++)
        {
            var cage = new Gpb.Cage { Label = $"cage {i}" };
            for (var k = 0; k < i % 17; k++)
                cage.Animals.Add(
                    new Gpb.Animal
                    {
                        Name = $"{i}.{k}",
                        Weights = { Enumerable.Range(-i, k) },
                        Young = { new Gpb.Animal(), new Gpb.Animal { Street = "Zoo Lane" } }
                    });
            zoo.Cages.Add(cage);
        }

        var wire = zoo.ToByteArray();
        Subject.Of<Zoo>().Compare(wire);
        Assert.Equal(wire, Subject.Of<Zoo>().Read(wire).Written);
    }

    [Theory]
    [InlineData("0A FFFFFFFF07")]
    [InlineData("12 FFFFFF7F 0A0161")]
    [InlineData("1A 05 01020304")]
    public void A_length_beyond_the_input_costs_no_memory(string hex)
    {
        var wire = Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal));
        using var pool = Allocators.SlabPool.Create(new() { SlabSize = 4096 });
        using (var message = Message<ForwardRequest>.Rent(pool))
        {
            Assert.Throws<WireFormatException>(() => message.Parse(wire.AsSpan()));
            Assert.Throws<WireFormatException>(() => message.ParseAlias(Segments.Cut(wire, 2)));
            Assert.Throws<WireFormatException>(() => message.Parse(new BufferedStream(new MemoryStream(wire))));
        }

        Assert.InRange(pool.Snapshot().HeldBytes, 0, 64 * 1024);
    }

    static byte[] Field(byte tag, byte[] body)
    {
        var wire = new MemoryStream();
        var output = new CodedOutputStream(wire);
        output.WriteRawTag(tag);
        output.WriteLength(body.Length);
        output.Flush();
        return [.. wire.ToArray(), .. body];
    }
}
