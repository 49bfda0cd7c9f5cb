using Google.Protobuf;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.Codec.Tests;

/// <summary>Setters take what getters give: strings, bytes and views of messages, of other messages and of the same one.</summary>
public class CopyingSetterTests
{
    /// <summary>A message that is set field by field from the getters of another one is equal to it.</summary>
    [Fact]
    public void A_message_is_rebuilt_from_the_getters_of_another_one()
    {
        const int seed = 44;
        var generator = new WireGenerator(new Random(seed));
        var wires = Enumerable.Range(0, 300).Select(_ => generator.Message(Gpb.Zoo.Descriptor, 0))
            .Where(wire => Subject.Of<Zoo>().Read(wire).Refusal is null).ToList();
        Assert.True(wires.Count > 100, $"{wires.Count} messages");
        foreach (var wire in wires)
        {
            using var message = Zoo.Rent().WithDiscardUnknownFields(true);
            using var copy = Zoo.Rent();
            var (from, to) = (message.Parse(wire), copy.Value);
            to.SetScalars(from.Scalars);
            to.SetPacked(from.Packed);
            to.SetUnpacked(from.Unpacked);
            to.SetOptionals(from.Optionals);
            foreach (var cage in from.Cages) to.AddCages(cage);
            foreach (var entry in from.Visitors) to.SetVisitors(entry.Key, entry.Value);
            foreach (var entry in from.Animals) to.SetAnimals(entry.Key, entry.Value);
            foreach (var entry in from.Moods) to.SetMoods(entry.Key, entry.Value);
            to.SetBranch(from.Branch);
            Assert.True(message.ToByteArray().AsSpan().SequenceEqual(copy.ToByteArray()), $"seed {seed}: {Convert.ToHexString(wire)}");
        }
    }

    [Fact]
    public void Strings_and_bytes_are_copied_also_within_a_message()
    {
        using var message = Animal.Rent();
        using var other = Unpacked.Rent();
        var (animal, lists) = (message.Value, other.Value);
        animal.SetName("Leo");
        animal.SetName(animal.Name);
        animal.SetStreet(animal.Name);
        lists.AddStringValues(animal.Name);
        for (var i = 0; i < 1_000; i++) lists.AddStringValues(lists.StringValues[i]);
        lists.SetStringValues(0, animal.Street);
        animal.SetPhoto([1, 2, 3]);
        animal.SetPhoto(animal.Photo);
        lists.AddBytesValues(animal.Photo);
        Assert.Equal("Leo", animal.Name.ToString());
        Assert.All(lists.StringValues, text => Assert.Equal("Leo", text.ToString()));
        Assert.Equal(1_001, lists.StringValues.Count);
        Assert.Equal([1, 2, 3], animal.Photo.ToArray());
        Assert.Equal(animal.Photo, lists.BytesValues.Single());
    }

    [Fact]
    public void A_list_of_numbers_takes_itself()
    {
        using var message = Packed.Rent();
        var packed = message.Parse(new Gpb.Packed { Int32Values = { 1, 2, 3 }, Fixed32Values = { 4, 5 } }.ToByteArray());
        for (var i = 0; i < 3; i++)
        {
            packed.AddInt32Values(packed.Int32Values);
            packed.AddFixed32Values(packed.Fixed32Values);
        }

        Assert.Equal(Enumerable.Repeat(new[] { 1, 2, 3 }, 8).SelectMany(part => part), packed.Int32Values.ToArray());
        Assert.Equal(Enumerable.Repeat(new[] { 4u, 5u }, 8).SelectMany(part => part), packed.Fixed32Values.ToArray());
    }

    /// <summary>The expected message has Clone where ours has a view: a setter copies the message as it is before the call.</summary>
    [Fact]
    public void A_message_takes_itself_and_its_parts()
    {
        using var message = Animal.Rent();
        var animal = message.Value;
        var expected = new Gpb.Animal { Name = "Nala" };
        animal.SetName("Nala");

        animal.SetMother(animal);
        expected.Mother = expected.Clone();
        Same();
        animal.SetMother(animal.Mother);
        animal.Mother.SetMother(animal);
        expected.Mother.Mother = expected.Clone();
        Same();
        animal.AddYoung(animal);
        expected.Young.Add(expected.Clone());
        animal.Young[0].AddYoung(animal.Mother.Mother);
        expected.Young[0].Young.Add(expected.Mother.Mother.Clone());
        Same();
        animal.SetMother(animal.Mother.Mother);
        expected.Mother = expected.Mother.Mother.Clone();
        Same();
        animal.SetMother(animal.Mother.Mother.Mother);
        expected.Mother = null;
        Same();

        void Same() => Assert.Equal(expected.ToByteArray(), message.ToByteArray());
    }

