using System.Numerics;
using ProtoBench.Codec.Runtime;

namespace ProtoBench.Codec.Reflection;

/// <summary>Finds the index of a name in UTF-8. The hash is random in each process, so that a sender cannot choose names that
/// collide.</summary>
sealed class NameTable
{
    readonly byte[][] names;
    readonly int[] indexes;

    // 1 + the position in the arrays; 0 is free
    readonly int[] slots;

    /// <param name="entries">The names, each with its index. Of equal names the first is found.</param>
    public NameTable(IReadOnlyCollection<(byte[] Name, int Index)> entries)
    {
        names = [.. entries.Select(one => one.Name)];
        indexes = [.. entries.Select(one => one.Index)];
        slots = new int[BitOperations.RoundUpToPowerOf2((uint)Math.Max(2, 2 * names.Length))];
        for (var i = 0; i < names.Length; i++)
        {
            ref var slot = ref Slot(names[i]);
            if (slot == 0) slot = i + 1;
        }
    }

    /// <summary>Returns the index of a name; -1 if there is no such name.</summary>
    public int Find(ReadOnlySpan<byte> name) => Slot(name) is var slot and not 0 ? indexes[slot - 1] : -1;

    /// <inheritdoc cref="Find(ReadOnlySpan{byte})"/>
    public int Find(string name) => Find(MapKey.Encode(name, stackalloc byte[MapKey.BufferSize]));

    // the slot of the name, or the free one where it would be; at least half of the slots are free
    ref int Slot(ReadOnlySpan<byte> name)
    {
        for (var at = MapKey.Hash(name); ; at++)
        {
            ref var slot = ref slots[at & (slots.Length - 1)];
            if (slot == 0 || names[slot - 1].AsSpan().SequenceEqual(name)) return ref slot;
        }
    }
}
