using System.Buffers;
using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using ProtoBench.Allocators;

namespace ProtoBench.Codec.Tests;

public class LifetimeTests
{
    static readonly byte[] wire = Convert.FromHexString("0A0568656C6C6F" + "12040A026869" + "1A03010203" + "22020708");

    static readonly string[] ends = ["dispose", "clear", "parse", "refused parse"];

    public static TheoryData<string, string> Endings => [.. from kind in Pools.Kinds from end in ends select (kind.Data, end)];

    [Theory]
    [MemberData(nameof(Endings))]
    public void A_view_throws_once_its_content_is_gone(string kind, string end)
    {
        using var pool = Pools.Create(kind);
        var message = Pools.Rent<Note>(pool);
        var note = message.Parse(wire);
        var (text, data, replies, reply) = (note.Text, note.Data, note.Replies, note.Replies[0]);
        var memory = data.Memory;
        var walk = replies.GetEnumerator();
        Assert.True(walk.MoveNext());
        End(message, end);

        // The next renter of the same memory, if it is recycled.
        using var next = Pools.Rent<Note>(pool);
        next.Parse(Convert.FromHexString("0A0661747461636B" + "12050A03626164" + "1A03090909" + "22020909"));

        Assert.Throws<ObjectDisposedException>(() => note.Text);
        Assert.Throws<ObjectDisposedException>(() => note.Data);
        Assert.Throws<ObjectDisposedException>(() => note.Replies);
        Assert.Throws<ObjectDisposedException>(() => note.Numbers.Length);
        Assert.Throws<ObjectDisposedException>(() => reply.Text);
        Assert.Throws<ObjectDisposedException>(() => replies[0].Text);
        Assert.Throws<ObjectDisposedException>(() => walk.Current.Text);
        Assert.Throws<ObjectDisposedException>(() => text.ToString());
        Assert.Throws<ObjectDisposedException>(() => text.Span.Length);
        Assert.Throws<ObjectDisposedException>(() => text.Equals("attack"));
        Assert.Throws<ObjectDisposedException>(() => text.GetHashCode());
        Assert.Throws<ObjectDisposedException>(() => data.ToArray());
        Assert.Throws<ObjectDisposedException>(() => data.Memory);
        Assert.Throws<ObjectDisposedException>(() => data == next.Value.Data);
        Assert.Throws<ObjectDisposedException>(() => memory.ToArray());
        Assert.Throws<ObjectDisposedException>(() => memory.Pin());
        Assert.Throws<ObjectDisposedException>(() => note.SetText("late"));
        Assert.Throws<ObjectDisposedException>(() => note.SetText("late"u8));
        Assert.Throws<ObjectDisposedException>(() => note.SetData([1]));
        Assert.Throws<ObjectDisposedException>(() => note.AddNumbers(1));
        Assert.Throws<ObjectDisposedException>(() => note.AddReplies());
        Assert.Throws<ObjectDisposedException>(() => reply.SetText("late"));
        Assert.Equal("attack", next.Value.Text.ToString());
        Assert.Equal([9, 9], next.Value.Numbers);
        message.Dispose();
    }

    [Theory]
    [MemberData(nameof(Pools.Kinds), MemberType = typeof(Pools))]
    public void A_released_handle_throws_and_leaves_the_next_renter_alone(string kind)
    {
        using var pool = Pools.Create(kind);
        var message = Pools.Rent<Note>(pool);
        var copy = message;
        message.Parse(wire);
        message.Dispose();
        using var next = Pools.Rent<Note>(pool);
        next.Value.SetText("mine");
        Assert.NotEqual(message, next);
        foreach (var late in new[] { message, copy, default })
        {
            late.Dispose();
            Assert.Throws<ObjectDisposedException>(() => late.Value);
            Assert.Throws<ObjectDisposedException>(() => late.CopiedFieldCount);
            Assert.Throws<ObjectDisposedException>(() => late.Parse(wire));
            Assert.Throws<ObjectDisposedException>(() => late.Parse(new MemoryStream(wire)));
            Assert.Throws<ObjectDisposedException>(() => late.Parse(new BufferedStream(new MemoryStream(wire))));
            Assert.Throws<ObjectDisposedException>(() => late.ParseAlias(wire));
            Assert.Throws<ObjectDisposedException>(() => late.Clear());
            Assert.Throws<ObjectDisposedException>(() => late.CalculateSize());
            Assert.Throws<ObjectDisposedException>(() => late.ToByteArray());
            Assert.Throws<ObjectDisposedException>(() => late.WriteTo(new byte[100]));
            Assert.Throws<ObjectDisposedException>(() => late.WriteTo(new MemoryStream()));
            Assert.Throws<ObjectDisposedException>(() => late.WriteDelimitedTo(new MemoryStream()));
            Assert.Throws<ObjectDisposedException>(() => late.WriteDelimitedTo(new ArrayBufferWriter<byte>()));
            Assert.True(late.WriteDelimitedToAsync(new MemoryStream()).AsTask().Exception is { InnerException: ObjectDisposedException });
            Assert.Throws<ObjectDisposedException>(() => late.TryParseDelimited(new MemoryStream(wire)));
            var input = new ReadOnlySequence<byte>(wire);
            Assert.Throws<ObjectDisposedException>(() => late.TryParseDelimited(ref input));
            var reading = late.TryParseDelimitedAsync(new MemoryStream(wire)).AsTask();
            Assert.True(reading.Exception is { InnerException: ObjectDisposedException });
            Assert.Throws<ObjectDisposedException>(() => late.WriteTo(new System.Buffers.ArrayBufferWriter<byte>()));
        }

        Assert.Equal("mine", next.Value.Text.ToString());
    }

