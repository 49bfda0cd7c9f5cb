using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace ProtoBench.Codec.Runtime;

/// <summary>Represents one flat array of a message: the fields of all its messages of one type, or the elements of all its repeated fields
/// of one type.</summary>
/// <remarks>The stamp identifies the content of the array. It changes whenever the message is emptied (by a release, a parse or a clear),
/// and when a setter moves a list. A view keeps the stamp with which it was made and compares it after each read.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class Storage
{
    int stamp;

    // The first stamp of the current content. Views with a stamp from this one to the current one belong to the same content.
    int firstStamp;

    // The number of elements that belong to a field, or to the room into which a field may grow.
    private protected int used;

    // The number of elements with values or zeros of this content. The elements between this number and used have values of an earlier
    // content, and cannot be accessed.
    private protected int filled;

    // The elements before this one are zero where no field uses them. It equals filled, unless a merge has failed.
    private protected int zeroed;

    // The number of elements that an empty storage has: 1 in a storage of messages, 0 in other storages.
    readonly int reserved;

    // Whether a reset must do more than set the counts.
    private protected bool isLarge;

    private protected Storage(MessageMemory memory, int reserved)
    {
        ArgumentNullException.ThrowIfNull(memory);
        Memory = memory;
        this.reserved = used = filled = zeroed = reserved;

        // Each storage starts with another number. A view that is read while another thread writes it may have parts of two views: the
        // storage of one and the stamp of the other, which then differs.
        stamp = firstStamp = Random.Shared.Next(1, 1 << 30);
        memory.Register(this);
    }

    /// <summary>Gets the memory of the message that this storage belongs to.</summary>
    public MessageMemory Memory { get; }

    /// <summary>Gets the current stamp, for a new view.</summary>
    public int Stamp
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => Volatile.Read(ref stamp);
    }

    /// <summary>Determines whether nothing was emptied or moved since the stamp was read. Call this method after reading the data that the
    /// stamp protects.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool IsCurrent(int stamp)
    {
        Volatile.ReadBarrier();
        return this.stamp == stamp;
    }

    /// <summary>Throws if the content was emptied since the stamp was read. A list that was moved is not a reason to throw. Call this
    /// method after reading the data.</summary>
    /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed after the stamp was read.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void ThrowIfEmptied(int stamp)
    {
        if (!IsCurrent(stamp)) SameContent(stamp);
    }

    /// <summary>Determines whether the content is still the one from which the stamp was read.</summary>
    internal bool HasContentOf(int stamp)
    {
        // The order matters: a thread that sees the stamp of the next content also sees the first stamp of that content.
        var now = Stamp;
        return (uint)(now - stamp) <= (uint)(now - Volatile.Read(ref firstStamp));
    }

    /// <summary>Gets the current stamp, if the content is still the one from which the given stamp was read.</summary>
    /// <exception cref="ObjectDisposedException">The content is another one.</exception>
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

    /// <summary>Makes lists clear each element that they grow into, even if it should already be zero.</summary>
    internal abstract void ForgetZeroed();

    /// <summary>Removes all elements and makes every view stale. The array is kept, unless it is much larger than its recent
    /// peak.</summary>
    /// <returns>The new stamp.</returns>
    internal int Reset()
    {
        if (isLarge) ResetLarge();
        used = filled = zeroed = reserved;
        return Invalidate();
    }

    /// <summary>Does the part of a reset that an array with few elements does not need.</summary>
    private protected abstract void ResetLarge();

    /// <summary>Releases the array.</summary>
    internal abstract void Release();

    /// <summary>Adds the outermost message, which is always element 1.</summary>
    internal abstract void AddRoot();

    [DoesNotReturn]
    internal void ThrowEmptied() => throw Emptied();

    [DoesNotReturn]
    internal static void ThrowNoElement(int index, int count) =>
        throw new ArgumentOutOfRangeException(nameof(index), index, $"There is no element {index}: the list has {count}.");

    internal ObjectDisposedException Emptied() =>
        new(Memory.Root.MessageType, "The message that this belongs to was released, cleared or parsed again.");

    /// <summary>Gets the name of the view's type, for an exception. The storage is nested in it.</summary>
    private protected string MessageType
    {
        get
        {
            var name = GetType().FullName!;
            var end = name.LastIndexOf('+');
            return (end < 0 ? name : name[..end]).Replace('+', '.');
        }
    }
}

