using System.Text;
using ProtoBench.Codec.WellKnownTypes;
using ProtoBench.SlabProtobuf.Masks;
using Google_ = Google.Protobuf.WellKnownTypes;

namespace ProtoBench.Codec.Tests;

/// <summary>Operations on the paths of masks, against Google's C#, whose results are sorted here: it has them in the order of a
/// dictionary.</summary>
public class FieldMaskTests
{
    static readonly string[] names = ["a", "b", "ab", "inner", "grouped", "number", "a-b", "\u00E9", "\U0001F418"];

    [Theory]
    [InlineData("")]
    [InlineData(",")]
    [InlineData("a")]
    [InlineData("a,b.c")]
    [InlineData(",a,,b,")]
    [InlineData("a, b ,a")]
    [InlineData("Stra\u00DFe.\U0001F418")]
    public void Paths_are_set_from_a_text_as_by_Google(string text)
    {
        using var mask = Mask("before");
        mask.Value.Set(text);
        Assert.Equal(Google_.FieldMask.FromString(text).Paths, Paths(mask));
    }

    [Fact]
    public void Paths_are_set_from_numbers_as_by_Google()
    {
        int[][] all = [[], [1], [6, 2, 2, 50000], [26, 25]];
        using var mask = Mask("before");
        foreach (var numbers in all)
        {
            mask.Value.SetFields<Shelf>(numbers);
            Assert.Equal(Google_.FieldMask.FromFieldNumbers<Gpb.Masks.Shelf>(numbers).Paths, Paths(mask));
        }

        mask.Value.SetFields<Shelf>(Shelf.LimitFieldNumber, Shelf.FarFieldNumber);
        Assert.Equal(["limit", "far"], Paths(mask));
    }