    [Fact]
    public void One_of_many_disposers_releases_and_every_renter_is_alone()
    {
        // Every caller disposes twice, the second time on another thread and whenever it happens to run.
        var late = new ConcurrentQueue<Message<Note>>();
        var wrong = 0;
        Parallel.For(0, 20_000, new ParallelOptions { MaxDegreeOfParallelism = 8 }, i =>
        {
            var message = Note.Rent();
            var note = message.Value;
            note.SetText($"{i}");
            if (late.TryDequeue(out var other)) other.Dispose();
            note.AddNumbers(i);
            if (note.Text != $"{i}" || note.Numbers.Length != 1 || note.Numbers[0] != i || message.Value.Replies.Count != 0)
                Interlocked.Increment(ref wrong);
            message.Dispose();
            late.Enqueue(message);
        });
        Assert.Equal(0, wrong);
    }

    [Fact]
    public async Task A_reader_that_is_late_on_another_thread_reads_its_message_or_throws()
    {
        var published = new StrongBox<(Note Note, int Number)>();
        var (right, late) = (0, 0);
        using var stop = new CancellationTokenSource();
        var reader = Task.Run(() =>
        {
            while (!stop.IsCancellationRequested)
            {
                var box = Volatile.Read(ref published.Value);
                if (box is null) continue;
                try
                {
                    var (note, number) = box.Value;
                    var copy = (note.Text.ToString(), note.Data.ToArray(), note.Replies[0].Text.ToString());
                    Assert.Equal(($"number {number}", number, $"reply {number}"),
                        (copy.Item1, BitConverter.ToInt32(copy.Item2), copy.Item3));
                    right++;
                }
                catch (ObjectDisposedException)
                {
                    late++;
                }
            }
        });
        for (var i = 0; !reader.IsCompleted && (i < 20_000 || Volatile.Read(ref late) == 0 || Volatile.Read(ref right) == 0); i++)
        {
            using var message = Note.Rent();
            var note = message.Value;
            note.SetText($"number {i}");
            note.SetData(BitConverter.GetBytes(i));
            note.AddReplies().SetText($"reply {i}");
            Volatile.Write(ref published.Value, new((note, i)));
            if (i % 16 == 0) Thread.Yield();
        }

        await stop.CancelAsync();
        await reader;
        Assert.True(right > 0 && late > 0, $"{right} right, {late} late");
    }

    [Fact]
    public void A_stamp_that_could_repeat_is_never_reached()
    {
        using var pool = SlabPool.Create();
        using var message = Message<Note>.Rent(pool);
        var note = message.Parse(wire);
        var reply = note.Replies[0];
        Stamps.SetNearEnd(note);
        for (var i = 0; i < 8; i++)
        {
            var before = message.Parse(wire);
            Assert.Equal("hello", before.Text.ToString());
            Assert.Equal("hi", before.Replies[0].Text.ToString());
            message.Clear();
            Assert.Throws<ObjectDisposedException>(() => before.Text);
            Assert.Throws<ObjectDisposedException>(() => note.Text);
            Assert.Throws<ObjectDisposedException>(() => reply.Text);
        }

        Assert.InRange(Stamps.Of(message.Value), 0, (1 << 30) + 100);
    }

    static void End(Message<Note> message, string end)
    {
        switch (end)
        {
            case "dispose":
                message.Dispose();
                break;
            case "clear":
                message.Clear();
                break;
            case "parse":
                message.Parse(Convert.FromHexString("0A0777686174203F21" + "12040A02796F" + "1A03040506"));
                break;
            default:
                Assert.Throws<WireFormatException>(() => message.Parse([0x0A, 0x01, 0x61, 0x0A]));
                break;
        }
    }

    sealed class StrongBox<T>
        where T : struct
    {
        public System.Runtime.CompilerServices.StrongBox<T>? Value;
    }

    /// <summary>A handle is two words, and a view is two: a reader of a shared field may see the memory of one and the number of another,
    /// while a third party has the memory. Numbers of different memories are alike only by chance.</summary>
    [Fact]
    public void A_handle_or_a_view_of_two_halves_is_of_no_message()
    {
        using var live = Message<Note>.Rent(SlabPool.Shared);
        live.Value.SetText("secret");
        var view = live.Value;
        for (var i = 0; i < 100; i++)
        {
            // released as often as the live one was, and more often
            var stale = Message<Note>.Rent(SlabPool.Shared);
            for (var clears = 0; clears < i % 5; clears++) stale.Clear();
            var staleView = stale.Value;
            stale.Dispose();

            var torn = live;
            Second(ref torn) = Second(ref stale);
            Assert.Throws<ObjectDisposedException>(() => torn.Value);
            torn.Dispose();
            Assert.Equal("secret", live.Value.Text.ToString());

            var tornView = view;
            Second(ref tornView) = Second(ref staleView);
            Assert.Throws<ObjectDisposedException>(() => tornView.Text);
            Assert.Throws<ObjectDisposedException>(() => tornView.SetText("overwritten"));
        }

        static ref long Second<T>(ref T value)
            where T : struct
        {
            Assert.Equal(2 * sizeof(long), Unsafe.SizeOf<T>());
            return ref Unsafe.Add(ref Unsafe.As<T, long>(ref value), 1);
        }
    }
}
