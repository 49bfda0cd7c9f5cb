using Google.Protobuf;
using Google.Protobuf.Reflection;
using ProtoBench.Codec.Generator.Tests.Schemas;
using ProtoBench.Codec.WellKnownTypes;
using ProtoBench.SlabProtobuf;
using ProtoBench.SlabProtobuf.Masks;
using Google_ = Google.Protobuf.WellKnownTypes;

namespace ProtoBench.Codec.Tests;

/// <summary>Messages that are merged and trimmed by a mask, against Google's C# where it does the same, and against Google's rules
/// (<see cref="MaskMerge"/>).</summary>
public class FieldMaskMergeTests
{
    static readonly string[] strangers = ["", "unknown", "Text", "lineOfText", "kind", "*", "a b", "Stra\u00DFe"];

    [Theory]
    [InlineData(46_101)]
    public void Messages_are_merged_as_by_Google(int seed)
    {
        var random = new Random(seed);
        var wires = new WireGenerator(random);
        var (merges, asGoogle) = (0, 0);
        for (var i = 0; i < 3_000; i++)
        {
            // in the random bytes are unknown fields, too
            if (i % 3 > 0) Check<Gpb.Masks.Shelf, Shelf>(Filled(), Filled(), $"seed {seed}, merge {i}");
            else if (Parsed(Gpb.Zoo.Parser) is { } zoo && Parsed(Gpb.Zoo.Parser) is { } other) Check<Gpb.Zoo, Zoo>(zoo, other, $"seed {seed}, merge {i}");
        }

        Assert.True(merges > 2_000 && asGoogle > 500, $"{merges} merges, {asGoogle} as Google's C#");

        Gpb.Masks.Shelf Filled()
        {
            var shelf = new Gpb.Masks.Shelf();
            new RandomContent(random.Next()).Fill(shelf);
            return shelf;
        }

        TGoogle? Parsed<TGoogle>(MessageParser<TGoogle> parser)
            where TGoogle : class, IMessage<TGoogle>, new()
        {
            try
            {
                // twice, because the object may have a -0 without presence, which it does not write
                return parser.ParseFrom(parser.ParseFrom(wires.Message(new TGoogle().Descriptor, 0)).ToByteArray());
            }
            catch (InvalidProtocolBufferException)
            {
                return null;
            }
        }

        void Check<TGoogle, TSlab>(TGoogle source, TGoogle destination, string place)
            where TGoogle : class, IMessage<TGoogle>, new()
            where TSlab : struct, ISlabMessage<TSlab>
        {
            var paths = Paths(random, source.Descriptor);
            place += $", {string.Join(',', paths)}";
            var rules = new MaskMerge(paths) { ReplacesMessages = random.Next(2) == 0, ReplacesRepeated = random.Next(2) == 0 };
            using var mask = Mask(paths);
            using var from = Slab<TSlab>(source);
            using var to = Slab<TSlab>(destination);
            var options = rules is { ReplacesMessages: false, ReplacesRepeated: false } ? null : new FieldMaskMergeOptions
            {
                ReplaceMessageFields = rules.ReplacesMessages,
                ReplaceRepeatedFields = rules.ReplacesRepeated,
            };
            var merged = destination.Clone();
            rules.Merge(source.Clone(), merged);
            if (rules.IsSameInGooglesCSharp(source, destination))
            {
                var google = destination.Clone();
                new Google_.FieldMask { Paths = { paths } }.Merge(source.Clone(), google,
                    new() { ReplaceMessageFields = rules.ReplacesMessages, ReplaceRepeatedFields = rules.ReplacesRepeated });
                Assert.True(google.Equals(merged), $"{place}, Google's C#: {google}\n{merged}");
                asGoogle++;
            }

            Compare(() => mask.Value.Merge(from.Value, to.Value, options), merged, destination, to);
            Assert.True(source.Equals(Google(from)), place);
            merges++;

            var trimmed = new TGoogle();
            new MaskMerge(paths).Merge(source.Clone(), trimmed);
            Compare(() => mask.Value.Trim(from.Value), paths.Count == 0 ? source : trimmed, source, from);

            void Compare(Action call, TGoogle expected, TGoogle before, Message<TSlab> message)
            {
                if (MaskMerge.IsComplete(expected))
                {
                    call();
                }
                else
                {
                    Assert.Throws<InvalidOperationException>(call);
                    expected = before;
                }

                Assert.True(expected.Equals(Google(message)), $"{place}\n{expected}\n{Google(message)}");
                Assert.Equal(expected.CalculateSize(), message.CalculateSize());
            }

            TGoogle Google(Message<TSlab> message) => (TGoogle)source.Descriptor.Parser.ParseFrom(message.ToByteArray());
        }
    }