    [Fact]
    public void What_is_refused_leaves_the_mask_as_it_is()
    {
        using var mask = Mask("before");
        Assert.Throws<ArgumentNullException>(() => mask.Value.Set(null!));
        Assert.Contains("MaskPkg.Shelf", Assert.Throws<ArgumentException>(() => mask.Value.SetFields<Shelf>(1, 60000)).Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(() => mask.Value.SetFields<Shelf>(0));
        Assert.Throws<ArgumentNullException>(() => mask.Value.IsValid(null!));
        Assert.Equal(["before"], Paths(mask));
        var view = mask.Value;
        mask.Clear();
        Action[] calls = [() => view.Set("a"), () => view.SetFields<Shelf>(1), () => view.IsValid<Shelf>(), () => view.Normalize(),
            () => view.Union(view), () => mask.Value.Union(view), () => view.Intersect(view), () => mask.Value.Intersect(view)];
        foreach (var call in calls) Assert.Throws<ObjectDisposedException>(call);
    }

    [Theory]
    [InlineData("number", true)]
    [InlineData("numbers", true)]
    [InlineData("inner.inner.inner.text", true)]
    [InlineData("inner.numbers", true)]
    [InlineData("time.seconds", true)]
    [InlineData("count.value", true)]
    [InlineData("shelf.name", true)]
    [InlineData("written_text", true)]
    [InlineData("text_line", true)]
    [InlineData("lineOfText", false)]
    [InlineData("byNumber", false)]
    [InlineData("kind", false)]
    [InlineData("note", false)]
    [InlineData("*", false)]
    [InlineData("", false)]
    [InlineData(".", false)]
    [InlineData(".number", false)]
    [InlineData("inner.", false)]
    [InlineData("inner..text", false)]
    [InlineData("number.x", false)]
    [InlineData("shelves.text", false)]
    [InlineData("counts.key", false)]
    [InlineData("by_number.value", false)]
    [InlineData("number ", false)]
    [InlineData("Number", false)]
    public void Paths_are_valid_as_in_Google(string path, bool isValid)
    {
        Assert.Equal(isValid, Google_.FieldMask.IsValid<Gpb.Masks.Shelf>(path));
        using var mask = Mask("text", path);
        Assert.Equal(isValid, mask.Value.IsValid<Shelf>());
        Assert.Equal(isValid, mask.Value.IsValid(Shelf.Descriptor));
        using var none = FieldMask.Rent();
        Assert.True(none.Value.IsValid<Shelf>());
    }

    [Fact]
    public void A_path_can_go_through_a_group_as_in_Googles_Java_and_not_in_its_CSharp()
    {
        using var mask = Mask("grouped.text");
        Assert.True(mask.Value.IsValid<Shelf>());
        Assert.False(Google_.FieldMask.IsValid<Gpb.Masks.Shelf>("grouped.text"));
        mask.Value.Set("groups.text");
        Assert.False(mask.Value.IsValid<Shelf>());
    }

    [Theory]
    [InlineData(46_001)]
    public void Normal_forms_unions_and_intersections_are_those_of_Google(int seed)
    {
        var random = new Random(seed);
        for (var i = 0; i < 3_000; i++)
        {
            var (one, other) = (Draw(), Draw());
            var place = $"seed {seed}, mask {i}: {string.Join(',', one)} and {string.Join(',', other)}";
            var (google, second) = (new Google_.FieldMask { Paths = { one } }, new Google_.FieldMask { Paths = { other } });
            using var mask = Mask(one);
            using var others = Mask(other);
            mask.Value.Normalize();
            Same(google.Normalize());
            using (var both = Mask(one))
            {
                both.Value.Union(others.Value);
                mask.Value.CopyFrom(both.Value);
                Same(google.Union(second));
                mask.Value.Union(mask.Value);
                Same(google.Union(second));
                mask.Value.Intersect(mask.Value);
                Same(google.Union(second));
            }

            using (var both = Mask(one))
            {
                both.Value.Intersect(others.Value);
                mask.Value.CopyFrom(both.Value);
                Same(google.Intersection(second));
            }

            Assert.Equal(other, Paths(others));

            void Same(Google_.FieldMask expected) => Assert.True(Sorted(expected).SequenceEqual(Paths(mask)), $"{place}: {mask.Value}");
        }

        string[] Draw() => [.. Enumerable.Range(0, random.Next(8))
            .Select(_ => string.Join('.', Enumerable.Range(0, random.Next(1, 5)).Select(_ => names[random.Next(names.Length)])))];
    }

    [Fact]
    public void Paths_are_sorted_by_the_names_in_them()
    {
        using var mask = Mask("a_b", "a.b", "b", "a-b", "a0", "a.a.z", "a.a.c", "a.b.c", "", "b");
        mask.Value.Normalize();
        Assert.Equal(["", "a.a.c", "a.a.z", "a.b", "a-b", "a0", "a_b", "b"], Paths(mask));
    }

    [Fact]
    public void Validity_allocates_nothing_and_the_others_little()
    {
        const int few = 1_000;
        using var mask = Mask([.. Enumerable.Range(0, 1_000).Select(i => $"inner.text{i}")]);
        using var other = Mask("text", "inner.grouped.numbers");
        Run();
        Assert.True(AllocatedBytes.Of(Run) < few);
        Assert.Equal(0, AllocatedBytes.Of(() => Assert.True(other.Value.IsValid<Shelf>())));

        void Run()
        {
            using var copy = FieldMask.Rent();
            copy.Value.CopyFrom(mask.Value);
            copy.Value.Union(other.Value);
            copy.Value.Intersect(mask.Value);
            copy.Value.Normalize();
            copy.Value.Set("text,numbers");
            copy.Value.SetFields<Shelf>(1, 2, 3);
        }
    }

    static IEnumerable<string> Sorted(Google_.FieldMask mask) =>
        mask.Paths.Order(Comparer<string>.Create((one, other) =>
        {
            var (own, others) = (one.Split('.'), other.Split('.'));
            for (var i = 0; i < Math.Min(own.Length, others.Length); i++)
            {
                // the order of UTF-8, which is not that of .NET's characters
                var order = Encoding.UTF8.GetBytes(own[i]).AsSpan().SequenceCompareTo(Encoding.UTF8.GetBytes(others[i]));
                if (order != 0) return order;
            }

            return own.Length.CompareTo(others.Length);
        }));

    static Message<FieldMask> Mask(params IEnumerable<string> paths)
    {
        var mask = FieldMask.Rent();
        foreach (var path in paths) mask.Value.AddPaths(path);
        return mask;
    }

    static IEnumerable<string> Paths(Message<FieldMask> mask) => mask.Value.Paths.Select(path => path.ToString());
}
