namespace ProtoBench.Codec;

// What setters do beside adding.
public partial class Storage<T>
{
    /// <summary>Replaces an element of a repeated field of scalars, strings or bytes.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is no such element.</exception>
    /// <inheritdoc cref="Append(ref ElementRange)" path="/exception"/>
    public void Replace(ref ElementRange range, int index, T value)
    {
        ThrowIfNoElement(range, index);
        if (range.IsAliased) Own(ref range);
        Slice(range)[index] = value;
    }

    /// <summary>Takes an element out of a repeated field. The others are copied to a new place, so that lists that were taken before stay
    /// as they are; views of messages follow, and a view of the element that was taken out shows it as it was.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is no such element.</exception>
    /// <inheritdoc cref="Append(ref ElementRange)" path="/exception"/>
    public void RemoveAt(ref ElementRange range, int index)
    {
        ThrowIfNoElement(range, index);
        if (range.IsAliased) Own(ref range);
        range = Without(range, index);
    }

    /// <summary>Takes an entry out of a map, as <see cref="RemoveAt(ref ElementRange, int)"/>.</summary>
    /// <param name="map">The map.</param>
    /// <param name="entry">The index of the entry in this storage.</param>
    public void RemoveAt(ref MapRange map, int entry)
    {
        var entries = map.Entries;
        ThrowIfNoElement(entries, entry - entries.Start);
        entries = Without(entries, entry - entries.Start);

        // As many entries as there are have room; the index of keys is made again when it is needed.
        map = new(entries, entries.Count, 0);
    }

    ElementRange Without(ElementRange range, int index)
    {
        var kept = default(ElementRange);
        for (var i = 0; i < range.Count; i++)
        {
            if (i != index) Append(ref kept, this[range.Start + i]);
        }

        if (index > 0) Forward(new(range.Start, index), kept.Start);
        if (index + 1 < range.Count) Forward(new(range.Start + index + 1, range.Count - index - 1), kept.Start + index);
        return kept;
    }

    static void ThrowIfNoElement(ElementRange range, int index)
    {
        if ((uint)index >= (uint)range.Count) ThrowNoElement(index, range.Count);
    }
}
