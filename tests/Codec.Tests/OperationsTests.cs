using System.IO.Pipelines;
using Google.Protobuf;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.Codec.Tests;

/// <summary>What generated messages do beside reading and writing: the same on Google's message, then compared by its equality.</summary>
public class OperationsTests
{
    [Fact]
    public void A_cleared_field_is_not_written_and_its_old_view_is_detached()
    {
        using var message = Animal.Rent();
        var animal = message.Value;
        animal.SetName("Leo");
        animal.AddWeights([1, 2, 3]);
        var mother = animal.MutableMother();
        mother.SetName("Nala");
        animal.ClearName();
        animal.ClearWeights();
        animal.ClearMother();
        Assert.Equal(0, message.CalculateSize());
        Assert.False(animal.HasMother);
        Assert.True(mother.Name == "Nala");
        mother.SetName("still hers");
        Assert.Equal("", animal.MutableMother().Name.ToString());
    }

    [Fact]
    public void A_oneof_is_cleared_by_its_name_and_by_its_field()
    {
        using var message = Animal.Rent();
        var animal = message.Value;
        animal.SetStreet("Zoo Lane");
        Assert.True(animal.HasStreet);
        animal.ClearTag();
        Assert.Equal(Animal.HomeOneofCase.Street, animal.HomeCase);
        animal.ClearHome();
        Assert.Equal(Animal.HomeOneofCase.None, animal.HomeCase);
        animal.MutableCage().SetLabel("first");
        animal.SetTag(7);
        Assert.False(animal.HasCage);
        Assert.Equal("", animal.MutableCage().Label.ToString());
        animal.ClearCage();
        Assert.Equal(0, message.CalculateSize());
    }

    [Fact]
    public void Elements_are_replaced_and_taken_out_of_lists_of_every_kind()
    {
        using var message = Zoo.Rent();
        var expected = new Gpb.Zoo { Packed = new(), Unpacked = new() };
        var packed = message.Value.MutablePacked();
        var unpacked = message.Value.MutableUnpacked();
        packed.AddInt32Values([0, 1, 2, 3, 4, 5, 6, 7, 8]);
        packed.AddEnumValues([Mood.Calm, Mood.Wild]);
        packed.RemoveInt32ValuesAt(8);
        packed.RemoveInt32ValuesAt(0);
        packed.SetInt32Values(1, 20);
        packed.AddInt32Values(100);
        packed.RemoveEnumValuesAt(0);
        expected.Packed.Int32Values.Add([1, 20, 3, 4, 5, 6, 7, 100]);
        expected.Packed.EnumValues.Add(Gpb.Mood.Wild);
        foreach (var text in new[] { "a", "b", "c" }) unpacked.AddStringValues(text);
        var taken = unpacked.StringValues;
        unpacked.RemoveStringValuesAt(1);
        unpacked.SetStringValues(1, "z");
        Assert.True(taken[1] == "b");
        expected.Unpacked.StringValues.Add(["a", "z"]);
        Assert.Equal(expected, Gpb.Zoo.Parser.ParseFrom(message.ToByteArray()));
        Assert.Throws<ArgumentOutOfRangeException>(() => message.Value.MutablePacked().RemoveInt32ValuesAt(8));
        Assert.Throws<ArgumentOutOfRangeException>(() => message.Value.MutablePacked().SetInt32Values(-1, 0));
    }

    [Fact]
    public void Views_follow_when_a_message_is_taken_out_of_their_list()
    {
        using var message = Cage.Rent();
        var cage = message.Value;
        var animals = Enumerable.Range(0, 5).Select(i =>
        {
            var animal = cage.AddAnimals();
            animal.SetName($"{i}");
            return animal;
        }).ToArray();
        cage.RemoveAnimalsAt(2);
        for (var i = 0; i < 5; i++) animals[i].AddWeights(i);
        Assert.Equal(["0", "1", "3", "4"], Names(cage));
        Assert.Equal(4, cage.Animals[3].Weights[0]);
        Assert.True(animals[2].Name == "2");
        cage.AddAnimals().SetName("new");
        Assert.Equal(["0", "1", "3", "4", "new"], Names(cage));
        Assert.Equal(["0", "1", "3", "4", "new"], Gpb.Cage.Parser.ParseFrom(message.ToByteArray()).Animals.Select(animal => animal.Name));
    }

