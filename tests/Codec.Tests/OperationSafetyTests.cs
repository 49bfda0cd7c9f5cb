using ProtoBench.SlabProtobuf;

namespace ProtoBench.Codec.Tests;

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
        Assert.Equal("moved", target.Value.Mother.Name.ToString());
        Assert.False(target.Value.Mother.Mother.HasMother);
    }

    [Fact]
    public void What_is_added_after_a_refused_merge_is_empty()
    {
        using var message = Animal.Rent();
        for (var i = 0; i < 5; i++) message.Value.AddYoung().SetName($"{i}");

        // Two more, with names and a mother, and then something that is no message.
        Assert.Throws<WireFormatException>(() =>
            message.MergeFrom(Convert.FromHexString("1A030A0178" + "1A050A01791200" + "1A050A017A12FF")));
        var count = message.Value.Young.Count;
        for (var i = 0; i < 5; i++)
        {
            var added = message.Value.AddYoung();
            Assert.Equal(("", false, 0), (added.Name.ToString(), added.HasMother, added.Young.Count));
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
                refusals.Add(Record.Exception(() => message.Value.GetHashCode()));
            },
            maxStackSize: 256 * 1024);
        thread.Start();
        thread.Join();
        Assert.All(refusals, refusal => Assert.IsType<InsufficientExecutionStackException>(refusal));
        Assert.Equal(3, refusals.Count);
        Assert.Throws<InvalidOperationException>(() => message.ToByteArray());
        Assert.Throws<InvalidOperationException>(() => message.Value.ToByteArray());
        Assert.Throws<InvalidOperationException>(() => other.Value.CopyFrom(message.Value));
    }

    [Theory]
    [InlineData(2)]
    [InlineData(40)]
    public async Task An_operation_that_is_late_on_another_thread_is_right_or_throws(int visitors)
    {
        var box = new object[1];
        var (right, late) = (0, 0);
        using var stop = new CancellationTokenSource();
        var reader = Task.Run(() =>
        {
            for (var turn = 0; !stop.IsCancellationRequested; turn++)
            {
                if (Volatile.Read(ref box[0]) is not (Zoo zoo, int number)) continue;
                try
                {
                    if (turn % 4 == 0)
                    {
                        Assert.True(zoo.TryGetVisitors($"visitor {visitors - 1} of {number}", out var visits));
                        Assert.Equal(number, visits);
                    }
                    else if (turn % 4 == 1)
                    {
                        Assert.Contains($"visitor 1 of {number}\"", zoo.ToString(), StringComparison.Ordinal);
                    }
                    else if (turn % 4 == 2)
                    {
                        Assert.True(zoo.Equals(zoo));
                    }
                    else
                    {
                        Assert.Equal(visitors, zoo.Visitors.Count);
                    }

                    right++;
                }
                catch (ObjectDisposedException)
                {
                    late++;
                }
            }
        });
        for (var i = 0; !reader.IsCompleted && (i < 10_000 || Volatile.Read(ref late) < 100 || Volatile.Read(ref right) < 100); i++)
        {
            using var message = Zoo.Rent();
            var zoo = message.Value;

            // In one block or in many, so that every way to the bytes is taken.
            if (i % 2 == 0) zoo = message.ParseAlias(Segments.Cut(new byte[] { 0x4A, 0, 0x4A, 0, 0x4A, 0, 0x4A, 0 }, [2, 4, 6]));
            for (var k = 0; k < visitors; k++) zoo.SetVisitors($"visitor {k} of {i}", i);
            Volatile.Write(ref box[0], (zoo, i));
            if (i % 16 == 0) Thread.Yield();
        }

        await stop.CancelAsync();
        await reader;
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
