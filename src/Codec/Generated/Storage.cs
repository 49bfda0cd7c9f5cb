using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace ProtoBench.Codec.Generated;

/// <summary>One flat array of a message: the fields of all messages of one type
/// in it, or the elements of its repeated fields of one type.</summary>
/// <remarks>The stamp says which content the array has. It changes whenever the message is emptied (by a release, a parse or a clear), and
/// when a setter moves a list. A view keeps the stamp with which it was made and compares it after each read.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class Storage
{
    int stamp;

    // The stamp with which the present content began. Views with a stamp from here to the present one are of the same content.
    int firstStamp;

    // Elements that belong to a field, or to the room that one may grow into.
    private protected int used;

    // Elements that hold a value or zeros of this content. Those from here to used still hold an earlier one, and cannot be reached.
    private protected int filled;

    // As many of them are zero, where no field has them: all, unless a merge was refused.
    private protected int zeroed;

    // Whether a reset has to look at more than the counts.
    private protected bool isLarge;

    private protected Storage(MessageMemory memory)
    {
        ArgumentNullException.ThrowIfNull(memory);
        Memory = memory;

        // Other numbers for each storage: of a view that is read while it is written, one half may be another view's.
        stamp = firstStamp = Random.Shared.Next(1, 1 << 30);
        memory.Register(this);
    }

    /// <summary>The memory of the message that this storage belongs to.</summary>
    public MessageMemory Memory { get; }

    /// <summary>The stamp of the present content, for a view that is made now.</summary>
    public int Stamp
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Volatile.Read(ref stamp);
    }

    /// <summary>Whether nothing was emptied or moved since the stamp was read. To be asked after reading what the stamp covers.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool IsCurrent(int stamp)
    {
        Volatile.ReadBarrier();
        return this.stamp == stamp;
    }

    /// <summary>Throws if the content was emptied since the stamp was read; a move is no reason. To be called after reading.</summary>
    /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed since.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void ThrowIfEmptied(int stamp)
    {
        if (!IsCurrent(stamp)) SameContent(stamp);
    }

    /// <summary>Whether the content is still the one that the stamp was read from.</summary>
    internal bool HasContentOf(int stamp)
    {
        // In this order: a thread that sees the stamp of the next content sees its first stamp too.
        var now = Stamp;
        return (uint)(now - stamp) <= (uint)(now - Volatile.Read(ref firstStamp));
    }

    /// <summary>The present stamp, if the content is still the one that the given stamp was read from.</summary>
    /// <exception cref="ObjectDisposedException">It is not.</exception>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private protected int SameContent(int stamp)
    {
        var now = Stamp;
        if (!HasContentOf(stamp)) ThrowEmptied();
        return now;
    }

    private protected bool HasMoved(int stamp) => this.stamp != stamp;

    private protected void MoveStamp() => Volatile.Write(ref stamp, stamp + 1);

    /// <summary>Makes every view stale.</summary>
    /// <returns>The new stamp.</returns>
    internal int Invalidate()
    {
        Volatile.Write(ref firstStamp, stamp + 1);
        MoveStamp();
        return stamp;
    }

    /// <summary>From now on each element is zeroed when a list grows into it, also where it is believed to be zero.</summary>
    internal abstract void DistrustRooms();

    /// <summary>Forgets all elements and keeps the array, unless it is much
    /// larger than its recent peak. Makes every view stale.</summary>
    /// <returns>The new stamp.</returns>
    internal int Reset()
    {
        if (isLarge) ResetLarge();
        used = filled = zeroed = 0;
        return Invalidate();
    }

    /// <summary>The part of a reset that an array with few elements does not need.</summary>
    private protected abstract void ResetLarge();

    /// <summary>Lets the array go.</summary>
    internal abstract void Release();

    /// <summary>Adds the message itself, which is always element 0.</summary>
    internal abstract void AddRoot();

    [DoesNotReturn]
    internal static void ThrowEmptied() => throw Emptied();

    [DoesNotReturn]
    internal static void ThrowNoElement(int index, int count) =>
        throw new ArgumentOutOfRangeException(nameof(index), index, $"There is no element {index}: the list has {count}.");

    internal static ObjectDisposedException Emptied() =>
        new("Message", "The message that this belongs to was released, cleared or parsed again.");
}