    [Theory]
    [InlineData(3)]
    [InlineData(8)]
    [InlineData(9)]
    [InlineData(500)]
    public void Maps_are_looked_up_replaced_and_removed_by_key(int count)
    {
        using var message = Zoo.Rent();
        var zoo = message.Value;
        var expected = new Gpb.Zoo();
        for (var i = 0; i < count; i++)
        {
            zoo.SetVisitors($"visitor {i}", i);
            zoo.MutableAnimals(i).SetName($"{i}");
            expected.Visitors[$"visitor {i}"] = i;
            expected.Animals[i] = new() { Name = $"{i}" };
        }

        for (var i = 0; i < count; i += 2)
        {
            zoo.SetVisitors($"visitor {i}", -i);
            zoo.MutableAnimals(i).SetTag((uint)i);
            (expected.Visitors[$"visitor {i}"], expected.Animals[i].Tag) = (-i, (uint)i);
        }

        Assert.Equal(expected, Gpb.Zoo.Parser.ParseFrom(message.ToByteArray()));
        for (var i = 0; i < count; i += 3)
        {
            Assert.Equal(expected.Visitors.Remove($"visitor {i}"), zoo.RemoveVisitors($"visitor {i}"));
            Assert.True(zoo.RemoveAnimals(i));
            Assert.False(zoo.RemoveAnimals(i));
            expected.Animals.Remove(i);
        }

        Assert.False(zoo.TryGetVisitors("nobody", out _));
        Assert.False(zoo.TryGetAnimals(0, out _));
        for (var i = 1; i < count; i += 3)
        {
            Assert.True(zoo.TryGetVisitors($"visitor {i}", out var value));
            Assert.Equal(expected.Visitors[$"visitor {i}"], value);
            Assert.True(zoo.TryGetAnimals(i, out var animal));
            Assert.Equal($"{i}", animal.Name.ToString());
        }

        for (var i = 0; i < count; i++)
        {
            zoo.SetVisitors($"visitor {i}", 1);
            expected.Visitors[$"visitor {i}"] = 1;
        }

        Assert.Equal(expected, Gpb.Zoo.Parser.ParseFrom(message.ToByteArray()));
    }

    [Fact]
    public void A_message_is_copied_between_memories_and_into_a_part_of_itself()
    {
        using var source = Animal.Rent();
        source.Value.SetName("Leo");
        source.Value.MutableMother().AddYoung().SetStreet("far");
        using var target = Zoo.Rent();
        var leo = target.Value.MutableAnimals(1);
        leo.SetTag(9);
        leo.CopyFrom(source.Value);
        source.Value.SetName("changed");
        var expected = new Gpb.Animal { Name = "Leo", Mother = new() { Young = { new Gpb.Animal { Street = "far" } } } };
        Assert.Equal(expected, Gpb.Zoo.Parser.ParseFrom(target.ToByteArray()).Animals[1]);
        leo.MutableMother().CopyFrom(leo);
        expected.Mother = expected.Clone();
        Assert.Equal(expected, Gpb.Zoo.Parser.ParseFrom(target.ToByteArray()).Animals[1]);

        using var copy = Zoo.Rent();
        copy.CopyFrom(target);
        Assert.Equal(target.ToByteArray(), copy.ToByteArray());
        Assert.Throws<ArgumentException>(() => copy.CopyFrom(copy));
    }

    [Fact]
    public void A_copy_of_a_message_that_is_nested_too_deep_is_refused_and_leaves_an_empty_one()
    {
        using var source = Animal.Rent();
        var animal = source.Value;
        for (var depth = 0; depth <= Codec.ParseLimits.MaxDepth; depth++) animal = animal.MutableMother();
        using var target = Animal.Rent();
        target.Value.SetName("before");
        Assert.Throws<InvalidOperationException>(() => target.CopyFrom(source));
        Assert.Equal(0, target.CalculateSize());
    }

    [Fact]
    public void A_merge_is_what_reading_both_inputs_one_after_the_other_is()
    {
        var one = new Gpb.Animal
        {
            Name = "a",
            Weights = { 1 },
            Mother = new() { Name = "m", Weights = { 5 } },
            Young = { new Gpb.Animal { Name = "y" } },
            Tag = 3
        };
        var other = new Gpb.Animal
        {
            Name = "b",
            Weights = { 2 },
            Mother = new() { Weights = { 6 } },
            Young = { new Gpb.Animal { Name = "z" } },
            Street = "s"
        };
        using var message = Animal.Rent();
        var before = message.Parse(one.ToByteArray());
        message.MergeFrom(other.ToByteArray());
        Assert.Throws<ObjectDisposedException>(() => before.Name.ToString());
        Assert.Equal(Gpb.Animal.Parser.ParseFrom([.. one.ToByteArray(), .. other.ToByteArray()]),
            Gpb.Animal.Parser.ParseFrom(message.ToByteArray()));
        var refused = Assert.Throws<Codec.WireFormatException>(() => message.MergeFrom([0x0A, 0x01, (byte)'x', 0x0A, 0x05]));
        Assert.Equal((Codec.WireError.Truncated, 5), (refused.Reason, refused.Offset));
        Assert.True(message.Value.Name == "x");
    }

