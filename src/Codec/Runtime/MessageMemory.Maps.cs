using System.Runtime.CompilerServices;

namespace ProtoBench.Codec.Runtime;

// A map has one entry for each key. A later entry with the same key replaces the earlier one, as in Google.Protobuf. A map with few
// entries is searched one by one. The keys of larger maps are in one hash table for the whole message, with linear probing.
public sealed partial class MessageMemory
{
    const int searchedEntries = 8;
    const int firstSlots = 64;

    // The array contains several hash tables, one after the other. Each is twice as long as the one before it, and the last one is in use.
    // So a content with few keys clears few slots, even if an earlier content had many keys.
    Slot[] slots = new Slot[0];
    int slotsStart;
    int slotsCount;
    int slotsUsed;
    int slotsPeak;
    int mapCount;

    /// <summary>Finds an earlier entry with the key of the last entry. If there is one, the last entry replaces it, and the element of the
    /// last entry becomes unused.</summary>
    public MapRange KeepLast<TEntry>(Storage<TEntry> storage, MapRange map)
        where TEntry : unmanaged, IMapEntry<TEntry>
    {
        var entries = storage.Slice(map.Entries);
        var last = entries.Length - 1;
        int same;
        if (map.Id == 0 && entries.Length <= searchedEntries)
        {
            for (same = 0; !TEntry.HasSameKey(this, entries[same], entries[last]); same++)
            {
            }
        }
        else
        {
            if (map.Id == 0)
            {
                map = new(map.Entries, map.Room, ++mapCount);
                for (var i = 0; i < last; i++) FindOrAdd<TEntry>(entries[..(i + 1)], map.Id);
            }

            same = FindOrAdd<TEntry>(entries, map.Id);
        }

        if (same == last) return map;
        entries[same] = entries[last];
        return new(new(map.Entries.Start, last), map.Room, map.Id);
    }

    /// <summary>Finds the entry with the key of the last entry. If there is no earlier one, the last entry is added to the hash table and
    /// its index is returned.</summary>
    int FindOrAdd<TEntry>(ReadOnlySpan<TEntry> entries, int map)
        where TEntry : unmanaged, IMapEntry<TEntry>
    {
        if (2 * slotsUsed >= slotsCount) GrowSlots();
        var table = slots.AsSpan(slotsStart, slotsCount);
        var last = entries.Length - 1;
        var hash = HashCode.Combine(map, TEntry.HashKey(this, entries[last]));
        for (var at = hash; ; at++)
        {
            ref var slot = ref table[at & (table.Length - 1)];
            if (slot.Map == 0)
            {
                slot = new(map, hash, last);
                slotsUsed++;
                return last;
            }

            if (slot.Map == map && slot.Hash == hash && TEntry.HasSameKey(this, entries[slot.Entry], entries[last])) return slot.Entry;
        }
    }

    void GrowSlots()
    {
        var start = slotsStart + slotsCount;
        var count = Math.Max(firstSlots, 2 * slotsCount);
        CountElements(count * (long)Unsafe.SizeOf<Slot>());
        if (start + count > slots.Length)
        {
            CountHeld((start + count - slots.Length) * (long)Unsafe.SizeOf<Slot>());
            Array.Resize(ref slots, start + count);
        }

        var larger = slots.AsSpan(start, count);
        foreach (var slot in slots.AsSpan(slotsStart, slotsCount))
        {
            if (slot.Map == 0) continue;
            var at = slot.Hash;
            while (larger[at & (count - 1)].Map != 0) at++;
            larger[at & (count - 1)] = slot;
        }

        (slotsStart, slotsCount) = (start, count);
    }

    void ResetMaps()
    {
        var end = slotsStart + slotsCount;
        slotsPeak = Math.Max(end, slotsPeak - (slotsPeak >> 4));
        if (slots.Length > 8 * Math.Max(slotsPeak, firstSlots)) ReleaseMaps();
        else Array.Clear(slots, 0, end);
        (slotsStart, slotsCount, slotsUsed) = (0, 0, 0);
    }

    void ReleaseMaps()
    {
        CountHeld(-slots.Length * (long)Unsafe.SizeOf<Slot>());
        slots = new Slot[0];
        (slotsStart, slotsCount, slotsUsed) = (0, 0, 0);
    }

    readonly record struct Slot(int Map, int Hash, int Entry);

    // The lookup of a key. It changes nothing, so any number of threads may look up keys.

    /// <summary>Gets the hash table of keys. A reader on another thread may see the start and the length of two different contents. So both
    /// are compared with the array, and a search ends after at most as many steps as the table has slots.</summary>
    ReadOnlySpan<Slot> Table
    {
        get
        {
            var (array, start, count) = (slots, slotsStart, slotsCount);
            if ((ulong)(uint)start + (uint)count > (uint)array.Length) Root.ThrowEmptied();
            return array.AsSpan(start, count);
        }
    }

    /// <summary>Finds the entry that has the same key as another entry. The other entry need not be in the map.</summary>
    /// <returns>The index of the entry in the storage; -1 if there is none.</returns>
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

    /// <summary>Finds the entry with a key of type string.</summary>
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
}