    /// <summary>The list moves each time it has no room.</summary>
    [Fact]
    public void An_element_is_added_to_its_own_list_while_the_list_grows()
    {
        using var message = Animal.Rent();
        var first = message.Value.AddYoung();
        first.SetName("Kion");
        var expected = new Gpb.Animal { Young = { new Gpb.Animal { Name = "Kion" } } };
        for (var i = 0; i < 200; i++)
        {
            var added = message.Value.AddYoung(i % 2 == 0 ? first : message.Value.Young[i]);
            expected.Young.Add(expected.Young[i % 2 == 0 ? 0 : i].Clone());
            added.AddWeights(i);
            expected.Young[^1].Weights.Add(i);
            first.SetTag((uint)i);
            expected.Young[0].Tag = (uint)i;
        }

        Assert.Equal(expected.ToByteArray(), message.ToByteArray());
        foreach (var young in message.Value.Young) message.Value.AddYoung(young);
        expected.Young.Add(expected.Young.Clone());
        Assert.Equal(expected.ToByteArray(), message.ToByteArray());
    }

    [Fact]
    public void A_value_of_a_map_is_replaced_also_by_the_map_that_it_is_in()
    {
        using var message = Zoo.Rent();
        using var other = Zoo.Rent();
        message.Value.SetAnimals(1, other.Value.MutableAnimals(5));
        Assert.Equal(new Gpb.Zoo { Animals = { [1] = new() } }.ToByteArray(), message.ToByteArray());
        message.Value.MutableAnimals(1).SetName("Leo");
        message.Value.SetAnimals(2, message.Value.Animals[0].Value);
        message.Value.MutableAnimals(1).AddWeights(7);
        message.Value.SetAnimals(2, message.Value.Animals[1].Value);
        message.Value.SetAnimals(1, message.Value.Animals[0].Value.Mother);
        Assert.Equal(new Gpb.Zoo { Animals = { [1] = new(), [2] = new() { Name = "Leo" } } }.ToByteArray(), message.ToByteArray());
    }

    /// <summary>As <c>animal.Cage = null</c> in Google's code, which clears the oneof whichever field is set.</summary>
    [Fact]
    public void A_message_that_is_not_set_clears_the_field()
    {
        using var message = Animal.Rent();
        using var empty = Animal.Rent();
        var animal = message.Value;
        animal.MutableMother().SetName("Nala");
        animal.SetMother(empty.Value.Mother);
        Assert.False(animal.HasMother);
        animal.SetCage(empty.Value.MutableCage());
        Assert.Equal((true, Animal.HomeOneofCase.Cage), (animal.HasCage, animal.HomeCase));
        empty.Value.ClearHome();
        animal.SetStreet("Zoo Lane");
        animal.SetCage(empty.Value.Cage);
        Assert.Equal(Animal.HomeOneofCase.None, animal.HomeCase);
        Assert.True(animal.AddYoung(empty.Value.Mother).IsSet);
    }

    // Views are taken before they become stale: the getter is not what is tested.
    static readonly Dictionary<string, Func<Zoo, Action<Zoo>>> setters = new()
    {
        ["a string"] = from => Late(from.Scalars.StringValue, (to, text) => to.MutableScalars().SetStringValue(text)),
        ["bytes"] = from => Late(from.Scalars.BytesValue, (to, bytes) => to.MutableScalars().SetBytesValue(bytes)),
        ["an element of a list of strings"] = from =>
            Late(from.Scalars.StringValue, (to, text) => to.MutableUnpacked().AddStringValues(text)),
        ["a key"] = from => Late(from.Scalars.StringValue, (to, key) => to.SetVisitors(key, 7)),
        ["a message"] = from => Late(from, (to, zoo) => to.SetBranch(zoo)),
        ["an absent message"] = from => Late(from.Branch, (to, zoo) => to.SetBranch(zoo)),
        ["an element"] = from => Late(from.Cages[0], (to, cage) => to.AddCages(cage)),
        ["a value of a map"] = from => Late(from.Animals[0].Value, (to, animal) => to.SetAnimals(2, animal)),
        ["a copy"] = from => Late(from, (to, zoo) => to.CopyFrom(zoo)),
        ["a merge"] = from => Late(from, (to, zoo) => to.MergeFrom(zoo)),
    };

