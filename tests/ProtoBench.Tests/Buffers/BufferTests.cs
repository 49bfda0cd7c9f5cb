using System.Buffers;

namespace ProtoBench.Tests;

public class ChunkedStreamTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(4_095)]
    [InlineData(4_096)]
    [InlineData(4_097)]
    [InlineData(20_000)]
    public void What_is_written_is_read(int length)
    {
        var bytes = new byte[length];
        new Random(length).NextBytes(bytes);
        using var stream = new ChunkedStream(bytes);
        for (var round = 0; round < 2; round++)
        {
            var read = new byte[length];
            stream.Rewind().ReadExactly(read);
            Assert.Equal(bytes, read);
            Assert.Equal(-1, stream.ReadByte());
        }
    }

    [Fact]
    public void A_read_never_crosses_a_chunk()
    {
        using var stream = new ChunkedStream(new byte[10_000]);
        var buffer = new byte[10_000];
        Assert.Equal([4_096, 4_096, 1_808, 0],
            new[] { stream.Read(buffer), stream.Read(buffer), stream.Read(buffer), stream.Read(buffer) });
    }

    [Fact]
    public void Byte_by_byte_is_the_same()
    {
        var bytes = Enumerable.Range(0, 9_000).Select(i => (byte)i).ToArray();
        using var stream = new ChunkedStream();
        foreach (var b in bytes)
            stream.WriteByte(b);
        stream.Rewind();
        Assert.Equal(bytes, bytes.Select(_ => (byte)stream.ReadByte()).ToArray());
    }
}

public class PayloadPipeTests
{
    [Fact]
    public async Task A_read_holds_what_is_left_and_a_rewound_pipe_everything()
    {
        var pipe = new PayloadPipe(Segments.Of(new byte[] { 1, 2, 3, 4, 5 }, 2));
        Assert.True(pipe.TryRead(out var read));
        Assert.True(read.IsCompleted);
        Assert.Equal([1, 2, 3, 4, 5], read.Buffer.ToArray());
        pipe.AdvanceTo(read.Buffer.GetPosition(3));
        Assert.Equal([4, 5], (await pipe.ReadAsync(TestContext.Current.CancellationToken)).Buffer.ToArray());
        Assert.Equal(5, (await pipe.Rewind().ReadAsync(TestContext.Current.CancellationToken)).Buffer.Length);
    }

    [Fact]
    public void A_sink_gives_what_its_pipe_took_since_the_last_access()
    {
        var sink = new Sink();
        sink.PW.Write(new byte[] { 1, 2, 3 });
        var to = sink.PW;
        to.Write(new byte[10_000]);
        Assert.Equal(10_000, to.UnflushedBytes);
        Assert.Equal(new byte[10_000], sink.ToArray());
    }
}

public class SegmentsTests
{
    [Theory]
    [InlineData(0, 4_096, 1)]
    [InlineData(4_096, 4_096, 1)]
    [InlineData(4_097, 4_096, 2)]
    [InlineData(10, 1, 10)]
    public void A_sequence_holds_the_bytes_in_segments_of_the_size(int length, int size, int segments)
    {
        var bytes = Enumerable.Range(0, length).Select(i => (byte)i).ToArray();
        var sequence = Segments.Of(bytes, size);
        Assert.Equal(bytes, sequence.ToArray());
        var count = 0;
        foreach (var segment in sequence)
        {
            Assert.True(segment.Length <= size);
            count++;
        }

        Assert.Equal(segments, count);
    }
}

public class SinkTests
{
    [Fact]
    public void A_sink_is_empty_at_each_access()
    {
        var sink = new Sink();
        sink.BW.GetSpan(3)[0] = 7;
        sink.BW.Advance(1);
        Assert.Equal(0, sink.BW.WrittenCount);
        sink.MS.WriteByte(7);
        Assert.Equal(0, sink.MS.Length);
        sink.CS.WriteByte(7);
        Assert.Equal(0, sink.CS.Length);
    }

    [Fact]
    public void A_reused_sink_allocates_nothing()
    {
        var sink = new Sink();
        var payload = new byte[300_000];
        void Write()
        {
            sink.MS.Write(payload);
            sink.CS.Write(payload);
            payload.CopyTo(sink.BW.GetSpan(payload.Length));
        }

        Write();
        Assert.Equal(0, AllocatedBytes.Of(Write));
    }
}
