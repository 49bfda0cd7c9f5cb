using System.Numerics;
using System.Reflection;
using ProtoBench.Codec.Generator.Tests.Schemas;
using ProtoBench.Codec.Runtime;
using ProtoBench.Codec.WellKnownTypes;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>A sender who knows the code chooses the keys of a map, and the values of messages that are hashed. He must not be able to
/// make them collide. The tests count steps, not time.</summary>
public class MapKeyTests
{
    const int entries = 20_000;

    // xxHash32, from which System.HashCode is made: https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md
    const uint prime3 = 3266489917;
    const uint prime4 = 668265263;

    static readonly (string Name, Func<uint, ulong> Key)[] families =
    [
        ("consecutive", i => i),
        ("halves that Int64.GetHashCode folds to 0", i => ((ulong)i << 32) | i),
        ("halves that Int64.GetHashCode folds to all ones", i => ((ulong)i << 32) | ~i),
        ("high half only", i => (ulong)i << 32),
        ("the low bits are equal", i => (ulong)i << 12),
        ("the low bits are equal, of 64", i => (ulong)i << 47),
        ("sums of low * 31 + high", i => Halves(i, unchecked(0 - (31 * i)))),
        ("steps of HashCode.Combine(low, high) that cancel each other out",
            i => Halves(unchecked(i * (1u << 15) * Inverse(prime3)), unchecked(0 - (i * prime4 * Inverse(prime3)))))
    ];

    [Fact]
    public void The_last_family_collides_in_HashCode()
    {
        // One process has one seed. The test shows that the family is real: it has few different hashes, whatever the seed.
        var keys = Enumerable.Range(0, entries).Select(i => families[^1].Key((uint)i)).ToList();
        Assert.InRange(keys.Select(key => HashCode.Combine((uint)key, (uint)(key >> 32))).Distinct().Count(), 1, 2);
        Assert.Equal(entries, keys.Distinct().Count());
    }

    [Fact]
    public void No_keys_make_a_search_long()
    {
        var count = typeof(MapKeyTests).GetMethod(nameof(Steps), BindingFlags.Static | BindingFlags.NonPublic)!
            .MakeGenericMethod(AllTypesAssembly.Slab("proto3")).CreateDelegate<Func<byte[], (int Entries, long Steps)>>();
        for (var index = 0; index < AllTypes.Scalars.Count; index++)
        {
            var (kind, wireType) = (AllTypes.Scalars[index].Name, AllTypes.Scalars[index].WireType);
            if (!AllTypes.IsKey(kind)) continue;
            foreach (var (name, key) in families)
            {
                var keys = Enumerable.Range(0, entries).Select(i => key((uint)i)).ToList();
                var map = Wire.Join(keys.Select(one => Wire.Delimited(AllTypes.Keys + index, Key(wireType, one))));
                var (found, steps) = count(map);

                // At a load of a half, a search of linear probing takes 0.5 steps beyond the first (Knuth, volume 3, 6.4).
                Assert.True(steps <= 2 * found, $"{kind}, {name}: {steps} steps for {found} entries");
                var different = keys.Select(one => Cut(kind, one)).Distinct().Count();
                Assert.Equal(different > 8 ? different : 0, found); // few entries are searched one by one, without a table
            }
        }
    }

    [Fact]
    public void No_contents_make_hashes_equal()
    {
        using var number = Int64Value.Rent();
        using var time = Timestamp.Rent();
        using var bytes = BytesValue.Rent();
        using var list = ListValue.Rent();
        list.Value.AddValues();
        AssertDifferent("a number", key =>
        {
            number.Value.SetValue((long)key);
            return number.Value.GetHashCode();
        });
        AssertDifferent("two numbers", key =>
        {
            time.Value.SetSeconds((uint)key);
            time.Value.SetNanos((int)(key >> 32));
            return time.Value.GetHashCode();
        });
        AssertDifferent("a message with bytes", key =>
        {
            bytes.Value.SetValue(BitConverter.GetBytes(key));
            return bytes.Value.GetHashCode();
        });
        AssertDifferent("bytes", key =>
        {
            bytes.Value.SetValue(BitConverter.GetBytes(key));
            return bytes.Value.Value.GetHashCode();
        });
        AssertDifferent("a list of messages", key =>
        {
            list.Value.Values[0].SetNumberValue(BitConverter.UInt64BitsToDouble(key));
            return list.Value.GetHashCode();
        });
    }

