using System.Collections;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.Codec.Tests;

/// <summary>Lists and maps are enumerable for LINQ and for tests, and foreach over them allocates nothing.</summary>
public class ListTests
{
    [Fact]
    public void LINQ_sees_the_elements_in_order()
    {
        using var message = Filled();
        var zoo = message.Value;
        Assert.Equal(["first", "second", "third"], zoo.Cages.Select(cage => cage.Label.ToString()));
        Assert.Equal((3, "third"), (zoo.Cages.Count(cage => cage.Label.Length > 0), zoo.Cages.ToArray()[2].Label.ToString()));
        Assert.Equal(["one", "two"], zoo.Unpacked.StringValues.Select(text => text.ToString()).ToList());
        Assert.Equal("one, two", string.Join(", ", zoo.Unpacked.StringValues));
        Assert.Equal([1, 2, 3], zoo.Unpacked.BytesValues.Last().ToArray());
        Assert.Equal(new Dictionary<string, int> { ["Ann"] = 1, ["Ben"] = 2 },
            zoo.Visitors.ToDictionary(entry => entry.Key.ToString(), entry => entry.Value));
        Assert.Equal("Leo", Assert.Single(zoo.Animals).Value.Name.ToString());
        Assert.Empty(zoo.Branch.Cages);
        Assert.Empty(default(MessageList<Animal>));
        Assert.Empty(default(Utf8StringList));
        Assert.Empty(default(BytesList));
        foreach (var element in (IEnumerable)zoo.Cages) Assert.IsType<Cage>(element);
    }

    [Fact]
    public void Foreach_allocates_nothing()
    {
        using var message = Filled();
        var length = 0;
        for (var i = 0; i < 5; i++) Walk();
        Assert.Equal(0, AllocatedBytes.Of(Walk));
        Assert.True(length > 0);

        void Walk()
        {
            foreach (var cage in message.Value.Cages) length += cage.Label.Length;
            foreach (var text in message.Value.Unpacked.StringValues) length += text.Length;
            foreach (var bytes in message.Value.Unpacked.BytesValues) length += bytes.Length;
            foreach (var entry in message.Value.Visitors) length += entry.Key.Length + entry.Value;
            foreach (var entry in message.Value.Animals) length += entry.Value.Name.Length;
        }
    }

    [Fact]
    public void An_enumeration_ends_with_its_message()
    {
        var message = Filled();
        using var names = message.Value.Cages.Select(cage => cage.Label.ToString()).GetEnumerator();
        using var texts = message.Value.Unpacked.StringValues.Select(text => text.Length).GetEnumerator();
        Assert.True(names.MoveNext() && texts.MoveNext());
        message.Dispose();
        using var next = Filled();
        Assert.Throws<ObjectDisposedException>(() => names.MoveNext());
        Assert.Throws<ObjectDisposedException>(() => texts.MoveNext());
    }

    static Message<Zoo> Filled() => Zoo.Rent().Fill(zoo =>
    {
        foreach (var label in new[] { "first", "second", "third" }) zoo.AddCages().SetLabel(label);
        zoo.MutableUnpacked().Fill(lists =>
        {
            lists.AddStringValues("one");
            lists.AddStringValues("two");
            lists.AddBytesValues([]);
            lists.AddBytesValues([1, 2, 3]);
        });
        zoo.SetVisitors("Ann", 1);
        zoo.SetVisitors("Ben", 2);
        zoo.MutableAnimals(1).SetName("Leo");
    });
}