    [Fact]
    public void Equality_is_by_content_and_maps_have_no_order()
    {
        using var one = Zoo.Rent();
        using var other = Zoo.Rent();
        for (var i = 0; i < 20; i++)
        {
            one.Value.SetVisitors($"{i}", i);
            other.Value.SetVisitors($"{19 - i}", 19 - i);
        }

        one.Value.MutableScalars().SetDoubleValue(double.NaN);
        Assert.False(one.Value == other.Value);
        other.Value.MutableScalars().SetDoubleValue(double.NaN);
        Assert.True(one.Value == other.Value);
        Assert.Equal(one.Value.GetHashCode(), other.Value.GetHashCode());
        other.Value.MutableScalars().SetDoubleValue(BitConverter.UInt64BitsToDouble(0x7FF8_0000_0000_0001));
        Assert.True(one.Value != other.Value);
        other.Parse(one.ToByteArray());
        other.Value.SetVisitors("5", 6);
        Assert.False(one.Value.Equals(other.Value));
        other.Parse([.. one.ToByteArray(), 0xF8, 0x06, 0x01]);
        Assert.False(one.Value.Equals(other.Value));
    }

    [Fact]
    public void The_text_form_is_what_protoc_reads()
    {
        const string text =
            "name: \"L\\\"eo\\n\\303\\274\" mother { weights: -1 weights: 2 } young { cage { label: \"c\" } } young { photo: "
                + "\"\\000\\377\" }";
        var wire = Protoc.Encode("zoo.proto", "ZooPkg.Animal", text);
        using var message = Animal.Rent();
        Assert.Equal(wire, Protoc.Encode("zoo.proto", "ZooPkg.Animal", message.Parse(wire).ToString()));

        using var zoo = Zoo.Rent();
        zoo.Value.MutableScalars().SetFloatValue(float.NegativeInfinity);
        zoo.Value.MutableScalars().SetEnumValue(Mood.Asleep);
        zoo.Value.MutablePacked().AddEnumValues([Mood.Wild, (Mood)77]);
        zoo.Value.SetMoods(true, Mood.Calm);
        Assert.Equal(zoo.ToByteArray(), Protoc.Encode("zoo.proto", "ZooPkg.Zoo", zoo.Value.ToString()));
        Assert.Contains("enum_value: MOOD_ASLEEP }", zoo.Value.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_pipe_takes_and_gives_a_message()
    {
        var pipe = new Pipe();
        using var message = Animal.Rent();
        message.Value.SetName(new string('x', 10_000));
        var writing = Task.Run(async () =>
        {
            await message.WriteToAsync(pipe.Writer);
            await pipe.Writer.CompleteAsync();
        });
        using var read = Animal.Rent();
        await read.ParseAsync(pipe.Reader);
        await writing;
        Assert.True(read.Value == message.Value);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_canceled_read_leaves_the_message_and_the_pipe_as_they_were(bool byToken)
    {
        var pipe = new Pipe();
        using var message = Animal.Rent();
        message.Value.SetName("before");
        await pipe.Writer.WriteAsync(new byte[] { 0x0A, 1, (byte)'x' });
        using var cancellation = new CancellationTokenSource();
        var reading = message.ParseAsync(pipe.Reader, cancellation.Token).AsTask();
        if (byToken) await cancellation.CancelAsync();
        else pipe.Reader.CancelPendingRead();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => reading);
        Assert.Equal("before", message.Value.Name.ToString());
        await pipe.Writer.CompleteAsync();
        var animal = await message.ParseAsync(pipe.Reader);
        Assert.Equal("x", animal.Name.ToString());
    }

    static List<string> Names(Cage cage)
    {
        var names = new List<string>();
        foreach (var animal in cage.Animals) names.Add(animal.Name.ToString());
        return names;
    }
}
