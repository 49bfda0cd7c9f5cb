using System.Reflection;
using ProtoBench.Allocators;

namespace ProtoBench.Codec.Tests;

[Collection("alone")]
public class IdleMemoryTests
{
    const int large = 4 << 20;

    [Theory]
    [InlineData("pool")]
    [InlineData("messages")]
    public void Trimming_empties_idle_messages_of_every_thread(string what)
    {
        RecycledMessages.Trim();
        var before = RecycledMessages.KeptBytes;
        using var idle = new Barrier(5);
        var threads = Enumerable.Range(0, 4).Select(_ => new Thread(() =>
        {
            // Its spare waits in this thread, which does nothing more.
            using (var message = Note.Rent()) Fill(message.Value);
            idle.SignalAndWait();
            idle.SignalAndWait();
            using var again = Note.Rent();
            Assert.Equal(0, again.CalculateSize());
            again.Value.SetText("works");
            Assert.Equal("works", again.Value.Text.ToString());
        })).ToList();
        threads.ForEach(thread => thread.Start());
        idle.SignalAndWait();
        Assert.True(RecycledMessages.KeptBytes - before > 4 * large, $"{RecycledMessages.KeptBytes - before} bytes are kept");
        if (what == "pool") SlabPool.Shared.Trim();
        else Assert.True(RecycledMessages.Trim() > 4 * large);
        Assert.InRange(RecycledMessages.KeptBytes, 0, before + 100_000);
        idle.SignalAndWait();
        threads.ForEach(thread => thread.Join());
    }