    [Fact]
    public void A_hash_depends_on_every_bit_of_the_key()
    {
        for (var bit = 0; bit < 64; bit++)
        {
            // A bit of the key adds a random number. A run of zeros in it leaves some bits of the hash as they are: 10 or more zeros leave
            // one for all of these keys, and 26 or more, which happens in one process of 30,000, leave 17.
            var changes = 0;
            for (var i = 0ul; i < 1_000; i++)
            {
                var key = i * 0x9E37_79B9_7F4A_7C15;
                changes |= MapKey.Hash(key) ^ MapKey.Hash(key ^ (1ul << bit));
            }

            Assert.InRange(BitOperations.PopCount((uint)changes), 16, 32);
        }
    }

    // A family that collides by construction has one or two hashes. Two contents have one hash with a probability of 2^-32, but those at
    // equal distances have it together: in 3 of 9,000 cases, 67 to 518 of 20,000 hashes were equal to an earlier one. So one family of a
    // process may have more than the 0.05 that are expected.
    static void AssertDifferent(string place, Func<ulong, int> hash)
    {
        var different = families
            .Select(family => Enumerable.Range(0, entries).Select(i => hash(family.Key((uint)i))).Distinct().Count()).ToList();
        Assert.True(different.Min() >= entries / 10 && different.Count(count => count < entries - 5) <= 1,
            $"{place}: hashes of {entries} contents: {string.Join(", ", families.Zip(different, (one, count) => $"{one.Name} {count}"))}");
    }

    static byte[] Key(int wireType, ulong key) => wireType switch
    {
        2 => Wire.Delimited(1, [.. BitConverter.GetBytes(key).SelectMany(b => new[] { (byte)('a' + (b & 15)), (byte)('a' + (b >> 4)) })]),
        5 => Wire.Field(1, 5, BitConverter.GetBytes((uint)key)),
        1 => Wire.Field(1, 1, BitConverter.GetBytes(key)),
        _ => Wire.Field(1, 0, Wire.Varint(key)),
    };

    /// <summary>Parses a map, and adds up by how many slots each key is behind the place of its hash.</summary>
    static (int Entries, long Steps) Steps<T>(byte[] wire)
        where T : struct, ISlabMessage<T>
    {
        using var message = Message<T>.Rent();
        message.Parse(wire);
        var core = Private(message, "core")!;
        var root = (Storage)core.GetType().GetField("Root")!.GetValue(core)!;
        var slots = (Array)Private(root.Memory, "slots")!;
        var (start, count) = ((int)Private(root.Memory, "slotsStart")!, (int)Private(root.Memory, "slotsCount")!);
        var (found, steps) = (0, 0L);
        for (var i = 0; i < count; i++)
        {
            var slot = slots.GetValue(start + i)!;
            if ((int)Property(slot, "Map") == 0) continue;
            found++;
            steps += (i - (int)Property(slot, "Hash")) & (count - 1);
        }

        return (found, steps);
    }

    static object? Private(object owner, string field) =>
        owner.GetType().GetField(field, BindingFlags.Instance | BindingFlags.NonPublic)!.GetValue(owner);

    static object Property(object owner, string name) => owner.GetType().GetProperty(name)!.GetValue(owner)!;

    static ulong Cut(string kind, ulong key) =>
        kind == "bool" ? Math.Min(key, 1) : kind.EndsWith("32", StringComparison.Ordinal) ? (uint)key : key;

    static ulong Halves(uint low, uint high) => ((ulong)high << 32) | low;

    static uint Inverse(uint odd)
    {
        var inverse = odd;
        for (var i = 0; i < 4; i++) inverse = unchecked(inverse * (2 - (odd * inverse)));
        return inverse;
    }
}
