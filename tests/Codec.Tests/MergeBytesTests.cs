using Google.Protobuf;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.Codec.Tests;

/// <summary>Bytes that are merged into a part of a message, against Google's MergeFrom of the same bytes.</summary>
public class MergeBytesTests
{
    static readonly Gpb.Zoo full = new()
    {
        Scalars = new() { Int32Value = 7, DoubleValue = 1.5, StringValue = "s", LargestNumber = -1 },
        Packed = new() { Int64Values = { 1, -1 }, EnumValues = { Gpb.Mood.Wild } },
        Unpacked = new() { StringValues = { "a", "" }, BytesValues = { ByteString.CopyFrom(1, 2) } },
        Optionals = new() { Int32Value = 0, StringValue = "" },
        Cages = { new Gpb.Cage { Label = "c", Animals = { new Gpb.Animal { Tag = 1 } } } },
        Visitors = { ["Ann"] = 1, ["Bob"] = 2 },
        Animals = { [5] = new() { Name = "n", Cage = new() { Label = "home" } } },
        Moods = { [true] = Gpb.Mood.Calm },
    };

    /// <summary>Wire bytes of a Zoo: what a merge of a message that was parsed from them would get wrong is among them.</summary>
    public static TheoryData<string> Inputs =>
    [
        Convert.ToHexString(full.ToByteArray()),

        // zeros, which replace: int32_value, double_value, string_value
        "0A0D" + "1800" + "090000000000000000" + "7200",

        // optional zeros, an empty sub-message, an empty packed field
        "2204" + "0800" + "2200" + "4A00" + "12021A00",

        // keys that are there, twice, without a value, reversed
        "3207" + "0A03416E6E1003" + "3205" + "0A03426F62" + "3207" + "1004" + "0A03416E6E" + "4202" + "0801",

        // the entry of a key that is there is replaced, not merged
        "3A0B" + "0805" + "1207" + "2A05" + "0A03" + "6E6577",

        // unknown fields: bytes, and a varint in a sub-message; a group (Google sorts different ones by their number and type)
        "A20603070809" + "0A03" + "A00602",
        "A3060805A406",
        "",
    ];

    [Theory]
    [MemberData(nameof(Inputs))]
    public void The_bytes_written_after_a_merge_are_Googles(string hex)
    {
        var input = Convert.FromHexString(hex);
        foreach (var before in new[] { new(), full })
        {
            using var message = Zoo.Rent();
            message.Parse(new Gpb.Zoo { Branch = before }.ToByteArray());
            var google = before.Clone();
            for (var form = 0; form < 3; form++)
            {
                var branch = message.Value.MutableBranch();
                if (form == 0) branch.MergeFrom(input);
                else branch.MergeFrom(Segments.Cut(input, form == 1 ? [] : Enumerable.Range(1, input.Length).SkipLast(1)));
                google.MergeFrom(input);
                Assert.Equal(new Gpb.Zoo { Branch = google }.ToByteArray(), message.ToByteArray());
            }
        }
    }

    /// <summary>A cage is merged into the one that is there; one that comes after another field of the oneof is a new one.</summary>
    [Theory]
    [InlineData("2A021200")]
    [InlineData("3D01000000" + "2A021200")]
    [InlineData("2A021200" + "3D00000000")]
    [InlineData("3D01000000" + "2A021200" + "4200" + "3200")]
    public void A_oneof_is_merged_as_Google_merges_it(string hex)
    {
        var input = Convert.FromHexString(hex);
        var google = new Gpb.Animal { Mother = new() { Name = "m", Cage = new() { Label = "home" } } };
        using var message = Animal.Rent();
        message.Parse(google.ToByteArray());
        message.Value.MutableMother().MergeFrom(input);
        google.Mother.MergeFrom(input);
        Assert.Equal(google.ToByteArray(), message.ToByteArray());
    }

    [Fact]
    public void Random_bytes_are_merged_as_Google_merges_them_and_bad_ones_change_nothing()
    {
        const int firstSeed = 20_261_122;
        var (merged, refused) = (0, 0);
        for (var seed = firstSeed; seed < firstSeed + 5_000; seed++)
        {
            var generator = new WireGenerator(new(seed));
            using var message = Zoo.Rent();
            var part = message.Value.MutableBranch();
            var google = new Gpb.Zoo();
            for (var i = 0; i < 4; i++)
            {
                var wire = generator.Next(Gpb.Zoo.Descriptor);
                var before = message.ToByteArray();
                if (Record.Exception(() => part.MergeFrom(wire)) is { } refusal)
                {
                    refused++;
                    Assert.Equal((Subject.Of<Zoo>().Read(wire).Refusal?.Reason, Subject.Of<Zoo>().Read(wire).Refusal?.Offset),
                        ((refusal as WireFormatException)?.Reason, (refusal as WireFormatException)?.Offset));
                    Assert.True(before.AsSpan().SequenceEqual(message.ToByteArray()), $"seed {seed}, step {i}: changed by bytes that are refused");
                    continue;
                }

                merged++;
                google.MergeFrom(wire);
                Assert.True(new Gpb.Zoo { Branch = google }.Equals(Gpb.Zoo.Parser.ParseFrom(message.ToByteArray())), $"seed {seed}, step {i}");
            }
        }

        Assert.True(merged > 1_000 && refused > 1_000, $"{merged} were merged, {refused} refused");
    }