/// <inheritdoc/>
/// <remarks>The elements of one repeated field are contiguous. A field whose elements arrive while others of the same type arrive too (a
/// message that occurs twice is merged; a type may contain itself) is moved to the end of the array, into room for twice as many, so that
/// n elements cost n steps in any order of arrival. Each index and each range is compared with the number of elements that were added
/// since the last reset, so elements of an earlier content cannot be read. Thread safety: as <see cref="Message{T}"/>.</remarks>
/// <typeparam name="T">The element.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
[SuppressMessage("Performance", "CA1825", Justification = "Array.Empty is two methods that are compiled before the first message")]
public class Storage<T> : Storage
    where T : unmanaged
{
    const int maxCount = 1 << 30;

    // An array of at most so many elements is kept, however few of them were used recently.
    const int fewElements = 8 * 64;

    // Moved and cleared by the methods of Array, which are compiled already: those of Span are eight more for each type of message, and a
    // process reads its first message that much later.
    T[] items = new T[0];

    /// <summary>Makes an empty array for a message.</summary>
    protected Storage(MessageMemory memory)
        : base(memory)
    {
    }

    /// <summary>An element.</summary>
    /// <exception cref="ObjectDisposedException">There is no such element in this content.</exception>
    public ref T this[int index]
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            var array = items;
            if ((uint)index >= (uint)filled || (uint)index >= (uint)array.Length) ThrowEmptied();
            return ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(array), (uint)index);
        }
    }

    /// <summary>Gets element 0 of the present content, which is the outermost message. The caller has to compare the renting of the
    /// message after reading.</summary>
    /// <exception cref="ObjectDisposedException">There is no element.</exception>
    public ref T Outermost
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            var array = items;
            if (array.Length == 0) ThrowEmptied();
            return ref array[0];
        }
    }

    /// <summary>The array of elements of this type that all repeated fields of a message share.</summary>
    [SuppressMessage("Design", "CA1000", Justification = "the type argument is what is asked for")]
    public static Storage<T> Of(MessageMemory memory)
    {
        ArgumentNullException.ThrowIfNull(memory);
        return memory.Find<Storage<T>>() ?? new(memory);
    }

    /// <summary>The elements of a repeated field. Those of an aliased one are not to be changed, and may be at any address.</summary>
    /// <exception cref="ObjectDisposedException">There are no such elements in this content.</exception>
    public Span<T> Slice(ElementRange range)
    {
        var array = items;
        if ((ulong)(uint)range.Start + (uint)range.Count > (uint)Math.Min(filled, array.Length)) return Aliased(range);
        return MemoryMarshal.CreateSpan(ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(array), (uint)range.Start), range.Count);
    }

    /// <summary>Adds zeros to a repeated field that nobody has a view of yet:
    /// while the message is parsed. In a merge views follow the list.</summary>
    /// <returns>Index of the new element.</returns>
    /// <exception cref="InsufficientMemoryException">The field has 2^30 elements, or the array more than an array can hold.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Append(ref ElementRange range)
    {
        var start = range.Start;
        var count = range.Count;
        if ((count & (count - 1)) == 0) start = MakeRoom(range);
        var index = start + count;
        if ((uint)index >= (uint)zeroed) Fill(index);
        range = new(start, count + 1);
        return index;
    }

    /// <inheritdoc cref="Append(ref ElementRange)"/>
    /// <returns>The new element, which is in the array until another one is added.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref T AppendElement(ref ElementRange range)
    {
        // The index is below zeroed by now, and so below filled: what is left to compare is the array, which a late caller may have seen
        // of another content.
        var index = Append(ref range);
        var array = items;
        if ((uint)index >= (uint)array.Length) ThrowEmptied();
        return ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(array), (uint)index);
    }

    /// <summary>Adds an element to a repeated field of scalars, strings or bytes.</summary>
    /// <inheritdoc cref="Append(ref ElementRange)" path="/exception"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Append(ref ElementRange range, T value)
    {
        // strings and bytes are never aliased as a list
        if (typeof(T) != typeof(ByteRange) && range.IsAliased) Own(ref range);
        this[Append(ref range)] = value;
    }

    /// <summary>Adds zeros to a map that nobody has a view of yet: while the message is parsed.</summary>
    /// <inheritdoc cref="Append(ref ElementRange)"/>
    public int Append(ref MapRange map)
    {
        var entries = map.Entries;
        var room = map.Room;
        if (entries.Count == room)
        {
            entries = new(MakeRoom(entries), entries.Count);
            room = Math.Max(1, 2 * room);
        }

        if ((uint)entries.End >= (uint)zeroed) Fill(entries.End);
        this[entries.End] = default;
        map = new(new(entries.Start, entries.Count + 1), room, map.Id);
        return entries.End;
    }

    /// <summary>Adds zeros that belong to no repeated field.</summary>
    /// <inheritdoc cref="Append(ref ElementRange)"/>
    public int Append()
    {
        var index = used;
        if (index == filled && (uint)index < (uint)items.Length)
        {
            Memory.CountElements(Unsafe.SizeOf<T>());
            items[index] = default;
            used = index + 1;
            SetFilled(index + 1);
            return index;
        }

        var range = default(ElementRange);
        return Append(ref range);
    }

    /// <summary>A sub-message, added if there is none yet.</summary>
    /// <param name="handle">What the message has for it: 0 for none, else its index and 1.</param>
    /// <returns>Its index.</returns>
    /// <inheritdoc cref="Append(ref ElementRange)" path="/exception"/>
    public int Open(int handle) => handle == 0 ? Append() : handle - 1;

    internal override void AddRoot()
    {
        if (items.Length == 0) Grow(1);
        items[0] = default;
        used = filled = zeroed = 1;
        Memory.CountElements(Unsafe.SizeOf<T>());
    }

    internal override void DistrustRooms() => zeroed = 0;

    /// <summary>Adds several elements to a repeated field of scalars.</summary>
    /// <inheritdoc cref="Append(ref ElementRange)" path="/exception"/>
    public void Append(ref ElementRange range, ReadOnlySpan<T> values)
    {
        if (values.IsEmpty) return;
        values.CopyTo(RoomBehind(ref range, values.Length));
        Extend(ref range, values.Length);
    }

    /// <summary>Room for more elements behind those of a repeated field of scalars. They are its own after <see cref="Extend"/>; what is
    /// there before may be anything.</summary>
    /// <inheritdoc cref="Append(ref ElementRange)" path="/exception"/>
    internal Span<T> RoomBehind(ref ElementRange range, int count)
    {
        if (range.IsAliased) Own(ref range);
        var room = RoomOf(range.Count);
        var wanted = range.Count + (long)count;
        if (wanted > maxCount) ThrowTooMany();
        if (wanted > room) range = new(MakeRoom(range, room, RoomOf((int)wanted)), range.Count);
        var array = items;
        if ((ulong)(uint)range.End + (uint)count > (uint)Math.Min(used, array.Length)) ThrowEmptied();
        return MemoryMarshal.CreateSpan(ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(array), (uint)range.End), count);
    }

    /// <summary>Takes over elements that were put into <see cref="RoomBehind"/>.</summary>
    internal void Extend(ref ElementRange range, int count)
    {
        var from = range.End;
        var to = (ulong)(uint)from + (uint)count;
        if (to > (uint)used) ThrowEmptied();

        // Between what is filled and this room there may be elements of an earlier content.
        if (filled < from) items.AsSpan(filled, from - filled).Clear();
        if ((int)to > filled) SetFilled((int)to);
        range = new(range.Start, range.Count + count);
    }

    static int RoomOf(int count) => count == 0 ? 0 : (int)BitOperations.RoundUpToPowerOf2((uint)count);

    [MethodImpl(MethodImplOptions.NoInlining)]
    Span<T> Aliased(ElementRange range)
    {
        if (!range.IsAliased) ThrowEmptied();
        var bytes = Memory.Span(range.Bytes(Unsafe.SizeOf<T>()));
        return MemoryMarshal.CreateSpan(ref Unsafe.As<byte, T>(ref MemoryMarshal.GetReference(bytes)), range.Count);
    }

    /// <summary>Copies aliased elements into this storage, where they can be changed.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    void Own(ref ElementRange range)
    {
        var bytes = Memory.TextAt(range.Bytes(Unsafe.SizeOf<T>()));
        var own = default(ElementRange);
        bytes.CopyTo(MemoryMarshal.AsBytes(RoomBehind(ref own, range.Count)));
        Extend(ref own, range.Count);
        range = own;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    int MakeRoom(ElementRange range) => MakeRoom(range, range.Count, Math.Max(1, 2 * range.Count));

    /// <summary>Room for a repeated field that has no more, behind its elements or, with them, elsewhere.</summary>
    /// <param name="range">The field.</param>
    /// <param name="room">The room that it has.</param>
    /// <param name="wanted">The room that it gets.</param>
    /// <returns>Index of its first element from now on.</returns>
    int MakeRoom(ElementRange range, int room, int wanted)
    {
        if (range.Count != 0 && (uint)range.End > (uint)filled) ThrowEmptied();
        if (range.Count >= maxCount) ThrowTooMany();
        var moves = room == 0 || range.Start + room != used;
        var start = moves ? used : range.Start;
        var end = start + (long)wanted;
        Memory.CountElements((end - used) * Unsafe.SizeOf<T>());
        if (end > items.Length) Grow(end);
        if (moves && range.Count > 0)
        {
            if (Memory.IsMerging) Forward(range, start);
            if (filled < start) Fill(start - 1);
            Array.Copy(items, range.Start, items, start, range.Count);
            SetFilled(start + range.Count);
        }

        used = (int)end;
        if (wanted <= 2 && filled == used - 1)
        {
            items[filled] = default;
            SetFilled(used);
        }

        return start;
    }

    /// <summary>Zeroes elements up to one that a field grows into, and some more, which is cheaper than one at a time.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    void Fill(int index)
    {
        if ((uint)index >= (uint)used) ThrowEmptied();
        if (index < filled)
        {
            items[index] = default;
            return;
        }

        var chunk = Math.Max(1, 4096 / Unsafe.SizeOf<T>());
        var end = Math.Min(used, Math.Max(index + 1, filled + chunk));
        Array.Clear(items, filled, end - filled);
        SetFilled(end);
    }

    void SetFilled(int end)
    {
        if (zeroed == filled) zeroed = end;
        filled = end;
    }

    void Grow(long end)
    {
        if (end > Array.MaxLength) ThrowTooMany();
        var length = (int)Math.Min(Math.Max(16, Math.Max(2L * items.Length, end)), Array.MaxLength);
        var larger = length <= fewElements ? new T[length] : GC.AllocateUninitializedArray<T>(length);
        Array.Copy(items, larger, filled);
        Memory.CountHeld((length - items.Length) * (long)Unsafe.SizeOf<T>());
        items = larger;
        isLarge |= length > fewElements;
    }

    [DoesNotReturn]
    static void ThrowTooMany() => throw new InsufficientMemoryException($"A repeated field holds at most {maxCount:N0} elements.");

    // What keeps views valid while a message is built: a setter that moves a list records where each element went.

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

    // What setters do beside adding.

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

    // What a recycled message keeps.

    // The recent peak of used elements: it falls by a sixteenth with each use that needs less.
    int peak;

    private protected override void ResetLarge()
    {
        peak = Math.Max(used, peak - (peak >> 4));
        if (Math.Max(items.Length, forwards.Length) > KeptLength(peak)) Release();
        if (forwardsEnd == 0) return;
        Array.Clear(forwards, 0, forwardsEnd);
        forwardsEnd = 0;
    }

    internal override void Release()
    {
        Memory.CountHeld((-items.Length * (long)Unsafe.SizeOf<T>()) - (forwards.Length * (long)sizeof(int)));
        used = filled = zeroed = 0;
        items = new T[0];
        forwards = [];
        forwardsEnd = 0;
        isLarge = false;
    }

    // The length up to which an array is kept: eight times the recent peak, and a few elements in any case.
    static int KeptLength(int peak) => Math.Max(8 * peak, fewElements);
}
