using System.Buffers;

namespace ProtoBench.Allocators;

public class SlabBufferWriterTests
{
    readonly SlabPool pool = SlabPool.Create(new() { SlabSize = 1024 });

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void What_was_written_is_read_back_in_order_across_slabs(bool diagnostic)
    {
        var checkedPool = diagnostic ? new DiagnosticSlabPool(pool) : pool;
        using var writer = new SlabBufferWriter(checkedPool);
        for (var message = 0; message < 3; message++)
        {
            const int seed = 20;
            var random = new Random(seed);
            var expected = new ArrayBufferWriter<byte>();
            for (var i = 0; i < 300; i++)
            {
                var chunk = new byte[random.Next(0, 90)];
                random.NextBytes(chunk);
                expected.Write(chunk);
                if (i % 2 == 0)
                {
                    chunk.CopyTo(writer.GetSpan(chunk.Length));
                    writer.Advance(chunk.Length);
                }
                else
                {
                    chunk.CopyTo(writer.GetMemory(chunk.Length));
                    writer.Advance(chunk.Length);
                }

                Assert.Equal(expected.WrittenCount, writer.WrittenCount);
            }

            var sequence = writer.GetWrittenSequence();
            Assert.False(sequence.IsSingleSegment);
            Assert.Equal(expected.WrittenSpan, sequence.ToArray());
            Assert.False(writer.TryGetWrittenMemory(out _));
            writer.Reset();
            Assert.Equal(0, writer.WrittenCount + writer.GetWrittenSequence().Length);
        }

        writer.Dispose();
        SlabPoolContract.AssertEmpty(checkedPool);
    }

    [Fact]
    public void What_fits_one_slab_is_one_run_without_a_copy()
    {
        using var writer = new SlabBufferWriter(pool);
        var span = writer.GetSpan();
        span[..1000].Fill(1);
        writer.Advance(1000);
        Assert.True(writer.TryGetWrittenMemory(out var written));
        Assert.True(written.Span.Overlaps(span) && written.Length == 1000);
        Assert.True(writer.GetWrittenSequence().IsSingleSegment);
        writer.GetSpan(24)[0] = 2;
        writer.Advance(24);
        Assert.True(writer.TryGetWrittenMemory(out _));
        writer.GetSpan(1);
        writer.Advance(1);
        Assert.False(writer.TryGetWrittenMemory(out _));
    }

    [Fact]
    public void A_large_hint_before_the_first_write_gives_one_large_run()
    {
        using var writer = new SlabBufferWriter(pool);
        writer.GetSpan(1);
        Assert.Equal(5120, writer.GetSpan(5000).Length);
        writer.Advance(5000);
        Assert.True(writer.TryGetWrittenMemory(out var written));
        Assert.Equal((5000, 1, 1), (written.Length, pool.Snapshot().LentSlabs, pool.Snapshot().OversizeRents));
        writer.Reset();
        Assert.Equal(0, pool.Snapshot().LentSlabs);
    }

    [Fact]
    public void Reset_keeps_the_first_slab_and_leaves_its_bytes()
    {
        using var writer = new SlabBufferWriter(pool);
        writer.Write(new byte[3000].AsSpan());
        writer.Reset();
        Assert.Equal((1, 0), (pool.Snapshot().LentSlabs, pool.Snapshot().LiveBytes));
        writer.GetSpan()[0] = 7;
        writer.Reset();
        Assert.Equal(7, writer.GetSpan()[0]);
    }

    [Fact]
    public void An_earlier_sequence_stays_right_when_writing_goes_on()
    {
        using var writer = new SlabBufferWriter(pool);
        writer.Write(Enumerable.Repeat((byte)1, 1500).ToArray());
        var earlier = writer.GetWrittenSequence();
        writer.Write(Enumerable.Repeat((byte)2, 5000).ToArray());
        Assert.Equal(6500, writer.GetWrittenSequence().Length);
        Assert.Equal(Enumerable.Repeat((byte)1, 1500), earlier.ToArray());

        // Its links let go of slabs that are somebody else's now.
        writer.Reset();
        Assert.ThrowsAny<ArgumentException>(() => earlier.ToArray());
    }

    [Fact]
    public void Bad_input_is_refused()
    {
        using var writer = new SlabBufferWriter(pool);
        Assert.Throws<ArgumentNullException>(() => new SlabBufferWriter(null!));
        Assert.Throws<ArgumentOutOfRangeException>(() => writer.GetSpan(-1).Length);
        Assert.Throws<ArgumentOutOfRangeException>(() => writer.GetMemory(int.MinValue));
        Assert.Throws<InvalidOperationException>(() => writer.Advance(1));
        var room = writer.GetSpan().Length;
        Assert.Throws<ArgumentOutOfRangeException>(() => writer.Advance(-1));
        Assert.Throws<InvalidOperationException>(() => writer.Advance(room + 1));
        writer.Advance(room);
        Assert.Equal(room, writer.WrittenCount);
        writer.Dispose();
        writer.Dispose();
        Assert.Throws<ObjectDisposedException>(() => writer.GetSpan().Length);
        Assert.Throws<ObjectDisposedException>(() => writer.GetMemory());
        Assert.Throws<ObjectDisposedException>(writer.Reset);
        Assert.Equal(0, writer.WrittenCount);
        SlabPoolContract.AssertEmpty(pool);
    }

    [Fact]
    public void A_write_that_the_cap_refuses_leaves_what_was_written()
    {
        using var capped = SlabPool.Create(new() { SlabSize = 1024, MaxBytes = 1024 });
        using var writer = new SlabBufferWriter(capped);
        writer.Write(new byte[1000].AsSpan());
        Assert.Throws<SlabPoolExhaustedException>(() => writer.GetSpan(100).Length);
        Assert.Equal((1000, 1000), (writer.WrittenCount, writer.GetWrittenSequence().Length));
    }

    [Fact]
    public void The_default_writer_uses_the_shared_pool()
    {
        using var writer = new SlabBufferWriter();
        Assert.Equal(SlabPoolOptions.DefaultSlabSize, writer.GetSpan().Length);
    }
}
