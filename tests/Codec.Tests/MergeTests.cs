using Google.Protobuf;
using ProtoBench.Allocators;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.Codec.Tests;

/// <summary>A message merged into another one or into a part of one, against Google's own merge; and what views show afterwards.</summary>
public class MergeTests
{
    static readonly Gpb.Animal one =
        new()
        {
            Name = "a",
            Weights = { 1 },
            Mother = new() { Name = "m", Weights = { 5 } },
            Young = { new Gpb.Animal { Name = "y" } },
            Cage = new() { Label = "c", Animals = { new Gpb.Animal() } }
        };
    static readonly Gpb.Animal other =
        new()
        {
            Name = "b",
            Weights = { 2 },
            Mother = new() { Weights = { 6 } },
            Young = { new Gpb.Animal { Name = "z" } },
            Cage = new() { Animals = { new Gpb.Animal { Tag = 1 } } }
        };

    [Fact]
    public void A_merge_into_a_part_of_a_message_is_Googles()
    {
        using var message = Zoo.Rent();
        using var source = Animal.Rent();
        var leo = message.Value.MutableAnimals(1);
        var expected = new Gpb.Animal();
        foreach (var part in new[] { one, other, new Gpb.Animal { Street = "s" }, new Gpb.Animal(), one })
        {
            leo.MergeFrom(source.Parse(part.ToByteArray()));
            expected.MergeFrom(part);
            Assert.Equal(expected, Gpb.Zoo.Parser.ParseFrom(message.ToByteArray()).Animals[1]);
        }

        leo.MergeFrom(leo);
        expected.MergeFrom(expected.Clone());
        Assert.Equal(expected, Gpb.Zoo.Parser.ParseFrom(message.ToByteArray()).Animals[1]);
        leo.MutableMother().MergeFrom(leo);
        expected.Mother.MergeFrom(expected.Clone());
        Assert.Equal(expected, Gpb.Zoo.Parser.ParseFrom(message.ToByteArray()).Animals[1]);
    }

    [Fact]
    public void A_merge_of_messages_is_Googles_also_with_itself()
    {
        using var message = Animal.Rent();
        using var source = Animal.Rent();
        message.Parse(one.ToByteArray());
        source.Parse(other.ToByteArray());
        var expected = one.Clone();
        expected.MergeFrom(other);
        var before = message.Value;
        message.MergeFrom(source);
        Assert.Equal(expected, Gpb.Animal.Parser.ParseFrom(message.ToByteArray()));
        Assert.Throws<ObjectDisposedException>(() => before.Name.ToString());
        message.MergeFrom(message);
        expected.MergeFrom(expected.Clone());
        Assert.Equal(expected, Gpb.Animal.Parser.ParseFrom(message.ToByteArray()));
    }

    /// <summary>The list moves as it grows, and so does the one inside of it. What an early view stores must be in the message.</summary>
    [Fact]
    public void Views_follow_the_lists_that_a_merge_moves()
    {
        using var message = Animal.Rent();
        using var source = Animal.Rent();
        source.Value.AddYoung().AddYoung().SetName("grandchild");
        var root = message.Value;
        var views = new List<Animal>();
        for (var i = 0; i < 40; i++)
        {
            root.MergeFrom(source.Value);
            root.MutableMother().MergeFrom(source.Value);
            views.Add(root.Young[i]);
            root.Mother.Young[i].SetTag((uint)i);
        }

        for (var i = 0; i < views.Count; i++) views[i].SetStreet($"street {i}");
        var read = Gpb.Animal.Parser.ParseFrom(message.ToByteArray());
        Assert.Equal(views.Select((_, i) => $"street {i}"), read.Young.Select(young => young.Street));
        Assert.Equal(views.Select((_, i) => (uint)i), read.Mother.Young.Select(young => young.Tag));
        Assert.All(views, view => Assert.Equal("grandchild", view.Young[0].Name.ToString()));
    }

    /// <summary>The memory belongs to another renter by then, perhaps on another thread: it must not even grow.</summary>
    [Fact]
    public void An_operation_on_a_late_view_takes_nothing_into_the_memory_of_the_next_renter()
    {
        using var large = Animal.Rent();
        large.Value.SetPhoto(new byte[4 << 20]);
        var input = large.ToByteArray();
        var released = Animal.Rent();
        var late = released.Value;
        released.Dispose();
        using var next = Animal.Rent();
        next.Value.SetName("next");
        using (var other = Animal.Rent()) other.Parse(input);
        var before = SlabPool.Shared.Snapshot();
        Action[] acts =
        [
            () => late.MergeFrom(large.Value), () => late.MergeFrom(input), () => late.MergeFrom(Segments.Cut(input, 3)),
            () => late.CopyFrom(large.Value),
        ];
        foreach (var act in acts)
        {
            Assert.Throws<ObjectDisposedException>(act);
            Assert.Equal(before.LiveBytes, SlabPool.Shared.Snapshot().LiveBytes);
            Assert.Equal("next", next.Value.Name.ToString());
        }
    }

    [Fact]
    public void Hashes_tell_contents_apart_and_equal_contents_have_the_same()
    {
        var contents =
            new List<Gpb.Zoo> { new(), new() { Scalars = new() }, new() { Optionals = new() { Int32Value = 0 } },
                new() { Optionals = new() { DoubleValue = 0 } } };
        for (var i = 1; i <= 16; i++)
        {
            contents.Add(new() { Scalars = new() { Int32Value = i } });
            contents.Add(new() { Scalars = new() { Int64Value = i } });
            contents.Add(new() { Scalars = new() { DoubleValue = i } });
            contents.Add(new() { Scalars = new() { StringValue = new('x', i) } });
            contents.Add(new() { Packed = new() { Uint32Values = { (uint)i } } });
            contents.Add(new() { Unpacked = new() { StringValues = { new string('y', i), "z" } } });
            contents.Add(new() { Visitors = { [$"{i}"] = 1 } });
            contents.Add(new() { Visitors = { ["a"] = i } });
            contents.Add(new() { Cages = { new Gpb.Cage { Animals = { new Gpb.Animal { Tag = (uint)i } } } } });
            contents.Add(Gpb.Zoo.Parser.ParseFrom([0xF8, 0x06, (byte)i]));
        }

        using var message = Zoo.Rent();
        using var copy = Zoo.Rent();
        var hashes = new HashSet<int>();
        foreach (var content in contents)
        {
            var hash = message.Parse(content.ToByteArray()).GetHashCode();
            Assert.Equal(hash, copy.Parse(message.ToByteArray()).GetHashCode());
            Assert.True(hashes.Add(hash), $"{content} has the hash of another one");
        }
    }
}