    static Action<Zoo> Late<T>(T view, Action<Zoo, T> set) => to => set(to, view);

    static readonly string[] ends = ["released", "rented again", "released by another thread", "parsed again"];

    public static TheoryData<string, string> Misuses => [.. from setter in setters.Keys from end in ends select (setter, end)];

    [Theory]
    [MemberData(nameof(Misuses))]
    public void A_source_that_was_released_is_refused_and_changes_nothing(string setter, string end)
    {
        using var target = Zoo.Rent();
        target.Value.MutableScalars();
        target.Value.MutableUnpacked();
        target.Value.MutableBranch().SetVisitors("Ann", 1);
        var before = target.ToByteArray();
        var source = Zoo.Rent();
        var set = setters[setter](Filled(source));
        if (end == "parsed again") source.Parse([0x4A, 0]);
        else if (end == "released by another thread") Threads.Run(1, _ => source.Dispose());
        else source.Dispose();
        using var next = end == "rented again" ? Zoo.Rent() : default;
        if (end == "rented again") Filled(next);
        var refusal = Assert.Throws<ObjectDisposedException>(() => set(target.Value));
        Assert.Contains("ProtoBench.SlabProtobuf.", refusal.Message, StringComparison.Ordinal);
        Assert.Equal(before, target.ToByteArray());
        source.Dispose();
    }

    public static TheoryData<string> Setters => [.. setters.Keys];

    [Theory]
    [MemberData(nameof(Setters))]
    public void A_target_that_was_released_is_refused_and_the_next_renter_sees_nothing(string setter)
    {
        using var source = Zoo.Rent();
        var from = Filled(source);
        var before = source.ToByteArray();
        var target = Zoo.Rent();
        var to = target.Value;
        target.Dispose();
        using var next = Zoo.Rent();
        Assert.Throws<ObjectDisposedException>(() => setters[setter](from)(to));
        Assert.Equal((0, 0), (next.CalculateSize(), next.ToByteArray().Length));
        Assert.Equal(before, source.ToByteArray());
    }

    /// <summary>A view of a message that is not set cannot be changed.</summary>
    [Theory]
    [MemberData(nameof(Setters))]
    public void A_target_that_is_not_set_is_refused(string setter)
    {
        using var source = Zoo.Rent();
        using var target = Zoo.Rent();
        var refusal = Assert.Throws<InvalidOperationException>(() => setters[setter](Filled(source))(target.Value.Branch));
        Assert.Contains("ProtoBench.SlabProtobuf.Zoo", refusal.Message, StringComparison.Ordinal);
        Assert.Equal(0, target.CalculateSize());
    }

    [Fact]
    public void Setting_from_another_message_allocates_nothing()
    {
        using var source = Zoo.Rent();
        using var target = Zoo.Rent();
        Filled(source);
        for (var i = 0; i < 5; i++) Repeat();
        Assert.Equal(0, AllocatedBytes.Of(Repeat));

        void Repeat()
        {
            target.Clear();
            var (to, from) = (target.Value, source.Value);
            to.MutableScalars().SetStringValue(from.Scalars.StringValue);
            to.MutableScalars().SetBytesValue(from.Scalars.BytesValue);
            to.MutableUnpacked().AddStringValues(from.Scalars.StringValue);
            to.SetVisitors(from.Scalars.StringValue, 7);
            to.SetBranch(from);
            to.AddCages(from.Cages[0]);
            to.SetAnimals(2, from.Animals[0].Value);
        }
    }

    static Zoo Filled(Message<Zoo> message)
    {
        var zoo = message.Value;
        zoo.MutableScalars().SetStringValue("text");
        zoo.MutableScalars().SetBytesValue([1, 2, 3]);
        zoo.AddCages().AddAnimals().SetName("Leo");
        zoo.MutableAnimals(1).SetName("Nala");
        return zoo;
    }
}
