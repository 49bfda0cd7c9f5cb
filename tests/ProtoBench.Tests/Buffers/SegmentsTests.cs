using System.Buffers;
using ProtoBench.Buffers;

namespace ProtoBench.Tests.Buffers;

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
