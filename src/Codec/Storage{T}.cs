using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace ProtoBench.Codec;

/// <inheritdoc/>
/// <remarks>The elements of one repeated field are contiguous. A field whose elements arrive while others of the same type arrive too (a
/// message that occurs twice is merged; a type may contain itself) is moved to the end of the array, into room for twice as many, so that
/// n elements cost n steps in any order of arrival. Each index and each range is compared with the number of elements that were added
/// since the last reset, so elements of an earlier content cannot be read. Thread safety: as <see cref="Message{T}"/>.</remarks>
/// <typeparam name="T">The element.</typeparam>
[SuppressMessage("Performance", "CA1825", Justification = "Array.Empty is two methods that are compiled before the first message")]
public partial class Storage<T> : Storage
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
}
