using System.Runtime.CompilerServices;

namespace ProtoBench.Codec;

// What keeps views valid while a message is built: a setter that moves a list records where each element went.
public partial class Storage<T>
{
    // For each element that was moved, its new index and 1; 0 for one that was not. The old element is not used again in this content.
    int[] forwards = [];
    int forwardsEnd;

    /// <summary>The element of a view, to be changed.</summary>
    /// <exception cref="ObjectDisposedException">The view's content was emptied.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref T Mutable(int index, int stamp)
    {
        if (HasMoved(stamp)) index = Find((index, stamp)).Index;
        return ref this[index];
    }

    /// <summary>Where the element of a view is by now, and the present stamp.</summary>
    /// <exception cref="ObjectDisposedException">The view's content was emptied.</exception>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public (int Index, int Stamp) Find((int Index, int Stamp) at)
    {
        var now = SameContent(at.Stamp);
        var index = at.Index;
        var forwards = this.forwards;
        while ((uint)index < (uint)forwards.Length && forwards[index] != 0) index = forwards[index] - 1;
        return (index, now);
    }

    /// <summary>Adds zeros to a repeated field of messages that there may be views of: they stay valid if the list has to move.</summary>
    /// <inheritdoc cref="Append(ref ElementRange)"/>
    public int Add(ref ElementRange range)
    {
        var before = range;
        var index = Append(ref range);
        if (before.Count > 0 && range.Start != before.Start) Forward(before, range.Start);
        return index;
    }

    /// <summary>Adds zeros to a map that there may be views of: they stay valid if the entries have to move.</summary>
    /// <inheritdoc cref="Append(ref ElementRange)"/>
    public int Add(ref MapRange map)
    {
        var before = map.Entries;
        var index = Append(ref map);
        if (before.Count > 0 && map.Entries.Start != before.Start) Forward(before, map.Entries.Start);
        return index;
    }

    void Forward(ElementRange from, int to)
    {
        if (from.End > forwards.Length)
        {
            var length = Math.Max(from.End, 2 * forwards.Length);
            Memory.CountHeld((length - forwards.Length) * (long)sizeof(int));
            isLarge = true;
            Array.Resize(ref forwards, length);
        }

        for (var i = 0; i < from.Count; i++) forwards[from.Start + i] = to + i + 1;
        forwardsEnd = Math.Max(forwardsEnd, from.End);
        MoveStamp();
    }
}
