using ProtoBench.Buffers;

namespace ProtoBench.Tests.Buffers;

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
