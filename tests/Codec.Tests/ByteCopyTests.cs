using ProtoBench.Codec.Generated;

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
}