/// <inheritdoc/>
/// <remarks>The elements of one repeated field are contiguous. Elements of several fields of the same type may alternate: a message
/// that occurs twice is merged, and a type may contain itself. A field without room is then moved to the end of the array, into room for
/// twice as many elements. So adding n elements takes a number of steps that is proportional to n, in any order of arrival. Each index and
/// each range is compared with the number of elements that were added since the last reset, so elements of an earlier content cannot be
/// read. Thread safety: as <see cref="Message{T}"/>.</remarks>
/// <typeparam name="T">The type of the elements.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
[SuppressMessage("Performance", "CA1825", Justification = "Array.Empty is two methods that are compiled before the first message")]
public class Storage<T> : Storage
    where T : unmanaged
{
    const int maxCount = 1 << 30;

    // The maximum length of an array that is kept even if few of its elements were used recently.
    const int fewElements = 8 * 64;

    // The elements are moved and cleared by the methods of Array, which are already compiled. The methods of Span would be eight more
    // methods to compile for each message type, and would delay the first message of a process.
    T[] items = new T[Reserved];

    /// <summary>Gets the number of elements that are there before any is added. Element 0 of a storage of messages is zero: it is what a
    /// view of an absent sub-message shows.</summary>
    static int Reserved => typeof(T).IsPrimitive || typeof(T) == typeof(ByteRange) ? 0 : 1;

    /// <summary>Initializes an empty array for a message.</summary>
    protected Storage(MessageMemory memory)
        : base(memory, Reserved)
    {
    }

    /// <summary>Gets a reference to the element at an index.</summary>
    /// <exception cref="ObjectDisposedException">This content has no element at the index.</exception>
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

    /// <summary>Gets a reference to element 1 of the current content, which is the outermost message. After reading, the caller must check
    /// that the message was not released or rented again.</summary>
    /// <exception cref="ObjectDisposedException">The storage has no element.</exception>
    public ref T Outermost
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            var array = items;
            if (array.Length <= 1) ThrowEmptied();
            return ref array[1];
        }
    }

    /// <summary>Gets the array of this element type, which all repeated fields of a message share.</summary>
    [SuppressMessage("Design", "CA1000", Justification = "the type argument is what is asked for")]
    public static Storage<T> Of(MessageMemory memory)
    {
        ArgumentNullException.ThrowIfNull(memory);
        return memory.Find<Storage<T>>() ?? new(memory);
    }

    /// <summary>Gets the elements of a repeated field. Aliased elements must not be changed, and may be unaligned.</summary>
    /// <exception cref="ObjectDisposedException">This content does not have these elements.</exception>
    public Span<T> Slice(ElementRange range)
    {
        var array = items;
        if ((ulong)(uint)range.Start + (uint)range.Count > (uint)Math.Min(filled, array.Length)) return Aliased(range);
        return MemoryMarshal.CreateSpan(ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(array), (uint)range.Start), range.Count);
    }

    /// <summary>Adds a zeroed element to a repeated field while the message is parsed, so that no view of the field exists yet. In a merge,
    /// existing views follow the list.</summary>
    /// <returns>The index of the new element.</returns>
    /// <exception cref="InsufficientMemoryException">The field has 2^30 elements, or the array would exceed the maximum length of an
    /// array.</exception>
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

    /// <summary>Adds elements to a repeated field, as <see cref="Append(ref ElementRange)"/>. It asks the storage for many elements at once,
    /// so that an element takes two additions.</summary>
    /// <remarks>Safety: the elements that are left are in the array from which <see cref="RoomFor"/> took the reference.</remarks>
    [EditorBrowsable(EditorBrowsableState.Never)]
    [SuppressMessage("Design", "CA1034", Justification = "one for each type of elements")]
    public ref struct Appender
    {
        ref T next;
        int start;
        int end;
        int left;

        /// <summary>Initializes an appender to a field.</summary>
        public Appender(ElementRange range) => (start, end) = (range.Start, range.End);

        /// <summary>Gets the range of the field with the elements that were added.</summary>
        public readonly ElementRange Range => new(start, end - left - start);

        /// <summary>Adds a zeroed element.</summary>
        /// <param name="storage">The storage of the elements.</param>
        /// <returns>A reference to the element. It must not be used after a message of the same type was added elsewhere.</returns>
        /// <inheritdoc cref="Append(ref ElementRange)" path="/exception"/>
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public ref T Next(Storage<T> storage)
        {
            if (left == 0)
            {
                var count = end - start;
                next = ref storage.RoomFor(start, count, out var room);
                (start, end, left) = (room.Start, room.End, room.Count - count);
            }

            left--;
            ref var element = ref next;
            next = ref Unsafe.Add(ref element, 1);
            return ref element;
        }
    }

    /// <summary>Gets the elements that a repeated field can be given now: at least one.</summary>
    /// <param name="start">The index of the field's first element.</param>
    /// <param name="count">The number of its elements.</param>
    /// <param name="room">The elements that it has and can be given.</param>
    /// <returns>A reference to the first element that it can be given.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    ref T RoomFor(int start, int count, out ElementRange room)
    {
        if ((count & (count - 1)) == 0) start = MakeRoom(new(start, count), count, Math.Max(1, 2 * count));
        var index = start + count;
        if ((uint)index >= (uint)zeroed) Fill(index);
        var end = Math.Min(start + (long)RoomOf(count + 1), Math.Max(index + 1L, zeroed));
        var array = items;
        if ((uint)index >= (uint)array.Length || end > array.Length) ThrowEmptied();
        room = new(start, (int)end - start);
        return ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(array), (uint)index);
    }

    /// <summary>Adds an element to a repeated field of scalars, strings or bytes.</summary>
    /// <inheritdoc cref="Append(ref ElementRange)" path="/exception"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Append(ref ElementRange range, T value)
    {
        // Lists of strings and bytes are never aliased.
        if (typeof(T) != typeof(ByteRange) && range.IsAliased) Own(ref range);
        this[Append(ref range)] = value;
    }

    /// <summary>Adds a zeroed entry to a map while the message is parsed, so that no view of the map exists yet.</summary>
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

    /// <summary>Adds a zeroed element that belongs to no repeated field.</summary>
    /// <inheritdoc cref="Append(ref ElementRange)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
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

        return AppendSlow();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    int AppendSlow()
    {
        var range = default(ElementRange);
        return Append(ref range);
    }

    /// <summary>Gets the index of a sub-message, which is added if there is none yet.</summary>
    /// <param name="index">The index of the sub-message; 0 if there is none.</param>
    /// <returns>The index of the sub-message.</returns>
    /// <inheritdoc cref="Append(ref ElementRange)" path="/exception"/>
    public int Open(int index) => index == 0 ? Append() : index;

    internal override void AddRoot()
    {
        if (items.Length <= 1) Grow(2);
        items[0] = items[1] = default;
        used = filled = zeroed = 2;
        Memory.CountElements(Unsafe.SizeOf<T>());
    }

    internal override void ForgetZeroed() => zeroed = 0;

    /// <summary>Adds several elements to a repeated field of scalars.</summary>
    /// <inheritdoc cref="Append(ref ElementRange)" path="/exception"/>
    public void Append(ref ElementRange range, ReadOnlySpan<T> values)
    {
        if (values.IsEmpty) return;
        values.CopyTo(RoomBehind(ref range, values.Length));
        Extend(ref range, values.Length);
    }

    /// <summary>Gets room for more elements after those of a repeated field of scalars. The new elements belong to the field after
    /// <see cref="Extend"/>. Until they are written they may have any value.</summary>
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

    /// <summary>Adds the elements that were written into the room from <see cref="RoomBehind"/> to the field.</summary>
    internal void Extend(ref ElementRange range, int count)
    {
        var from = range.End;
        var to = (ulong)(uint)from + (uint)count;
        if (to > (uint)used) ThrowEmptied();

        // Elements between filled and this room may hold values of an earlier content.
        if (filled < from) items.AsSpan(filled, from - filled).Clear();
        if ((int)to > filled) SetFilled((int)to);
        range = new(range.Start, range.Count + count);
    }

    /// <summary>Gets room for the elements of an empty repeated field, after those of all fields. Until <see cref="TakeRoom"/> it belongs to
    /// no field, so it may be larger than what is needed.</summary>
    /// <param name="count">The maximum number of elements, a small number.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal Span<T> RoomAtEnd(int count)
    {
        if (used + RoomOf(count) > items.Length) Grow(used + (long)RoomOf(count));
        var (array, from) = (items, used);
        if ((ulong)(uint)from + (uint)count > (uint)array.Length) ThrowEmptied();
        return MemoryMarshal.CreateSpan(ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(array), (uint)from), count);
    }

    /// <summary>Makes the first elements of the room from <see cref="RoomAtEnd"/> a repeated field.</summary>
    /// <param name="count">The number of elements.</param>
    /// <param name="isCleared">Whether the rest of the room was written, with zeros.</param>
    /// <exception cref="WireFormatException">The elements exceed the limit of memory.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ElementRange TakeRoom(int count, bool isCleared)
    {
        var from = used;
        var room = RoomOf(count);
        Memory.CountElements(room * (long)Unsafe.SizeOf<T>());
        if ((uint)from + (uint)room > (uint)items.Length) ThrowEmptied();

        // Elements between filled and this room may hold values of an earlier content.
        if (filled < from) items.AsSpan(filled, from - filled).Clear();
        used = from + room;
        SetFilled(from + (isCleared ? room : count));
        return new(from, count);
    }

    static int RoomOf(int count) => count == 0 ? 0 : (int)BitOperations.RoundUpToPowerOf2((uint)count);

    [MethodImpl(MethodImplOptions.NoInlining)]
    Span<T> Aliased(ElementRange range)
    {
        if (!range.IsAliased) ThrowEmptied();
        var bytes = Memory.Span(range.Bytes(this, Unsafe.SizeOf<T>()));
        return MemoryMarshal.CreateSpan(ref Unsafe.As<byte, T>(ref MemoryMarshal.GetReference(bytes)), range.Count);
    }

    /// <summary>Copies aliased elements into this storage, where they can be changed.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    void Own(ref ElementRange range)
    {
        var bytes = Memory.TextAt(range.Bytes(this, Unsafe.SizeOf<T>()));
        var own = default(ElementRange);
        bytes.CopyTo(MemoryMarshal.AsBytes(RoomBehind(ref own, range.Count)));
        Extend(ref own, range.Count);
        range = own;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    int MakeRoom(ElementRange range) => MakeRoom(range, range.Count, Math.Max(1, 2 * range.Count));

    /// <summary>Makes room for a repeated field that is full. The room is after its elements, or the elements are moved to another
    /// place.</summary>
    /// <param name="range">The range of the field.</param>
    /// <param name="room">The number of elements that the field has room for.</param>
    /// <param name="wanted">The number of elements that the field will have room for.</param>
    /// <returns>The new index of the field's first element.</returns>
    int MakeRoom(ElementRange range, int room, int wanted)
    {
        if (range.Count != 0 && (uint)range.End > (uint)filled) ThrowEmptied();
        if (range.Count >= maxCount) ThrowTooMany();
        var moves = room == 0 || range.Start + room != used;
        var start = moves ? used : range.Start;
        var end = start + (long)wanted;
        Memory.CountElements((end - used) * Unsafe.SizeOf<T>());
        if (end > items.Length) Grow(end);
        if (moves && range.Count > 0) Move(range, start);
        used = (int)end;
        if (wanted <= 2 && filled == used - 1)
        {
            items[filled] = default;
            SetFilled(used);
        }

        return start;
    }

    // Not part of the method above, so that the JIT need not compile it before the first message.
    void Move(ElementRange range, int start)
    {
        if (Memory.IsMerging) Forward(range, start);
        if (filled < start) Fill(start - 1);
        Array.Copy(items, range.Start, items, start, range.Count);
        SetFilled(start + range.Count);
    }

    /// <summary>Clears the elements up to the one that a field grows into, and some more. This is cheaper than clearing one element at a
    /// time.</summary>
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

    // Views stay valid while a message is built: a setter that moves a list records the new index of each element.

    // For each element that was moved, the new index plus 1; for other elements 0. The old element is not used again in this content.
    int[] forwards = [];
    int forwardsEnd;

    /// <summary>Gets a reference to the element of a view, for a setter.</summary>
    /// <exception cref="ObjectDisposedException">The view's content was emptied.</exception>
    /// <exception cref="InvalidOperationException">The view is one of an absent sub-message.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref T Mutable(int index, int stamp)
    {
        // A storage of messages always has element 0, so the second comparison refuses index 0, too.
        var array = items;
        if (HasMoved(stamp) || (uint)(index - 1) >= (uint)(filled - 1) || (uint)index >= (uint)array.Length)
            return ref MutableSlow(index, stamp);
        return ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(array), (uint)index);
    }

    // All cases of a setter that are not the usual one are one call. With three calls the compiler inlined fewer setters into a method.
    [MethodImpl(MethodImplOptions.NoInlining)]
    ref T MutableSlow(int index, int stamp)
    {
        if (HasMoved(stamp)) index = Find((index, stamp)).Index;
        if (index == 0) ThrowAbsent();
        return ref this[index];
    }

    /// <summary>Gets a reference to the element of a view, for a method that reads the whole message.</summary>
    /// <exception cref="ObjectDisposedException">The view's content was emptied.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref T Content(int index, int stamp)
    {
        if (HasMoved(stamp)) index = Find((index, stamp)).Index;
        return ref this[index];
    }

    [DoesNotReturn]
    void ThrowAbsent() => throw new InvalidOperationException(
        $"This {MessageType} was taken from a field that was not set, so it can only be read. The Mutable method of the field adds it.");

    /// <summary>Gets the current index of a view's element, and the current stamp.</summary>
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

    /// <summary>Adds a zeroed element to a repeated field of messages of which there may be views. The views stay valid if the list is
    /// moved.</summary>
    /// <inheritdoc cref="Append(ref ElementRange)"/>
    public int Add(ref ElementRange range)
    {
        var before = range;
        var index = Append(ref range);
        if (before.Count > 0 && range.Start != before.Start) Forward(before, range.Start);
        return index;
    }

    /// <summary>Gets the index of a sub-message for a setter, as <see cref="Open"/> does for a parse. It is not inlined, because a method
    /// that makes a message calls it many times.</summary>
    /// <inheritdoc cref="Open"/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public int Add(int index) => Open(index);

    /// <summary>Adds a zeroed entry to a map of which there may be views. The views stay valid if the entries are moved.</summary>
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

    // Operations of setters other than adding.

    /// <summary>Replaces an element of a repeated field of scalars, strings or bytes.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The field has no element at the index.</exception>
    /// <inheritdoc cref="Append(ref ElementRange)" path="/exception"/>
    public void Replace(ref ElementRange range, int index, T value)
    {
        ThrowIfNoElement(range, index);
        if (range.IsAliased) Own(ref range);
        Slice(range)[index] = value;
    }

    /// <summary>Removes an element from a repeated field. The other elements are copied to a new place, so lists that were taken before do
    /// not change. Views of messages follow their elements. A view of the removed element still shows the old values.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The field has no element at the index.</exception>
    /// <inheritdoc cref="Append(ref ElementRange)" path="/exception"/>
    public void RemoveAt(ref ElementRange range, int index)
    {
        ThrowIfNoElement(range, index);
        if (range.IsAliased) Own(ref range);
        range = Without(range, index);
    }

    /// <summary>Removes an entry from a map, as <see cref="RemoveAt(ref ElementRange, int)"/> does.</summary>
    /// <param name="map">The map.</param>
    /// <param name="entry">The index of the entry in this storage.</param>
    public void RemoveAt(ref MapRange map, int entry)
    {
        var entries = map.Entries;
        ThrowIfNoElement(entries, entry - entries.Start);
        entries = Without(entries, entry - entries.Start);

        // The room is the number of entries. The hash table of keys is built again when it is needed.
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

    // The recent peak of used elements. It falls by a sixteenth with each use that needs less.
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
        Memory.CountHeld(((Reserved - items.Length) * (long)Unsafe.SizeOf<T>()) - (forwards.Length * (long)sizeof(int)));
        used = filled = zeroed = Reserved;
        items = new T[Reserved];
        forwards = [];
        forwardsEnd = 0;
        isLarge = false;
    }

    // The length up to which an array is kept: eight times the recent peak, and a few elements in any case.
    static int KeptLength(int peak) => Math.Max(8 * peak, fewElements);
}
