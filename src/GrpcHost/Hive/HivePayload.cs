using System.Buffers.Binary;
using System.Numerics;
using System.Security.Cryptography;

namespace ProtoBench.GrpcHost;

/// <summary>The payload of a call: the encoded request, and the expected reply.</summary>
sealed class HivePayload
{
    readonly ulong[] keys;

    HivePayload(string name, byte[] request, byte[] readyResponse, int items)
    {
        (Name, Request, ReadyResponse) = (name, request, readyResponse);
        keys = [.. Enumerable.Range(0, items).Select(i => HiveAnswer.Key(i.ToString()))];
        Sha256 = Convert.ToHexStringLower(SHA256.HashData(request));
    }

    /// <summary>The name: "hive", one of <see cref="SmallOnes"/>, or "empty" for messages without fields.</summary>
    public string Name { get; }

    public byte[] Request { get; }

    /// <summary>The response of the raw codec's service, which has the size of a real response.</summary>
    public byte[] ReadyResponse { get; }

    public int Items => keys.Length;

    public string Sha256 { get; }

    /// <summary>Creates the hive with this number of items. The published measurement has <see cref="Payloads.Hive.Items"/>.</summary>
    public static HivePayload Hive(int items) => new("hive", Payloads.Hive.Request(items), Payloads.Hive.Response(items), items);

    /// <summary>The names of small requests, and their numbers of sub-items of 71 bytes. Their roots have no context.</summary>
    public static IReadOnlyDictionary<string, int> SmallOnes { get; } = new Dictionary<string, int>
    {
        ["200B"] = 3,
        ["1KB"] = 14,
        ["5KB"] = 70,
    };

    /// <param name="name">One of <see cref="SmallOnes"/>.</param>
    public static HivePayload Small(string name)
    {
        const int leafBytes = 64;
        var items = SmallOnes[name];
        return new(name, Payloads.Hive.Shape(items, leafBytes), Payloads.Hive.Response(items), items);
    }

    /// <summary>Creates empty messages, to measure the cost of a call itself.</summary>
    public static HivePayload Empty() => new("empty", [], [], 0);

    public bool IsRight(int item, float result, ReadOnlySpan<byte> extra)
    {
        Span<byte> expected = stackalloc byte[HiveAnswer.ExtraBytes];
        HiveAnswer.Extra(keys[item], expected);
        return result == HiveAnswer.Result(keys[item]) && extra.SequenceEqual(expected);
    }
}

/// <summary>The answer to an item: a float and 32 bytes, computed from its id so that a client can verify a reply.</summary>
static class HiveAnswer
{
    public const int ExtraBytes = 32;

    // an odd number with well distributed bits: 2^64 divided by the golden ratio
    const ulong spread = 0x9E37_79B9_7F4A_7C15;

    /// <summary>An id of up to 8 bytes is these bytes over all bits: cheap, so that the handler is a small part of a call.</summary>
    public static ulong Key(ReadOnlySpan<byte> id)
    {
        var key = 1UL;
        foreach (var b in id)
            key = BitOperations.RotateLeft(key, 8) ^ b;
        return key * spread;
    }

    /// <summary>Computes the same number from an ASCII id, as those of the hive are.</summary>
    public static ulong Key(ReadOnlySpan<char> id)
    {
        var key = 1UL;
        foreach (var c in id)
            key = BitOperations.RotateLeft(key, 8) ^ (byte)c;
        return key * spread;
    }

    /// <summary>Returns a float that is exact and never 0, because proto3 does not write 0.</summary>
    public static float Result(ulong key) => (key >> 40) + 1;

    public static void Extra(ulong key, Span<byte> target)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(target, key);
        BinaryPrimitives.WriteUInt64LittleEndian(target[8..], key + spread);
        BinaryPrimitives.WriteUInt64LittleEndian(target[16..], key ^ spread);
        BinaryPrimitives.WriteUInt64LittleEndian(target[24..], ~key);
    }
}
