using ProtoBench.Codec.Runtime;

namespace ProtoBench.Codec.Tests;

public class ByteCopyTests
{
    // The target is at these distances from the source modulo 4,096: long copies at 1 to 15 take another path.
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(5)]
    [InlineData(15)]
    [InlineData(16)]
    [InlineData(4_095)]
    public void Copies_all_bytes_and_no_other_at_each_distance(int distance)
    {
        const int apart = 32_768; // a multiple of 4,096
        foreach (var length in new[] { 0, 1, 63, 64, 65, 127, 128, 129, 160, 3_072, 3_073, 4_096, 4_097, 10_000 })
        {
            var memory = new byte[2 * apart];
            new Random(length).NextBytes(memory);
            var expected = memory.ToArray();
            Array.Copy(expected, 0, expected, apart + distance, length);
            ByteCopy.Copy(memory.AsSpan(0, length), ref memory[apart + distance]);
            Assert.True(expected.AsSpan().SequenceEqual(memory), $"{length} bytes");
        }
    }

    [Fact]
    public void Copies_to_a_place_that_overlaps_in_the_last_byte()
    {
        foreach (var length in new[] { 64, 128, 200 })
        {
            var memory = new byte[2 * length];
            new Random(length).NextBytes(memory);
            var expected = memory.ToArray();
            Array.Copy(expected, 0, expected, length - 1, length);
            ByteCopy.Copy(memory.AsSpan(0, length), ref memory[length - 1]);
            Assert.True(expected.AsSpan().SequenceEqual(memory), $"{length} bytes");
        }
    }

    // A loop that copies forwards reads its last bytes again, which it may have overwritten.
    [Theory]
    [InlineData(-2)]
    [InlineData(-31)]
    [InlineData(-130)]
    [InlineData(2)]
    [InlineData(130)]
    public void Copies_to_a_place_that_overlaps(int distance)
    {
        foreach (var length in new[] { 64, 127, 200, 3_072, 5_000 })
        {
            var memory = new byte[6_000];
            new Random(length).NextBytes(memory);
            var expected = memory.ToArray();
            Array.Copy(expected, 200, expected, 200 + distance, length);
            ByteCopy.Copy(memory.AsSpan(200, length), ref memory[200 + distance]);
            Assert.True(expected.AsSpan().SequenceEqual(memory), $"{length} bytes");
        }
    }
}