    [Fact]
    public void No_beginning_of_a_message_that_is_refused_leaves_anything_behind()
    {
        var wire = full.ToByteArray();
        using var message = Zoo.Rent();
        var part = message.Value.MutableBranch();
        part.MergeFrom(wire);
        var before = message.ToByteArray();
        var refused = 0;
        for (var length = 0; length < wire.Length; length++)
        {
            var cut = wire[..length];
            if (Subject.Of<Zoo>().Read(cut).Refusal is null) continue;
            Assert.Throws<WireFormatException>(() => part.MergeFrom(cut));
            Assert.Throws<WireFormatException>(() => part.MergeFrom(Segments.Cut(cut, length / 2)));
            Assert.Equal(before, message.ToByteArray());
            refused++;
        }

        Assert.True(refused > wire.Length / 2);
        part.AddCages().AddAnimals();
        var added = part.Cages[^1];
        Assert.Equal(("", 1, ""), (added.Label.ToString(), added.Animals.Count, added.Animals[0].Name.ToString()));
    }

    [Fact]
    public void Views_stay_valid_and_follow_the_lists_that_move()
    {
        using var message = Animal.Rent();
        var root = message.Value;
        var mother = root.MutableMother();
        var input = new Gpb.Animal { Young = { new Gpb.Animal { Name = "y" } }, Mother = new() { Name = "m" } }.ToByteArray();
        var views = new List<Animal>();
        for (var i = 0; i < 40; i++)
        {
            root.MergeFrom(input);
            views.Add(root.Young[i]);
        }

        for (var i = 0; i < views.Count; i++) views[i].SetStreet($"street {i}");
        Assert.Equal("m", mother.Name.ToString());
        Assert.Equal(views.Select((_, i) => $"street {i}"),
            Gpb.Animal.Parser.ParseFrom(message.ToByteArray()).Young.Select(young => young.Street));
    }

    [Fact]
    public void The_input_may_be_memory_of_the_message()
    {
        var inner = new Gpb.Animal { Name = "inner", Young = { new Gpb.Animal { Name = "y" } } };
        using var message = Animal.Rent();
        message.Parse(new Gpb.Animal { Mother = new() { Photo = ByteString.CopyFrom([.. inner.ToByteArray(), .. inner.ToByteArray()]) } }
            .ToByteArray());
        var mother = message.Value.Mother;
        var expected = Gpb.Animal.Parser.ParseFrom(message.ToByteArray());
        for (var i = 0; i < 200; i++)
        {
            mother.MergeFrom(mother.Photo.Span);
            expected.Mother.MergeFrom(expected.Mother.Photo.ToByteArray());
        }

        Assert.Equal(expected.ToByteArray(), message.ToByteArray());
    }

    /// <summary>It reads its input in place, and copies unknown fields behind the input, in the same memory.</summary>
    [Fact]
    public void The_input_of_a_part_without_strings_may_be_memory_of_the_message()
    {
        byte[] input = [.. new Gpb.Packed { Int32Values = { 1, 2 } }.ToByteArray(), .. Convert.FromHexString("A20603070809")];
        using var message = Zoo.Rent();
        var zoo = message.Value;
        var expected = new Gpb.Zoo { Scalars = new() { BytesValue = ByteString.CopyFrom(input) }, Packed = new() };
        zoo.MutableScalars().SetBytesValue(input);
        for (var i = 0; i < 2_000; i++)
        {
            zoo.MutablePacked().MergeFrom(zoo.MutableScalars().BytesValue.Span);
            expected.Packed.MergeFrom(input);
        }

        // Other parts still keep their bytes.
        expected.Unpacked = new() { StringValues = { new string('x', 200) } };
        zoo.MutableUnpacked().MergeFrom(expected.Unpacked.ToByteArray());
        Assert.Equal(expected.ToByteArray(), message.ToByteArray());
    }
}
