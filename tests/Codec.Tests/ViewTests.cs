using ProtoBench.Codec.Runtime;

namespace ProtoBench.Codec.Tests;

public class ViewTests
{
    const string secret = "card 4111 1111 1111 1111";

    [Fact]
    public void Nothing_that_a_view_prints_is_another_messages()
    {
        for (var i = 0; i < 3; i++)
        {
            using var message = Note.Rent();
            var note = message.Value;
            note.SetText(secret);
            note.AddReplies().SetText(secret);
            note.AddReplies().SetData("4111"u8);
        }

        using var next = Note.Rent();
        next.Value.SetText("trace");
        next.Value.SetData([4, 1, 1, 1]);
        var printed = $"{next} {next.Value} {next.Value.Replies} {next.Value.Replies.GetEnumerator()} {next.Value.Text} {next.Value.Data}";
        Assert.DoesNotContain("4111", printed, StringComparison.Ordinal);
        Assert.Contains("trace", printed, StringComparison.Ordinal);
        using var fresh = Message<Note>.Rent(Allocators.SlabPool.Shared);
        Assert.NotNull($"{fresh.Value} {fresh.Value.Replies}");
    }

    [Fact]
    public void Nothing_is_seen_beyond_a_list()
    {
        for (var i = 0; i < 3; i++)
        {
            using var message = Note.Rent();
            for (var k = 0; k < 100; k++) message.Value.AddReplies().SetText(secret);
            for (var k = 0; k < 100; k++) message.Value.AddNumbers(4111);
        }

        using var next = Note.Rent();
        var note = next.Value;
        note.AddNumbers(1);
        for (var k = 0; k < 3; k++) note.AddReplies();
        for (var index = -5; index < 300; index++) AssertOwn(note, index);
        for (var index = -5; index < 300; index++) AssertOwn(note.Replies[0], index);

        static void AssertOwn(Note note, int index)
        {
            var beyond = At(note, index);
            Assert.Equal(0, OrNone(() => beyond.Text.Length));
            Assert.InRange(OrNone(() => beyond.Data.Length), 0, 1);
            Assert.InRange(OrNone(() => beyond.Numbers.Length), 0, 1);
            Assert.InRange(OrNone(() => beyond.Replies.Count), 0, 3);
        }

        static int OrNone(Func<int> read)
        {
            try
            {
                return read();
            }
            catch (ObjectDisposedException)
            {
                return 0;
            }
        }

        static T At<T>(T view, int index)
            where T : struct, IListElement<T> => view.At(index);
    }

    [Fact]
    public void An_enumerator_has_no_element_before_and_after_its_walk()
    {
        using var message = Note.Rent();
        foreach (var count in new[] { 0, 2 })
        {
            for (var i = 0; i < count; i++) message.Value.AddReplies();
            var walk = message.Value.Replies.GetEnumerator();
            Assert.Throws<InvalidOperationException>(() => walk.Current);
            for (var i = 0; i < count; i++)
            {
                Assert.True(walk.MoveNext());
                Assert.Equal("", walk.Current.Text.ToString());
            }

            for (var i = 0; i < 3; i++)
            {
                Assert.False(walk.MoveNext());
                Assert.Throws<InvalidOperationException>(() => walk.Current);
            }
        }
    }

    [Theory]
    [InlineData("", "")]
    [InlineData("same", "same")]
    [InlineData("one", "two")]
    [InlineData("one", "oneone")]
    [InlineData("\u00e9\ud83d\ude00", "\u00e9\ud83d\ude00")]
    public void Strings_and_bytes_are_equal_by_content(string one, string other)
    {
        using var first = Note.Rent();
        using var second = Note.Rent();
        first.Value.SetText(one);
        first.Value.SetData(System.Text.Encoding.UTF8.GetBytes(one));
        second.Value.SetText("shifts the addresses");
        second.Value.SetText(other);
        second.Value.SetData(System.Text.Encoding.UTF8.GetBytes(other));
        var (left, right) = (first.Value.Text, second.Value.Text);
        var same = one == other;
        Assert.Equal(same, left == right);
        Assert.Equal(!same, left != right);
        Assert.Equal(same, left.Equals((object)right));
        Assert.Equal(same, left == other);
        Assert.Equal(same, one == right);
        Assert.Equal(!same, left != other);
        Assert.Equal(!same, one != right);
        Assert.Equal(same, first.Value.Data == second.Value.Data);
        Assert.Equal(!same, first.Value.Data != second.Value.Data);
        Assert.False(left == null);
        var utf8 = System.Text.Encoding.UTF8.GetBytes(other);
        Assert.Equal((same, same, !same, !same), (left == utf8, utf8 == left, left != utf8, utf8 != left));
        Assert.Equal((same, same, !same, !same),
            (first.Value.Data == utf8, utf8 == first.Value.Data, first.Value.Data != utf8, utf8 != first.Value.Data));
        if (same) Assert.Equal((left.GetHashCode(), first.Value.Data.GetHashCode()),
            (right.GetHashCode(), second.Value.Data.GetHashCode()));
    }

    [Fact]
    public void The_default_string_and_bytes_are_empty()
    {
        Assert.Equal("", default(Utf8String).ToString());
        Assert.True(default(Utf8String) == "");
        Assert.True(default(Bytes) == default);
        Assert.Equal(0,
            default(Bytes).Span.Length + default(Bytes).Memory.Length + default(Bytes).ToArray().Length
                + default(Bytes).GetHashCode() - default(Bytes).GetHashCode());
        Assert.Empty(new int[default(Utf8StringList).Count + default(BytesList).Count + default(MessageList<Note>).Count]);
    }

    [Fact]
    public void Memory_is_the_content_and_does_not_give_the_array_away()
    {
        using var message = Note.Rent();
        message.Value.SetData([1, 2, 3]);
        var memory = message.Value.Data.Memory;
        Assert.Equal([1, 2, 3], memory.ToArray());
        Assert.False(System.Runtime.InteropServices.MemoryMarshal.TryGetArray(memory, out _));
        message.Value.SetText(new string('x', 10_000));
        message.Value.SetData([4, 5, 6]);
        Assert.Equal([1, 2, 3], memory.ToArray());
        Assert.Equal([4, 5, 6], message.Value.Data.Memory.ToArray());
        using (memory.Pin()) Assert.Equal(3, memory.Length);
        byte[] aliased = [0x1A, 2, 8, 9];
        Assert.Equal([8, 9], message.ParseAlias(aliased).Data.Memory.ToArray());
    }

    [Fact]
    public void A_view_that_a_setter_moved_shows_and_changes_its_message()
    {
        using var message = Note.Rent();
        var root = message.Value;
        var first = root.AddReplies();
        var inner = first.AddReplies();
        var second = root.AddReplies();
        first.SetText("first");
        inner.SetText("inner");
        var third = root.AddReplies();
        inner.AddReplies().SetText("deep");
        second.AddNumbers(2);
        third.AddNumbers(3);
        first.AddNumbers(1);
        Assert.Equal(["first", "", ""], [root.Replies[0].Text.ToString(), second.Text.ToString(), third.Text.ToString()]);
        Assert.Equal([1], root.Replies[0].Numbers);
        Assert.Equal([2], root.Replies[1].Numbers);
        Assert.Equal([3], root.Replies[2].Numbers);
        Assert.Equal("inner", root.Replies[0].Replies[0].Text.ToString());
        Assert.Equal("deep", inner.Replies[0].Text.ToString());
        Assert.Equal("deep", first.Replies[0].Replies[0].Text.ToString());
    }
}
