using System.Runtime.InteropServices;
using ProtoBench.Codec.Runtime;

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
                foreach (var before in new[] { 0, 3, 8 })
                {
                    // what is before and after the list must not be read as a part of it
                    var placed = (byte[])[.. Enumerable.Repeat((byte)0xFF, before), .. bytes, 0x01];
                    var few = Enumerable.Repeat(canary, bytes.Length + canaries).ToArray();
                    ref var to = ref MemoryMarshal.GetReference(MemoryMarshal.Cast<TStored, T>(few));
                    var end = before + bytes.Length;
                    var used = PackedVarints.ReadFew<TKind, T>(ref placed[0], before, end, ref to, out var some) - before;
                    var place = $"seed {seed}: {used} bytes, {some} of {count} varints of up to {most} bytes after {before} bytes";
                    Assert.True(used == numbers.Take(some).Sum(number => Varint(number).Length), place);
                    Assert.True(some == count || Varint(numbers[some]).Length > (end < sizeof(ulong) ? 1 : 8), place);
                    Assert.True(few.Take(some).SequenceEqual(numbers.Take(some).Select(decode)), place);
                    Assert.True(few.Skip(some).All(value => value.Equals(canary)), $"{place}: written beyond the count");
                    if (some == 0) continue;

                    // without its last byte, the last varint is incomplete, or is none
                    PackedVarints.ReadFew<TKind, T>(ref placed[0], before, end - 1, ref to, out var fewer);
                    Assert.True(fewer == Math.Min(some, count - 1) || end - 1 < sizeof(ulong), place);
                }

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