    [Fact]
    public void Messages_that_nobody_released_and_that_were_collected_are_not_kept()
    {
        RecycledMessages.Trim();
        var before = RecycledMessages.KeptBytes;
        var thread = new Thread(Forget);
        thread.Start();
        thread.Join();
        for (var round = 0; RecycledMessages.KeptBytes > before + 100_000; round++)
        {
            Assert.True(round < 100, $"{RecycledMessages.KeptBytes} bytes are said to be kept");
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        static void Forget()
        {
            var messages = Enumerable.Range(0, 3).Select(_ => Note.Rent()).ToList();
            foreach (var message in messages)
            {
                Fill(message.Value);
                message.Dispose();
            }

            foreach (var _ in messages) Note.Rent();
            Assert.True(RecycledMessages.KeptBytes > large);
        }
    }

    [Theory]
    [InlineData(SlabPoolTrimReason.MemoryPressure, 1)]
    [InlineData(SlabPoolTrimReason.RetentionPeriodEnded, 2)]
    public void Idle_messages_are_emptied_with_the_shared_pools_slabs(SlabPoolTrimReason reason, int times)
    {
        // The shared pool's period is a minute, and its memory pressure the machine's: the event is raised by hand.
        var handler =
            typeof(RecycledMessages).GetMethod("OnTrimming",
                BindingFlags.Static | BindingFlags.NonPublic)!.CreateDelegate<EventHandler<SlabPoolTrimmingEventArgs>>();
        RecycledMessages.Trim();
        var before = RecycledMessages.KeptBytes;
        using (var message = Note.Rent()) Fill(message.Value);
        for (var time = 1; time < times; time++)
        {
            handler(null, new(reason));
            Assert.True(RecycledMessages.KeptBytes - before > large, "what was used in the period is emptied at its end");
        }

        handler(null, new(reason));
        Assert.InRange(RecycledMessages.KeptBytes, 0, before + 100_000);
    }

    [Fact]
    public void A_message_in_use_keeps_its_content_through_a_trim()
    {
        using var message = Note.Rent();
        Fill(message.Value);
        var expected = message.ToByteArray();
        RecycledMessages.Trim();
        SlabPool.Shared.Trim();
        Assert.Equal(expected, message.ToByteArray());
    }

    [Fact]
    public async Task Trimming_and_renting_at_once_never_meet()
    {
        using var stop = new CancellationTokenSource();
        var trimmer = Task.Run(() =>
        {
            while (!stop.IsCancellationRequested) RecycledMessages.Trim();
        });
        Parallel.For(0, 5_000, new ParallelOptions { MaxDegreeOfParallelism = 4 }, i =>
        {
            using var message = Note.Rent();
            message.Value.SetText($"{i}");
            message.Value.AddReplies().AddNumbers(i);
            Assert.Equal($"{i}", message.Value.Text.ToString());
            Assert.Equal([i], message.Value.Replies[0].Numbers);
        });
        await stop.CancelAsync();
        await trimmer;
    }

    [Fact]
    public void Nothing_is_kept_beyond_the_limit()
    {
        RecycledMessages.Trim();
        var limit = RecycledMessages.MaxBytes;
        Assert.Throws<ArgumentOutOfRangeException>(() => RecycledMessages.MaxBytes = -1);
        try
        {
            RecycledMessages.MaxBytes = RecycledMessages.KeptBytes + large;
            var messages = Enumerable.Range(0, 4).Select(_ => Note.Rent()).ToList();
            messages.ForEach(message => Fill(message.Value));
            messages.ForEach(message => message.Dispose());
            Assert.True(RecycledMessages.KeptBytes <= RecycledMessages.MaxBytes,
                $"{RecycledMessages.KeptBytes} of {RecycledMessages.MaxBytes} bytes are kept");
        }
        finally
        {
            RecycledMessages.MaxBytes = limit;
        }
    }

    [Fact]
    public void A_message_that_was_large_once_shrinks_with_use()
    {
        RecycledMessages.Trim();
        var before = RecycledMessages.KeptBytes;
        using (var message = Note.Rent()) Fill(message.Value);
        Assert.True(RecycledMessages.KeptBytes - before > large);
        for (var i = 0; i < 100; i++)
        {
            using var message = Note.Rent();
            message.Value.AddReplies().AddNumbers(1);
        }

        Assert.InRange(RecycledMessages.KeptBytes, 0, before + SlabPool.Shared.SlabSize + 100_000);
    }

    [Fact]
    public void Many_segments_once_do_not_keep_a_long_list()
    {
        RecycledMessages.Trim();
        var before = RecycledMessages.KeptBytes;
        var segments = Segments.Of(Enumerable.Repeat<ReadOnlyMemory<byte>>(new byte[] { 0x20, 1 }, 100_000));
        using (var message = Note.Rent()) message.ParseAlias(segments);
        var kept = RecycledMessages.KeptBytes - before;
        Assert.True(kept > large, $"{kept} bytes are kept");
        for (var i = 0; i < 200; i++)
        {
            using var message = Note.Rent();
            message.Parse([0x20, 1]);
        }

        Assert.InRange(RecycledMessages.KeptBytes, 0, before + SlabPool.Shared.SlabSize + 100_000);
    }

    [Fact]
    public void A_large_message_that_is_used_all_the_time_allocates_nothing()
    {
        byte[] wire;
        using (var message = Note.Rent())
        {
            Fill(message.Value);
            wire = message.ToByteArray();
        }

        for (var i = 0; i < 5; i++) Use();
        Assert.Equal(0, AllocatedBytes.Of(() =>
        {
            for (var i = 0; i < 100; i++) Use();
        }));

        void Use()
        {
            using var message = Note.Rent();
            message.Parse(wire);
        }
    }

    [Fact]
    public void Messages_inside_of_each_other_find_their_own_memory_again()
    {
        for (var i = 0; i < 3; i++) Use();
        Assert.Equal(0, AllocatedBytes.Of(() =>
        {
            for (var i = 0; i < 3; i++) Use();
        }));

        // So many small uses are enough for a message that was large once to shrink.
        static void Use()
        {
            using var outer = Note.Rent();
            for (var i = 0; i < 10_000; i++) outer.Value.AddNumbers(i);
            using var middle = Note.Rent();
            for (var i = 0; i < 5_000; i++) middle.Value.AddReplies();
            for (var i = 0; i < 200; i++)
            {
                using var inner = Note.Rent();
                inner.Value.AddNumbers(i);
            }
        }
    }

    static void Fill(Note note)
    {
        for (var i = 0; i < large / 4; i++) note.AddNumbers(i);
        for (var i = 0; i < 1000; i++) note.AddReplies();
    }
}

/// <summary>Tests that look at what the whole process keeps. Each subtracts what was kept before it, because messages that other tests did
/// not release count until they are garbage-collected.</summary>
[CollectionDefinition("alone", DisableParallelization = true)]
public class Alone;