    [Fact]
    public void Parts_of_one_message_are_merged_and_a_message_into_itself()
    {
        using var message = Shelf.Rent();
        var shelf = message.Value;
        shelf.SetNumber(1);
        shelf.AddNumbers(1);
        shelf.MutableInner().SetNumber(2);
        shelf.MutableInner().MutableGrouped().AddNumbers(3);
        using var mask = Mask(["number", "numbers", "grouped"]);
        mask.Value.Merge(shelf.Inner, shelf);
        Assert.Equal(2, shelf.Number);
        Assert.Equal([1], shelf.Numbers.ToArray());
        Assert.Equal([3], shelf.Grouped.Numbers.ToArray());
        mask.Value.Merge(shelf, shelf.MutableInner().MutableInner());
        Assert.Equal([1], shelf.Inner.Inner.Numbers.ToArray());
        mask.Value.Merge(shelf, shelf);
        Assert.Equal([1, 1], shelf.Numbers.ToArray());
        Assert.Equal([3, 3], shelf.Grouped.Numbers.ToArray());
        mask.Value.Merge(shelf, shelf, new() { ReplaceRepeatedFields = true, ReplaceMessageFields = true });
        Assert.Equal([1, 1], shelf.Numbers.ToArray());
        Assert.Equal([3, 3], shelf.Grouped.Numbers.ToArray());
        mask.Value.Trim(shelf.Inner);
        Assert.False(shelf.Inner.HasInner);
        Assert.Equal(2, shelf.Inner.Number);
    }

    [Fact]
    public void A_closed_enum_keeps_what_it_does_not_define_with_its_field()
    {
        // color 9, colors 9 and 1, and by_number with a value of 9, as a newer sender writes them
        byte[] wire = [0x28, 9, 0x8A, 0x01, 2, 9, 1];
        using var from = Shelf.Rent();
        using var to = Shelf.Rent();
        using var mask = Mask(["color", "colors"]);
        from.Parse(wire);
        to.Value.SetColor(Color.Blue);
        to.Value.AddColors(Color.Blue);
        mask.Value.Merge(from.Value, to.Value);
        Assert.False(to.Value.HasColor);
        Assert.Equal([Color.Blue, Color.Red], to.Value.Colors.ToArray());
        var read = Gpb.Masks.Shelf.Parser.ParseFrom(to.ToByteArray());
        Assert.Equal(9, (int)read.Color);
        Assert.Contains((Gpb.Masks.Color)9, read.Colors);

        from.Value.Clear();
        mask.Value.Merge(from.Value, to.Value, new() { ReplaceRepeatedFields = true });
        Assert.Equal(0, to.CalculateSize());
    }

    [Fact]
    public void Unknown_fields_and_extensions_stay_and_are_trimmed()
    {
        using var from = Shelf.Rent();
        using var to = Shelf.Rent();
        using var mask = Mask(["number", "inner.text"]);
        to.Value.SetExtension(MasksExtensions.Note, "stays");
        to.Value.MutableInner().SetExtension(MasksExtensions.Note, "stays, too");
        to.Value.MergeFrom([0x3D, 1, 2, 3, 4]); // grouped, as four bytes
        from.Value.SetNumber(5);
        from.Value.SetExtension(MasksExtensions.Note, "is not copied");
        from.Value.MutableInner().SetExtension(MasksExtensions.Note, "is not copied");
        mask.Value.AddPaths("grouped");
        mask.Value.Merge(from.Value, to.Value, new() { ReplaceMessageFields = true });
        Assert.Equal("stays", to.Value.GetExtension(MasksExtensions.Note));
        Assert.Equal("stays, too", to.Value.Inner.GetExtension(MasksExtensions.Note));
        Assert.Contains("3D01020304", Convert.ToHexString(to.ToByteArray()), StringComparison.Ordinal);
        Assert.Equal(5, to.Value.Number);
        mask.Value.Trim(to.Value);
        Assert.Equal("1005" + "3200", Convert.ToHexString(to.ToByteArray()));
    }

