using System.Runtime.InteropServices;

namespace ProtoBench.Codec;

/// <summary>The entries of a map field: as <see cref="Run"/>, with what it takes to keep one entry for each key.</summary>
/// <param name="Run">The entries, in the order in which their keys came first.</param>
/// <param name="Room">Rows behind the first entry that are the map's. An entry that another one took the place of leaves its row free.</param>
/// <param name="Id">Number under which the entries are in the message's index of keys; 0 while they are few enough to be searched.</param>
public readonly record struct MapRun(Run Run, int Room, int Id);

/// <summary>The row of a map entry.</summary>
/// <typeparam name="TSelf">The row.</typeparam>
public interface IMapRow<TSelf>
    where TSelf : unmanaged, IMapRow<TSelf>
{
    /// <summary>Whether two entries have the same key.</summary>
    static abstract bool HasSameKey(MessageMemory memory, in TSelf one, in TSelf other);

    /// <summary>A hash of the key that its sender cannot foresee.</summary>
    static abstract int HashKey(MessageMemory memory, in TSelf row);
}

/// <summary>Hashes of map keys.</summary>
public static class MapKey
{
    /// <summary>Hash of a string: the framework's hash of strings, which is seeded, over pairs of bytes.</summary>
    public static int Hash(ReadOnlySpan<byte> utf8)
    {
        var pairs = string.GetHashCode(MemoryMarshal.Cast<byte, char>(utf8));
        return HashCode.Combine(pairs, utf8.Length, utf8.Length % 2 == 0 ? 0 : utf8[^1]);
    }
}
