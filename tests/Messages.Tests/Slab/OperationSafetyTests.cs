using ProtoBench.Codec;
using ProtoBench.Slab;

namespace ProtoBench.Messages.Tests.Slab;

/// <summary>The operations on whole messages, with views that are late or moved, and after a refusal.</summary>
public class OperationSafetyTests
{
    [Fact]
    public void An_operation_on_a_late_view_throws_and_shows_nothing_of_the_next_message()
    {
        var message = Animal.Rent();
        message.Value.SetName("mine");
        var late = message.Value;
        message.Dispose();
        using var next = Animal.Rent();
        next.Value.SetName("card 4111");
        using var target = Animal.Rent();
        target.Value.SetName("target");
        Assert.Throws<ObjectDisposedException>(() => target.Value.CopyFrom(late));
        Assert.Throws<ObjectDisposedException>(() => late.CopyFrom(target.Value));
        Assert.Throws<ObjectDisposedException>(() => late.Clear());
        Assert.Throws<ObjectDisposedException>(() => late.ToByteArray());
        Assert.Throws<ObjectDisposedException>(() => late.ToString());
        Assert.Throws<ObjectDisposedException>(() => late.GetHashCode());
        Assert.Throws<ObjectDisposedException>(() => late.Equals(target.Value));
        Assert.Throws<ObjectDisposedException>(() => target.Value.Equals(late));
        Assert.Throws<ObjectDisposedException>(() => late.RemoveYoungAt(0));
        Assert.Throws<ObjectDisposedException>(() => late.ClearName());
        Assert.Throws<ObjectDisposedException>(() => target.MergeFrom(message));
        Assert.Throws<ObjectDisposedException>(() => target.CopyFrom(message));
        Assert.Equal("target", target.Value.Name.ToString());
        Assert.Equal("card 4111", next.Value.Name.ToString());
    }

    [Fact]
    public void A_view_that_a_setter_moved_is_copied_written_and_printed_as_it_is_now()
    {
        using var message = Animal.Rent();
        var first = message.Value.AddYoung();
        first.AddYoung();
        message.Value.AddYoung();
        message.Value.AddYoung();
        first.SetName("moved");
        using var target = Animal.Rent();
        target.Value.CopyFrom(first);
        Assert.Equal("moved", target.Value.Name.ToString());
        Assert.Equal(1, target.Value.Young.Count);
        Assert.Equal(target.ToByteArray(), first.ToByteArray());
        Assert.Equal(target.Value.ToString(), first.ToString());
        Assert.Equal(target.Value, first);
        target.Value.MutableMother().CopyFrom(target.Value);
        Assert.Equal("moved", target.Value.Mother!.Value.Name.ToString());
        Assert.Null(target.Value.Mother.Value.Mother!.Value.Mother);
    }

    [Fact]
    public void What_is_added_after_a_refused_merge_is_empty()
    {
        using var message = Animal.Rent();
        for (var i = 0; i < 5; i++) message.Value.AddYoung().SetName($"{i}");

        // Two more, with names and a mother, and then something that is no message.
        Assert.Throws<WireFormatException>(() => message.MergeFrom(Convert.FromHexString("1A030A0178" + "1A050A01791200" + "1A050A017A12FF")));
        var count = message.Value.Young.Count;
        for (var i = 0; i < 5; i++)
        {
            var added = message.Value.AddYoung();
            Assert.Equal(("", false, 0), (added.Name.ToString(), added.Mother.HasValue, added.Young.Count));
        }

        message.MergeFrom(Convert.FromHexString("1A00" + "1A00"));
        Assert.Equal(count + 7, message.Value.Young.Count);
        for (var i = 0; i < count + 7; i++) Assert.Equal(i < 5 ? $"{i}" : "", message.Value.Young[i].Name.ToString());
    }

    [Fact]
    public void Messages_nested_too_deep_for_the_stack_are_refused_and_the_process_goes_on()
    {
        using var message = Animal.Rent();
        using var other = Animal.Rent();
        foreach (var root in new[] { message.Value, other.Value })
        {
            var animal = root;
            for (var i = 0; i < 20_000; i++) animal = animal.MutableMother();
        }

        // On a small stack, because an exception takes long to leave a deep one.
        List<Exception?> refusals = [];
        var thread = new Thread(
            () =>
            {
                refusals.Add(Record.Exception(() => message.Value.ToString()));
                refusals.Add(Record.Exception(() => message.Value.Equals(other.Value)));
            },
            maxStackSize: 256 * 1024);
        thread.Start();
        thread.Join();
        Assert.All(refusals, refusal => Assert.IsType<InsufficientExecutionStackException>(refusal));
        Assert.Equal(2, refusals.Count);
        Assert.Throws<InvalidOperationException>(() => message.Value.GetHashCode());
        Assert.Throws<InvalidOperationException>(() => message.ToByteArray());
        Assert.Throws<InvalidOperationException>(() => message.Value.ToByteArray());
        Assert.Throws<InvalidOperationException>(() => other.Value.CopyFrom(message.Value));
    }

    [Fact]
    public void A_map_is_looked_up_by_many_threads_and_late_lookups_throw()
    {
        var message = Zoo.Rent();
        var zoo = message.Value;
        for (var i = 0; i < 1_000; i++) zoo.SetVisitors($"visitor {i}", i);
        Parallel.For(0, 4_000, i =>
        {
            Assert.True(zoo.TryGetVisitors($"visitor {i % 1_000}", out var value));
            Assert.Equal(i % 1_000, value);
            Assert.False(zoo.TryGetVisitors("nobody", out _));
        });
        message.Dispose();
        using var next = Zoo.Rent();
        next.Value.SetVisitors("visitor 1", 4111);
        Assert.Throws<ObjectDisposedException>(() => zoo.TryGetVisitors("visitor 1", out _));
        Assert.Throws<ObjectDisposedException>(() => zoo.SetVisitors("visitor 1", 2));
        Assert.Throws<ObjectDisposedException>(() => zoo.RemoveVisitors("visitor 1"));
    }
}