    [Fact]
    public void What_would_lack_a_required_field_changes_nothing()
    {
        using var from = Shelf.Rent();
        using var to = Shelf.Rent();
        using var mask = Mask(["needy.name"]);
        to.Value.MutableNeedy().SetName("here");
        to.Value.Needy.SetOther("other");
        var before = to.ToByteArray();
        var refusal = Assert.Throws<InvalidOperationException>(() => mask.Value.Merge(from.Value, to.Value));
        Assert.IsType<WireFormatException>(refusal.InnerException);
        Assert.Equal(before, to.ToByteArray());
        mask.Value.Set("needy.other");
        Assert.Throws<InvalidOperationException>(() => mask.Value.Trim(to.Value));
        Assert.Equal(before, to.ToByteArray());

        // the destination's own is replaced by that of the source
        from.Value.MutableNeedy().SetName("new");
        mask.Value.Set("needy.name");
        mask.Value.Merge(from.Value, to.Value);
        Assert.Equal("new", to.Value.Needy.Name.ToString());
        Assert.Equal("other", to.Value.Needy.Other.ToString());
        from.Value.MutableNeedy().ClearName();
        Assert.Throws<InvalidOperationException>(() => mask.Value.Merge(from.Value, to.Value));
        Assert.Equal("new", to.Value.Needy.Name.ToString());
    }

    [Fact]
    public void Messages_that_were_released_and_views_of_nothing_are_refused()
    {
        using var from = Shelf.Rent();
        using var to = Shelf.Rent();
        using var mask = Mask(["number"]);
        from.Value.SetNumber(1);
        Assert.Throws<InvalidOperationException>(() => mask.Value.Merge(from.Value, to.Value.Inner));
        Assert.Throws<InvalidOperationException>(() => mask.Value.Trim(to.Value.Inner));

        // a message that is not set is read as an empty one
        to.Value.SetNumber(1);
        mask.Value.Merge(from.Value.Inner, to.Value);
        Assert.False(to.Value.HasNumber);
        using (var none = FieldMask.Rent())
        {
            to.Value.SetNumber(7);
            none.Value.Trim(to.Value);
            none.Value.Merge(from.Value, to.Value);
            Assert.Equal(7, to.Value.Number);
        }

        var (source, destination, paths) = (from.Value, to.Value, mask.Value);
        from.Clear();
        Assert.Throws<ObjectDisposedException>(() => paths.Merge(source, destination));
        source = from.Value;
        to.Dispose();
        Assert.Throws<ObjectDisposedException>(() => paths.Merge(source, destination));
        Assert.Throws<ObjectDisposedException>(() => paths.Trim(destination));
        mask.Dispose();
        Assert.Throws<ObjectDisposedException>(() => paths.Merge(source, source));
        Assert.Throws<ObjectDisposedException>(() => paths.Trim(source));
        using var all = Mask(["text"]);
        using var note = Note.Rent();
        Assert.Throws<NotSupportedException>(() => all.Value.Merge(note.Value, note.Value));
    }

