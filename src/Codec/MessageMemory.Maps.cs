namespace ProtoBench.Codec;

// One entry for each key of a map: an entry that comes later takes the place of the earlier one, as in Google.Protobuf. Few entries are
// compared one by one; the keys of larger maps go into one hash table for the whole message, which is probed linearly.
public sealed partial class MessageMemory
{
    const int searchedEntries = 8;
    const int keptSlots = 1 << 16;

    Slot[] slots = [];
    int slotsUsed;
    int mapCount;

    /// <summary>Looks for an earlier entry with the key of the last one, and replaces it by the last one, whose row is then free.</summary>
    public MapRun KeepLast<TRow>(Rows<TRow> rows, MapRun map)
        where TRow : unmanaged, IMapRow<TRow>
    {
        var entries = rows.Slice(map.Run);
        var last = entries.Length - 1;
        int same;
        if (map.Id == 0 && entries.Length <= searchedEntries)
        {
            for (same = 0; !TRow.HasSameKey(this, entries[same], entries[last]); same++)
            {
            }
        }
        else
        {
            if (map.Id == 0)
            {
                map = map with { Id = ++mapCount };
                for (var i = 0; i < last; i++) FindOrAdd<TRow>(entries[..(i + 1)], map.Id);
            }

            same = FindOrAdd<TRow>(entries, map.Id);
        }

        if (same == last) return map;
        entries[same] = entries[last];
        return map with { Run = new(map.Run.Start, last) };
    }

    /// <summary>The entry with the key of the last one: an earlier one, or the last one itself, which is then in the index.</summary>
    int FindOrAdd<TRow>(ReadOnlySpan<TRow> entries, int map)
        where TRow : unmanaged, IMapRow<TRow>
    {
        if (2 * slotsUsed >= slots.Length) GrowSlots();
        var last = entries.Length - 1;
        var hash = HashCode.Combine(map, TRow.HashKey(this, entries[last]));
        for (var at = hash; ; at++)
        {
            ref var slot = ref slots[at & (slots.Length - 1)];
            if (slot.Map == 0)
            {
                slot = new(map, hash, last);
                slotsUsed++;
                return last;
            }

            if (slot.Map == map && slot.Hash == hash && TRow.HasSameKey(this, entries[slot.Entry], entries[last])) return slot.Entry;
        }
    }

    void GrowSlots()
    {
        var old = slots;
        slots = new Slot[Math.Max(64, 2 * old.Length)];
        foreach (var slot in old)
        {
            if (slot.Map == 0) continue;
            var at = slot.Hash;
            while (slots[at & (slots.Length - 1)].Map != 0) at++;
            slots[at & (slots.Length - 1)] = slot;
        }
    }

    void ResetMaps()
    {
        mapCount = 0;
        if (slotsUsed == 0) return;
        if (slots.Length > keptSlots) slots = [];
        else Array.Clear(slots);
        slotsUsed = 0;
    }

    readonly record struct Slot(int Map, int Hash, int Entry);
}
