using System.Runtime.CompilerServices;

namespace ProtoBench.Codec;

// One entry for each key of a map: an entry that comes later takes the place of the earlier one, as in Google.Protobuf. Few entries are
// compared one by one; the keys of larger maps go into one hash table for the whole message, which is probed linearly.
public sealed partial class MessageMemory
{
    const int searchedEntries = 8;
    const int firstSlots = 64;

    // Hash tables, each twice as long as the one before it and behind it in the array; the last one is in use. So a content that has few
    // keys clears few slots, however many an earlier one had.
    Slot[] slots = new Slot[0];
    int slotsStart;
    int slotsCount;
    int slotsUsed;
    int slotsPeak;
    int mapCount;

    /// <summary>Looks for an earlier entry with the key of the last one. The last one replaces it; its own element is free then.</summary>
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

    /// <summary>The entry with the key of the last one: an earlier one, or the last one itself, which is then in the index.</summary>
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
}