    [Fact]
    public void A_mask_of_any_form_takes_time_in_proportion_to_its_length()
    {
        const int many = 100_000;
        using var from = Shelf.Rent();
        using var to = Shelf.Rent();
        from.Value.SetNumber(1);
        var inner = to.Value;
        for (var i = 0; i < ParseLimits.MaxDepth; i++) inner = i % 2 == 0 ? inner.MutableInner() : inner.MutableGrouped();
        inner.SetNumber(5);
        inner.SetText("stays");
        var chain = string.Join('.', Enumerable.Repeat("inner.grouped", ParseLimits.MaxDepth / 2));
        string[] masks =
        [
            new('.', many), string.Concat(Enumerable.Repeat("inner.", many)), string.Concat(Enumerable.Repeat("inner.grouped.", many / 2)) + "number",
            string.Join(',', Enumerable.Range(0, many)), string.Join(',', Enumerable.Repeat("inner.inner", many)),
            string.Join(',', Enumerable.Range(0, many / 10).Select(i => Steps(i) + "number")), $"{chain}.inner.text,{chain}.number",
        ];
        foreach (var paths in masks)
        {
            using var mask = FieldMask.Rent();
            mask.Value.Set(paths);
            Assert.False(mask.Value.IsValid<Shelf>() && paths.StartsWith('.'));
            mask.Value.Normalize();
            mask.Value.Union(mask.Value);
            mask.Value.Intersect(mask.Value);
            mask.Value.Merge(from.Value, to.Value);
        }

        // the last one has cleared the number in the deepest message
        inner = to.Value;
        for (var i = 0; i < ParseLimits.MaxDepth; i++) inner = i % 2 == 0 ? inner.Inner : inner.Grouped;
        Assert.False(inner.HasNumber);
        Assert.Equal("stays", inner.Text.ToString());

        // different ways through messages, so that no path covers another one
        static string Steps(int number) =>
            string.Concat(Enumerable.Range(0, 16).Select(bit => (number >> bit) % 2 == 0 ? "inner." : "grouped."));
    }

    [Fact]
    public void A_merge_and_a_trim_allocate_nothing_in_a_steady_state()
    {
        using var from = Shelf.Rent();
        using var to = Shelf.Rent();
        using var mask = Mask(["number", "inner.text", "grouped.limit", "numbers", "unknown"]);
        from.Value.SetNumber(3);
        from.Value.MutableInner().SetText(new string('x', 3_000));
        from.Value.MutableGrouped().SetLimit(5);
        for (var i = 0; i < 1_000; i++) from.Value.AddNumbers(i);
        var options = new FieldMaskMergeOptions { ReplaceRepeatedFields = true };
        Merge();
        Assert.Equal(0, AllocatedBytes.Of(Merge));
        Assert.Equal(1_000, to.Value.Numbers.Length);

        void Merge()
        {
            to.Clear();
            mask.Value.Merge(from.Value, to.Value, options);
            mask.Value.Trim(to.Value);
            Assert.True(mask.Value.Paths.Count == 5 && !mask.Value.IsValid<Shelf>());
        }
    }

    static List<string> Paths(Random random, MessageDescriptor type)
    {
        var paths = new List<string>();
        for (var count = random.Next(6); count > 0; count--)
        {
            var path = "";
            for (var message = type; ;)
            {
                var fields = message.Fields.InDeclarationOrder();
                var field = random.Next(25) == 0 ? null : fields[random.Next(fields.Count)];
                path += field?.Name ?? strangers[random.Next(strangers.Length)];
                var isWrapper = field is { FieldType: FieldType.Message } && field.MessageType.FullName.EndsWith("Value", StringComparison.Ordinal);
                if (random.Next(4) == 0 || isWrapper) break;
                if (field is not { FieldType: FieldType.Message or FieldType.Group, IsRepeated: false } && random.Next(8) > 0) break;
                path += '.';
                if (field is { FieldType: FieldType.Message or FieldType.Group }) message = field.MessageType;
            }

            paths.Add(path);
        }

        return paths;
    }

    static Message<FieldMask> Mask(IEnumerable<string> paths)
    {
        var mask = FieldMask.Rent();
        foreach (var path in paths) mask.Value.AddPaths(path);
        return mask;
    }

    static Message<TSlab> Slab<TSlab>(IMessage content)
        where TSlab : struct, ISlabMessage<TSlab>
    {
        var message = Message<TSlab>.Rent();
        message.Parse(content.ToByteArray());
        return message;
    }
}
