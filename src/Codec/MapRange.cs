using System.Runtime.InteropServices;
using System.Text;

namespace ProtoBench.Codec;

/// <summary>The entries of a map field: as <see cref="ElementRange"/>, with what it takes to keep one entry for each key.</summary>
public readonly struct MapRange
{
    internal MapRange(ElementRange entries, int room, int id) => (Entries, Room, Id) = (entries, room, id);

    /// <summary>The entries, in the order in which their keys came first.</summary>
    public ElementRange Entries { get; }

    /// <summary>The entries without the last one, which was appended and is not in the index of keys yet.</summary>
    /// <exception cref="InvalidOperationException">There is no entry.</exception>
    public MapRange WithoutLast()
    {
        if (Entries.Count == 0) throw new InvalidOperationException("The map has no entry.");
        return new(new(Entries.Start, Entries.Count - 1), Room, Id);
    }

    /// <summary>Elements behind the first entry that belong to the map. An entry
    /// that replaced an earlier one leaves its own element free.</summary>
    internal int Room { get; }

    /// <summary>Number under which the entries are in the message's index of keys; 0 while they are few enough to be searched.</summary>
    internal int Id { get; }
}

/// <summary>The fields of a map entry.</summary>
/// <typeparam name="TSelf">The fields.</typeparam>
public interface IMapEntry<TSelf>
    where TSelf : unmanaged, IMapEntry<TSelf>
{
    /// <summary>Whether two entries have the same key.</summary>
    static abstract bool HasSameKey(MessageMemory memory, in TSelf one, in TSelf other);

    /// <summary>A hash of the key that its sender cannot foresee.</summary>
    static abstract int HashKey(MessageMemory memory, in TSelf entry);
}

/// <summary>Hashes of map keys.</summary>
public static class MapKey
{
    /// <summary>A buffer of so many bytes saves most keys an allocation in <see cref="Encode"/>.</summary>
    public const int BufferSize = 128;

    /// <summary>A key in UTF-8.</summary>
    /// <param name="key">The key.</param>
    /// <param name="buffer">Where it is put if it fits.</param>
    public static ReadOnlySpan<byte> Encode(ReadOnlySpan<char> key, Span<byte> buffer)
    {
        if (!Encoding.UTF8.TryGetBytes(key, buffer, out var length)) return Encoding.UTF8.GetBytes(key.ToArray());
        return buffer[..length];
    }

    /// <summary>Hash of a string: the framework's hash of strings, which is seeded, over pairs of bytes.</summary>
    public static int Hash(ReadOnlySpan<byte> utf8)
    {
        var pairs = string.GetHashCode(MemoryMarshal.Cast<byte, char>(utf8));
        return HashCode.Combine(pairs, utf8.Length, utf8.Length % 2 == 0 ? 0 : utf8[^1]);
    }
}
