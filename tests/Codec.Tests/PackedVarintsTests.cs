using System.Runtime.InteropServices;
using ProtoBench.Codec.Generated;

namespace ProtoBench.Codec.Tests;

/// <summary>The input may change between the count and the read: there may be more or fewer numbers than there is room for.</summary>
public class PackedVarintsTests
{
    const int canaries = 16;

    [Fact]
    public void Numbers_of_32_bits_are_not_written_beyond_the_room() => Check<UInt32Kind, uint>(0xA5A5A5A5, value => (uint)value);

    [Fact]
    public void Signed_numbers_are_not_written_beyond_the_room() =>
        Check<SInt32Kind, int>(0x5A5A5A5A, value => (int)((uint)value >> 1) ^ -(int)(value & 1));

    [Fact]
    public void Numbers_of_64_bits_are_not_written_beyond_the_room() => Check<UInt64Kind, ulong>(0xA5A5A5A5A5A5A5A5, value => value);

    [Fact]
    public void Bools_are_not_written_beyond_the_room() => Check<BoolKind, byte, bool>(0xA5, value => value != 0 ? (byte)1 : (byte)0);

    static void Check<TKind, T>(T canary, Func<ulong, T> decode)
        where TKind : IPackedKind<T>
        where T : unmanaged => Check<TKind, T, T>(canary, decode);

    // TStored has the size of T, and each pattern of its bits is a value
    static void Check<TKind, TStored, T>(TStored canary, Func<ulong, TStored> decode)
        where TKind : IPackedKind<T>
        where TStored : unmanaged
        where T : unmanaged
    {
        const int seed = 39;
        var random = new Random(seed);
        foreach (var most in new[] { 1, 2, 5, 10 })
        {
            for (var count = 0; count < 220; count++)
            {
                var numbers = Enumerable.Range(0, count)
                    .Select(_ => (ulong)random.NextInt64(long.MinValue, long.MaxValue) >> random.Next(Math.Max(0, 64 - (7 * most)), 64))
                    .ToList();
                var bytes = numbers.SelectMany(Varint).ToArray();
                var few = Enumerable.Repeat(canary, bytes.Length + canaries).ToArray();
                var to = MemoryMarshal.Cast<TStored, T>(few.AsSpan(0, bytes.Length));
                var used = PackedVarints.ReadFew<TKind, T>(bytes, to, out var some);
                Assert.True(used == numbers.Take(some).Sum(number => Varint(number).Length), $"seed {seed}: {used} bytes of {count}");
                Assert.True(some == count || Varint(numbers[some]).Length > 8, $"seed {seed}: {some} of {count} varints");
                Assert.True(few.Take(some).SequenceEqual(numbers.Take(some).Select(decode)), $"seed {seed}: {count} varints");
                Assert.True(few.Skip(some).All(value => value.Equals(canary)), $"seed {seed}: {count} varints: written beyond the count");
                for (var room = Math.Max(0, count - 70); room <= count + 6; room++)
                {
                    var all = Enumerable.Repeat(canary, room + canaries).ToArray();
                    var read = PackedVarints.Read<TKind, T>(bytes, MemoryMarshal.Cast<TStored, T>(all.AsSpan(0, room)), out var found);
                    var place = $"seed {seed}: {count} varints of up to {most} bytes, room for {room}";
                    Assert.True(found <= Math.Min(room, count), place);
                    Assert.True(room < count || found == count, place);
                    Assert.True(read == numbers.Take(found).Sum(number => Varint(number).Length), place);
                    Assert.True(all.Take(found).SequenceEqual(numbers.Take(found).Select(decode)), place);
                    Assert.True(all.Skip(room).All(value => value.Equals(canary)), $"{place}: written beyond the room");
                }
            }
        }
    }

    static byte[] Varint(ulong value)
    {
        List<byte> bytes = [];
        for (; value >= 0x80; value >>= 7) bytes.Add((byte)(value | 0x80));
        bytes.Add((byte)value);
        return [.. bytes];
    }
}
