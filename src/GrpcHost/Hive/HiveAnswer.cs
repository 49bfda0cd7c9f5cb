using System.Buffers.Binary;

namespace ProtoBench.GrpcHost.Hive;

/// <summary>What the service answers to an item: a float and 32 bytes that follow from the item's id, so that a client can tell a right reply from any other.</summary>
static class HiveAnswer
{
    public const int ExtraBytes = 32;

    const ulong offsetBasis = 14_695_981_039_346_656_037;
    const ulong prime = 1_099_511_628_211;

    /// <summary>FNV-1a (64 bits) of an id's UTF-8.</summary>
    public static ulong Key(ReadOnlySpan<byte> id)
    {
        var key = offsetBasis;
        foreach (var b in id)
            key = (key ^ b) * prime;
        return key;
    }

    /// <summary>The same of an id that is ASCII, as the hive's are.</summary>
    public static ulong Key(ReadOnlySpan<char> id)
    {
        var key = offsetBasis;
        foreach (var c in id)
            key = (key ^ (byte)c) * prime;
        return key;
    }

    /// <summary>Never 0, which proto3 does not write, and exact in a float.</summary>
    public static float Result(ulong key) => (key >> 40) + 1;

    /// <summary>Fills 32 bytes.</summary>
    public static void Extra(ulong key, Span<byte> target)
    {
        for (var i = 0; i < ExtraBytes; i += sizeof(ulong))
        {
            BinaryPrimitives.WriteUInt64LittleEndian(target[i..], key);
            key *= prime;
        }
    }
}
