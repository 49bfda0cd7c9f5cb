using Google.Protobuf;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.Codec.Tests;

/// <summary>A sub-message that is absent is read as an empty one, at any depth, and is not changed.</summary>
public class AbsentMessageTests
{
    [Fact]
    public void Every_field_of_an_absent_message_has_its_default_value()
    {
        using var message = Zoo.Rent();
        var zoo = message.Parse(new Gpb.Zoo { Cages = { new Gpb.Cage { Label = "the only one" } } }.ToByteArray());
        Assert.Equal((false, false, false, false, false),
            (zoo.HasScalars, zoo.HasPacked, zoo.HasUnpacked, zoo.HasOptionals, zoo.HasBranch));
        CheckEmpty(zoo.Scalars, new Gpb.Scalars());
        CheckEmpty(zoo.Packed, new Gpb.Packed());
        CheckEmpty(zoo.Unpacked, new Gpb.Unpacked());
        CheckEmpty(zoo.Optionals, new Gpb.Optionals());
        CheckEmpty(zoo.Branch, new Gpb.Zoo());
        CheckEmpty(zoo.Branch.Branch.Unpacked, new Gpb.Unpacked());
        Assert.False(zoo.Branch.TryGetVisitors("Ada", out _));
        Assert.False(zoo.Branch.TryGetAnimals(1, out var none));
        Assert.Equal((false, ""), (none.IsSet, none.Mother.Name.ToString()));
        Assert.True(zoo.Cages[0].IsSet);
    }

    /// <summary>Reads all members of a view, compares it as a whole, and uses it as a source.</summary>
    static void CheckEmpty<T>(T absent, IMessage expected)
        where T : struct, ISlabMessage<T>
    {
        var read = expected.Descriptor.Parser.ParseFrom([]);
        MessageCopier.Of(typeof(T), expected.Descriptor).Read(absent, read);
        Assert.Equal(expected, read);
        using var empty = Message<T>.Rent();
        Assert.True(absent.Equals(empty.Value) && empty.Value.Equals(absent) && absent.Equals(absent));
        Assert.Equal(empty.Value.GetHashCode(), absent.GetHashCode());
        Assert.Equal("", absent.ToString());
        Assert.Empty(absent.ToByteArray());
    }

    [Fact]
    public void A_message_is_there_from_its_first_byte_on()
    {
        using var message = Animal.Rent();
        var animal = message.Parse([0x12, 0]);
        Assert.Equal((true, false), (animal.HasMother, animal.Mother.HasMother));
        Assert.Equal((true, true, false), (animal.IsSet, animal.Mother.IsSet, animal.Mother.Mother.IsSet));
        Assert.NotEqual(animal, animal.Mother);
        animal.ClearMother();
        Assert.Equal((false, animal), (animal.HasMother, animal.Mother));
        animal.MutableMother();
        Assert.True(animal.HasMother);
    }

    [Fact]
    public void A_type_that_contains_itself_is_read_to_any_depth_and_nothing_is_allocated()
    {
        using var message = Animal.Rent();
        var animal = message.Value;
        animal.SetName("Leo");
        animal.MutableMother().SetName("Nala");
        Assert.Equal(("Nala", "", ""), (animal.Mother.Name.ToString(), animal.Mother.Mother.Name.ToString(),
            animal.Mother.Mother.Mother.Mother.Cage.Label.ToString()));
        Assert.Equal(0, AllocatedBytes.Of(() =>
        {
            var deep = animal;
            for (var depth = 0; depth < 10_000; depth++) deep = deep.Mother;
            if (deep.HasMother || deep.Name.Length != 0 || deep.Young.Count != 0) throw new InvalidOperationException();
        }));
    }

    [Fact]
    public void A_message_of_a_oneof_is_empty_while_another_field_is_set()
    {
        using var message = Animal.Rent();
        var animal = message.Value;
        Assert.Equal((false, ""), (animal.HasCage, animal.Cage.Label.ToString()));
        animal.MutableCage().SetLabel("a cage");
        Assert.Equal((true, "a cage"), (animal.HasCage, animal.Cage.Label.ToString()));
        animal.SetTag(7);
        Assert.Equal((false, "", 0), (animal.HasCage, animal.Cage.Label.ToString(), animal.Cage.Animals.Count));
        Assert.False(animal.Cage.IsSet);
        Assert.Equal((true, 7u), (animal.HasTag, animal.Tag));
        animal.MutableCage();
        animal.ClearHome();
        Assert.Equal((false, ""), (animal.HasCage, animal.Cage.Label.ToString()));
    }

    [Fact]
    public void An_absent_message_is_a_source_that_adds_nothing()
    {
        using var message = Animal.Rent();
        using var target = Animal.Rent();
        target.Value.SetName("Leo");
        target.Value.MergeFrom(message.Value.Mother);
        target.Value.MergeFrom(target.Value.Mother);
        Assert.Equal("Leo", target.Value.Name.ToString());
        target.Value.CopyFrom(message.Value.Mother);
        Assert.Equal(0, target.CalculateSize());
    }

