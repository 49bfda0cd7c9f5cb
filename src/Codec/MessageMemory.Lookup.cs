namespace ProtoBench.Codec;

// The entry of a key. Nothing is changed: any number of threads may look up.
public sealed partial class MessageMemory
{
    /// <summary>The hash table of keys. Its start and length are compared with the array, and a search in it ends after its length: a late
    /// reader may see those of two contents.</summary>
    ReadOnlySpan<Slot> Table
    {
        get
        {
            var (array, start, count) = (slots, slotsStart, slotsCount);
            if ((ulong)(uint)start + (uint)count > (uint)array.Length) Storage.ThrowEmptied();
            return array.AsSpan(start, count);
        }
    }

    /// <summary>The entry that has the same key as another one, which need not be in the map.</summary>
    /// <returns>Its index in the storage; -1 if there is none.</returns>
    public int FindEntry<TEntry>(Storage<TEntry> storage, MapRange map, in TEntry probe)
        where TEntry : unmanaged, IMapEntry<TEntry>
    {
        var entries = storage.Slice(map.Entries);
        if (map.Id == 0)
        {
            for (var i = 0; i < entries.Length; i++)
            {
                if (TEntry.HasSameKey(this, entries[i], probe)) return map.Entries.Start + i;
            }

            return -1;
        }

        var table = Table;
        var hash = HashCode.Combine(map.Id, TEntry.HashKey(this, probe));
        for (var step = 0; step < table.Length; step++)
        {
            ref readonly var slot = ref table[(hash + step) & (table.Length - 1)];
            if (slot.Map == 0) break;
            if (slot.Map == map.Id && slot.Hash == hash && (uint)slot.Entry < (uint)entries.Length
                && TEntry.HasSameKey(this, entries[slot.Entry], probe)) return map.Entries.Start + slot.Entry;
        }

        return -1;
    }

    /// <summary>The entry that has a string for its key.</summary>
    /// <inheritdoc cref="FindEntry{TEntry}(Storage{TEntry}, MapRange, in TEntry)"/>
    public int FindEntry<TEntry>(Storage<TEntry> storage, MapRange map, ReadOnlySpan<byte> key)
        where TEntry : unmanaged, IStringMapEntry<TEntry>
    {
        var entries = storage.Slice(map.Entries);
        if (map.Id == 0)
        {
            for (var i = 0; i < entries.Length; i++)
            {
                if (Span(TEntry.KeyOf(entries[i])).SequenceEqual(key)) return map.Entries.Start + i;
            }

            return -1;
        }

        var table = Table;
        var hash = HashCode.Combine(map.Id, MapKey.Hash(key));
        for (var step = 0; step < table.Length; step++)
        {
            ref readonly var slot = ref table[(hash + step) & (table.Length - 1)];
            if (slot.Map == 0) break;
            if (slot.Map == map.Id && slot.Hash == hash && (uint)slot.Entry < (uint)entries.Length
                && Span(TEntry.KeyOf(entries[slot.Entry])).SequenceEqual(key))
                return map.Entries.Start + slot.Entry;
        }

        return -1;
    }

    /// <summary>Whether two lists of strings, bytes or unknown fields have the same content.</summary>
    public static bool AreEqual(Storage<ByteRange> ranges, ElementRange list, Storage<ByteRange> otherRanges, ElementRange otherList)
    {
        if (list.Count != otherList.Count) return false;
        var one = ranges.Slice(list);
        var other = otherRanges.Slice(otherList);
        for (var i = 0; i < one.Length; i++)
        {
            if (!ranges.Memory.Span(one[i]).SequenceEqual(otherRanges.Memory.Span(other[i]))) return false;
        }

        return true;
    }
}

/// <summary>The fields of an entry of a map whose keys are strings.</summary>
/// <inheritdoc/>
public interface IStringMapEntry<TSelf> : IMapEntry<TSelf>
    where TSelf : unmanaged, IStringMapEntry<TSelf>
{
    /// <summary>The key.</summary>
    static abstract ByteRange KeyOf(in TSelf entry);
}