    static readonly Dictionary<string, Action<Animal>> changes = new()
    {
        ["SetName"] = animal => animal.SetName("Ada"),
        ["SetTag"] = animal => animal.SetTag(1),
        ["ClearName"] = animal => animal.ClearName(),
        ["ClearHome"] = animal => animal.ClearHome(),
        ["ClearMother"] = animal => animal.ClearMother(),
        ["MutableMother"] = animal => animal.MutableMother(),
        ["AddYoung"] = animal => animal.AddYoung(),
        ["RemoveYoungAt"] = animal => animal.RemoveYoungAt(0),
        ["AddWeights"] = animal => animal.AddWeights([1, 2, 3]),
        ["Clear"] = animal => animal.Clear(),
        ["CopyFrom"] = animal => animal.CopyFrom(animal),
        ["MergeFrom"] = animal => animal.MergeFrom(animal),
        ["MergeFrom bytes"] = animal => animal.MergeFrom([0x0A, 1, (byte)'x']),
    };

    public static TheoryData<string> Changes => [.. changes.Keys];

    [Theory]
    [MemberData(nameof(Changes))]
    public void An_absent_message_is_not_changed(string name)
    {
        var change = changes[name];
        using var message = Animal.Rent();
        var mother = message.Value.Mother;
        var refusal = Assert.Throws<InvalidOperationException>(() => change(mother));
        Assert.Contains("ProtoBench.SlabProtobuf.Animal", refusal.Message, StringComparison.Ordinal);
        using var other = Animal.Rent();
        foreach (var absent in new[] { mother, other.Value.Mother, message.Value.Mother.Mother })
            Assert.True(absent == other.Value && absent.ToString().Length == 0, name);
        Assert.Equal(0, message.CalculateSize());
        message.Dispose();
        Assert.Throws<ObjectDisposedException>(() => change(mother));
    }

    [Fact]
    public void An_absent_message_that_was_taken_stays_empty_while_its_message_is_built()
    {
        using var message = Animal.Rent();
        var mother = message.Value.Mother;
        message.Value.MutableMother().SetName("Nala");
        for (var i = 0; i < 100; i++) message.Value.AddYoung().SetName($"{i}");
        Assert.Equal(("", "Nala"), (mother.Name.ToString(), message.Value.Mother.Name.ToString()));
        Assert.Throws<InvalidOperationException>(() => mother.SetName("lost"));
    }

    static readonly Dictionary<string, Action<Message<Animal>>> ends = new()
    {
        ["disposed"] = message => message.Dispose(),
        ["cleared"] = message => message.Clear(),
        ["parsed"] = message => message.Parse([0x0A, 1, (byte)'x', 0x12, 0]),
        ["merged"] = message => message.MergeFrom([0x0A, 1, (byte)'x', 0x12, 0]),
    };

    public static TheoryData<string> Ends => [.. ends.Keys];

    [Theory]
    [MemberData(nameof(Ends))]
    public void A_late_use_of_an_absent_message_throws_and_names_its_type(string name)
    {
        using var message = Animal.Rent();
        var mother = message.Value.Mother;
        var (text, young, cage, far) = (mother.Name, mother.Young, mother.Cage, mother.Mother.Mother);
        ends[name](message);
        using var next = Animal.Rent();
        next.Value.MutableMother().SetName("of the next renter");
        foreach (var use in new Func<object>[]
        {
            () => mother.Name, () => mother.HasMother, () => mother.Mother, () => mother.Young, () => mother.Cage,
            () => mother.Tag, () => mother.HomeCase, () => mother.Weights.Length, () => mother.GetHashCode(), () => mother.ToString(),
            () => mother.ToByteArray(), () => mother == next.Value, () => next.Value == mother, () => text.ToString(),
            () => cage.Label, () => cage.Animals, () => far.Name, () => far.HasMother, () => Copy(next.Value, mother),
        })
        {
            var refusal = Assert.Throws<ObjectDisposedException>(() => use());
            Assert.True(refusal.Message.Contains("ProtoBench.SlabProtobuf.Animal", StringComparison.Ordinal), $"{name}: {refusal.Message}");
        }

        Assert.Equal((0, false), (young.Count, mother.IsSet));
        Assert.Equal("of the next renter", next.Value.Mother.Name.ToString());
    }

    [Fact]
    public void A_late_use_of_a_message_names_its_type()
    {
        var message = Animal.Rent();
        message.Dispose();
        Assert.Contains("Message<ProtoBench.SlabProtobuf.Animal>", Assert.Throws<ObjectDisposedException>(() => message.Value).Message,
            StringComparison.Ordinal);
    }

    static Animal Copy(Animal target, Animal source)
    {
        target.CopyFrom(source);
        return target;
    }
}
