using System.Buffers;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Text;
using System.Text.Unicode;
using ProtoBench.Allocators;

namespace ProtoBench.Codec.Runtime;

/// <summary>Represents the memory that a message owns: the bytes of its strings and bytes fields, and the flat arrays of its
/// fields.</summary>
/// <remarks>The memory is one address space. The payload begins at address 0, so an address in it is an offset in the input. Bytes that a
/// setter stored, or that were copied because they cross the border of two segments, have higher addresses. A block is one segment of the
/// payload, or one stretch of memory for stored bytes. If the first block is an array, each range is looked up there first.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
[SuppressMessage("Design", "CA1001", Justification = "Release, which the message calls, is the end of the arena")]
[SuppressMessage("Performance", "CA1825", Justification = "Array.Empty is two methods that are compiled before the first message")]
public sealed partial class MessageMemory
{
    const int firstRead = 32 * 1024;
    const int firstBlocks = 4;

    // The length, in bytes, of a stretch. Stretches are rented for the bytes that setters store.
    const int stretch = 4 * 1024;

    // The number of zero bytes after the stored bytes. The writer copies a short string by two moves that have this length together. So the
    // bytes that it copies beyond the string belong to the message or are zero.
    const int slack = WireWriter.Inline;

    Storage[] storages = [];
    int storageCount;
    readonly SlabPool pool;
    readonly bool recycled;
    Arena arena;
    bool holdsSlab;

    // Whether memory was rented from the arena since its last reset.
    bool hasRented;

    // Whether a recycled message may keep the first block when it is emptied. This requires that nothing was rented from other slabs.
    bool keepsBlock;

    // Block 0, if it is an array.
    FirstBlock first = new() { Array = [] };

    // All blocks, in the order of their addresses.
    Block[] blocks = new Block[firstBlocks];
    int blockCount;
    int blockPeak;
    int end;

    // The unused rest of the last stretch. This stretch is the last block.
    byte[]? restArray;

    // The index in the array of an address, minus the address.
    int restShift;
    int restAddress;
    int restEnd;

    // Whether a block is the memory of a caller's MemoryManager. The code of the MemoryManager runs when the span is read.
    bool hasCode;

    // The number of bytes of this content's elements in all storages and of the hash table of keys, and the limit of this number while
    // input is read.
    long elementBytes;
    long elementLimit = long.MaxValue;

    internal MessageMemory(SlabPool pool, bool recycled)
    {
        this.pool = pool;
        this.recycled = recycled;
        arena = new(pool);
        Ranges = Storage<ByteRange>.Of(this);
    }

    /// <summary>Gets the number of string and bytes fields that were copied since the last parse, because they cross the border of two
    /// segments of aliased input.</summary>
    internal int CopiedFieldCount { get; private set; }

    /// <summary>Gets the number of unknown fields that were discarded since the last parse.</summary>
    internal int DiscardedFieldCount { get; private set; }

    /// <summary>Gets the storage of the elements of repeated string and bytes fields, and of unknown fields.</summary>
    internal Storage<ByteRange> Ranges { get; }

    /// <summary>Gets an upper bound of the size on the wire. It is cheap to calculate: no element takes 16 times its size on the wire, and
    /// no stored byte is written twice.</summary>
    internal long SizeBound => end + (16 * elementBytes);

    /// <summary>Gets the number of bytes of the input and of the values that setters have stored.</summary>
    internal int StoredBytes => restArray is null ? end : restAddress;

    internal SlabPool Pool => pool;

    ReadOnlySpan<Storage> Storages => storages.AsSpan(0, storageCount);

    /// <summary>Gets the bytes of a range.</summary>
    /// <exception cref="ObjectDisposedException">The message does not have these bytes, because it was emptied after the range was
    /// made.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ReadOnlySpan<byte> Span(ByteRange range)
    {
        var array = first.Array;
        var start = (ulong)(uint)first.Start;
        var end = (ulong)(uint)range.Address + (uint)range.Length;
        if (end <= (uint)first.Length && start + end <= (uint)array.Length)
            return MemoryMarshal.CreateReadOnlySpan(
                ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(array), (nuint)(start + (uint)range.Address)), range.Length);
        return SpanSlow(range);
    }

    /// <summary>Gets the bytes of a field, if the message still has the content from which the stamp was read.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ReadOnlySpan<byte> Span(Storage? storage, ByteRange range, int stamp)
    {
        if (storage is not null)
        {
            var memory = storage.Memory;
            var array = memory.first.Array;
            var start = (ulong)(uint)memory.first.Start;
            var end = (ulong)(uint)range.Address + (uint)range.Length;

            // The second comparison is for a reader on another thread, which may see the array of one content and the length of another.
            if (end <= (uint)memory.first.Length && start + end <= (uint)array.Length && storage.IsCurrent(stamp))
                return MemoryMarshal.CreateReadOnlySpan(
                    ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(array), (nuint)(start + (uint)range.Address)), range.Length);
        }

        return SpanSlow(storage, range, stamp);
    }

    /// <summary>Copies bytes into the message's own memory.</summary>
    /// <exception cref="ObjectDisposedException">The message was released.</exception>
    /// <exception cref="InsufficientMemoryException">The message has more than 2 GiB.</exception>
    /// <exception cref="SlabPoolExhaustedException">The pool is at its limit.</exception>
    public ByteRange Store(ReadOnlySpan<byte> value)
    {
        if (value.IsEmpty) return default;
        ByteCopy.Copy(value, ref MemoryMarshal.GetReference(Reserve(value.Length, out var range)));
        return range;
    }

    /// <summary>Copies a string in UTF-8 into the message's own memory.</summary>
    /// <exception cref="ArgumentException"><paramref name="utf8"/> is not UTF-8.</exception>
    /// <inheritdoc cref="Store" path="/exception"/>
    public ByteRange StoreString(ReadOnlySpan<byte> utf8)
    {
        if (!Utf8.IsValid(utf8)) throw new ArgumentException("A string field takes UTF-8 only.", nameof(utf8));
        return Store(utf8);
    }

    // Not inlined: the compiler inlines a limited amount of code into the method that makes a message, and strings have most of it.

    /// <summary>Encodes a string into the message's own memory. A lone surrogate becomes U+FFFD.</summary>
    /// <inheritdoc cref="Store" path="/exception"/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public ByteRange StoreString(ReadOnlySpan<char> text)
    {
        if (text.IsEmpty) return default;
        if (text.Length <= restEnd - slack - restAddress)
        {
            ref var room = ref MemoryMarshal.GetReference(restArray.AsSpan(restAddress + restShift, text.Length + slack));
            if (AsciiText.TryEncode(text, ref room)) return Commit(ref room, text.Length);
        }

        return StoreStringSlow(text);
    }

    const int longestCharacter = 3;

    // For a text that is not ASCII, or has no room. It is counted only if there may be no room.
    [MethodImpl(MethodImplOptions.NoInlining)]
    ByteRange StoreStringSlow(ReadOnlySpan<char> text)
    {
        var rest = restEnd - slack - restAddress;
        if (text.Length <= rest / longestCharacter)
        {
            var room = restArray.AsSpan(restAddress + restShift, rest + slack);
            return Commit(ref MemoryMarshal.GetReference(room), Encoding.UTF8.GetBytes(text, room[..rest]));
        }

        // The attempt to store ASCII may have written behind the stored bytes.
        if (rest >= 0) Commit(ref MemoryMarshal.GetReference(restArray.AsSpan(restAddress + restShift, slack)), 0);
        var counted = Reserve(Encoding.UTF8.GetByteCount(text), out var range);
        var written = Encoding.UTF8.GetBytes(text, counted);

        // Another thread may have changed the text meanwhile, so that fewer bytes were written than reserved.
        counted[written..].Clear();
        return range;
    }

    /// <summary>Rents a message. For generated code: IDisposableAnalyzers follows it to here, and takes a method for one that creates what
    /// it returns only if another type has it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Message<T> Rent<T>()
        where T : struct, ISlabMessage<T> => Message<T>.Rent();

    /// <summary>Finds the storage of a type, if the message already has it.</summary>
    public TStorage? Find<TStorage>()
        where TStorage : Storage
    {
        foreach (var storage in Storages)
        {
            if (storage.GetType() == typeof(TStorage)) return (TStorage)storage;
        }

        return null;
    }

    internal void Register(Storage storage)
    {
        if (storageCount == storages.Length) Array.Resize(ref storages, Math.Max(4, 2 * storageCount));
        storages[storageCount++] = storage;
    }

    /// <summary>Counts memory of elements before it is allocated.</summary>
    /// <exception cref="WireFormatException">The elements take more memory than the limit allows.</exception>
    internal void CountElements(long bytes)
    {
        if (bytes > elementLimit - elementBytes) ThrowMemoryLimit();
        elementBytes += bytes;
    }

    /// <summary>Sets the limit of the elements' memory for input of a length, until the end of the read.</summary>
    void LimitElements(int length)
    {
        var limit = ParseLimits.For(length);
        elementLimit = limit > long.MaxValue - elementBytes ? long.MaxValue : elementBytes + limit;
    }

    /// <summary>Reserves memory for bytes, after all bytes that the message has stored.</summary>
    internal Span<byte> Reserve(int length, out ByteRange range)
    {
        if (length > restEnd - slack - restAddress) RentStretch(length);
        var room = restArray.AsSpan(restAddress + restShift, length + slack);
        range = Commit(ref MemoryMarshal.GetReference(room), length);
        return room[..length];
    }

    /// <summary>Makes bytes at the start of the rest stored bytes. There must be room for them and the zeros after them.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    ByteRange Commit(ref byte room, int length)
    {
        ref var behind = ref Unsafe.Add(ref room, (uint)length);
        Vector256<byte>.Zero.StoreUnsafe(ref behind);
        Vector256<byte>.Zero.StoreUnsafe(ref behind, slack / 2);
        var address = restAddress;
        restAddress = address + length;
        if (blockCount == 1) first.Length = address + length;
        return new(address, length);
    }

    /// <summary>Gets the range of bytes of the payload, which must exist. Bytes that cross the border of two blocks are copied.</summary>
    internal ByteRange Gather(int address, int length)
    {
        if (BorrowsInput) throw new InvalidOperationException("The message type says that it does not keep its input.");
        return (ulong)(uint)address + (uint)length <= (uint)first.Length || length == 0
            ? new(address, length) : GatherSlow(address, length);
    }

    ByteRange GatherSlow(int address, int length)
    {
        var index = BlockOf(blocks, address);
        if (address + length <= blocks[index].End) return new(address, length);
        CopiedFieldCount++;
        var rest = Reserve(length, out var range);
        if (hasCode) rest.Clear();
        for (; ; index++)
        {
            // Only the stored bytes of a stretch are copied: the bytes after them belong to other messages.
            var block = blocks[index];
            var part = BytesOf(block.Memory)[(address - block.Address)..StoredIn(blocks, index)];
            if (part.Length >= rest.Length)
            {
                part[..rest.Length].CopyTo(rest);
                return range;
            }

            part.CopyTo(rest);
            rest = rest[part.Length..];
            address += part.Length;
        }
    }

    void RentStretch(int length)
    {
        if (length > Array.MaxLength - slack) ThrowTooLarge();
        if (restArray is not null && restAddress == 0) DropBlocks();
        var segment = Rent(Math.Max(length + slack, stretch));
        if (restArray is not null && TryExtendRest(segment)) return;
        SetRest(segment, Add(new() { Memory = segment, Owned = segment.Array, OwnedStart = segment.Offset }));
        keepsBlock = recycled && blockCount == 1 && segment.Count <= pool.SlabSize;
    }

    // This method and GrowBlocks are not part of their callers, so that the JIT need not compile them before the first message.

    bool TryExtendRest(ArraySegment<byte> segment)
    {
        if (restArray != segment.Array || restEnd + restShift != segment.Offset || segment.Count > int.MaxValue - end) return false;
        ref var last = ref blocks[blockCount - 1];
        restEnd += segment.Count;
        last.Memory = new(segment.Array, last.OwnedStart, last.Memory.Length + segment.Count);
        end += segment.Count;
        return true;
    }

    void SetRest(ArraySegment<byte> room, int address) =>
        (restArray, restShift, restAddress, restEnd) = (room.Array, room.Offset - address, address, address + room.Count);

    ArraySegment<byte> Rent(int length)
    {
        hasRented = true;
        var segment = arena.RentSegment(length);
        if (!holdsSlab && length <= pool.SlabSize)
        {
            // The arena keeps one slab when it is reset.
            holdsSlab = true;
            CountHeld(pool.SlabSize);
        }

        return segment;
    }

    int Add(Block block)
    {
        if (block.Memory.Length > int.MaxValue - end) ThrowTooLarge();
        if (blockCount == blocks.Length) GrowBlocks();
        block.Address = end;
        if (blockCount > 0) blocks[blockCount - 1].Stored = StoredIn(blocks, blockCount - 1);
        if (block.Owned is null) block.Stored = block.Memory.Length;
        blocks[blockCount++] = block;
        end += block.Memory.Length;
        if (block.Owned is null && HasCode(block.Memory)) hasCode = true;
        else if (blockCount == 1 && MemoryMarshal.TryGetArray(block.Memory, out var segment))
        {
            first = new()
            {
                Array = segment.Array!,
                Start = segment.Offset,
                Length = Math.Min(segment.Count, block.Stored),
                Unpadded = block.Owned is null ? slack : 0
            };
        }

        return block.Address;
    }

    void GrowBlocks()
    {
        Array.Resize(ref blocks, 2 * blockCount);
        CountHeld(blockCount * (long)Unsafe.SizeOf<Block>());
    }

    int StoredIn(Block[] blocks, int index) =>
        index == blockCount - 1 && blocks[index].Owned is not null ? restAddress - blocks[index].Address : blocks[index].Stored;

    int BlockOf(Block[] blocks, int address)
    {
        var (low, high) = (0, Math.Min(blockCount, blocks.Length) - 1);
        while (low < high)
        {
            var middle = (int)(((uint)low + (uint)high + 1) / 2);
            if (blocks[middle].Address <= address) low = middle;
            else high = middle - 1;
        }

        return low;
    }

    [DoesNotReturn]
    void ThrowMemoryLimit()
    {
        elementLimit = long.MaxValue;
        throw new WireFormatException();
    }

    [DoesNotReturn]
    static void ThrowTooLarge() => throw new InsufficientMemoryException("A message cannot have more than 2 GiB.");

    struct FirstBlock
    {
        public byte[] Array;
        public int Start;
        public int Length;

        // The number of zeros that the block lacks. A block of the message's own memory has zeros after its last byte. A payload of the
        // caller has no such bytes after its end.
        public int Unpadded;
    }

    struct Block
    {
        public ReadOnlyMemory<byte> Memory;
        public int Address;

        // The number of bytes in use: all bytes of a payload, or the stored bytes of a stretch. For the last block, StoredIn calculates it.
        public int Stored;

        // The array and the offset of the message's own memory; null for a payload of the caller.
        public byte[]? Owned;
        public int OwnedStart;
        public ContentMemory? Content;

        public readonly int End => Address + Memory.Length;
    }

    // The lookup of a range in any block.

    /// <summary>Gets the array from which the writer copies short ranges without a lookup of their block.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal byte[] InlineSource(out int start, out int inlineCount)
    {
        // The values are compared with the array, because a writer on another thread may see values of two contents.
        var (array, length) = (first.Array, first.Length);
        start = first.Start;
        var count = length + 1 - first.Unpadded;
        var fits = (ulong)(uint)start + (uint)count + (slack - 1) <= (uint)array.Length;
        inlineCount = fits && length > 0 ? count : 0;
        return array;
    }

    /// <summary>Gets the bytes of a field, as memory that throws if it is used after the message was emptied.</summary>
    internal static ReadOnlyMemory<byte> Memory(Storage? storage, ByteRange range, int stamp)
    {
        if (storage is null) return default;
        var memory = storage.Memory.Memory(range);
        storage.ThrowIfEmptied(stamp);
        return memory;
    }

    /// <summary>Determines whether bytes are part of the message's own memory.</summary>
    internal bool Owns(ReadOnlySpan<byte> bytes)
    {
        for (var i = 0; i < blockCount; i++)
        {
            if (blocks[i].Owned is { } array && bytes.Overlaps(array)) return true;
        }

        return false;
    }

    // For a range in another block, in a list that a setter moved, or in a message that was emptied; and for the default value of a view.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static ReadOnlySpan<byte> SpanSlow(Storage? storage, ByteRange range, int stamp)
    {
        if (storage is null) return default;
        var span = storage.Memory.Span(range);
        storage.ThrowIfEmptied(stamp);
        return span;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    ReadOnlySpan<byte> SpanSlow(ByteRange range)
    {
        if (range.Length == 0) return default;
        var blocks = this.blocks;
        var block = blocks[IndexOf(blocks, range, out var start)];
        if (block.Owned is { } array && Fits((long)block.OwnedStart + start, range, array.Length))
            return new(array, block.OwnedStart + start, range.Length);

        // The memory may be a caller's MemoryManager. Its code may release the message. Continuing would then change the message of the
        // next renter.
        var stamp = Root.Stamp;
        ReadOnlySpan<byte> bytes;
        try
        {
            bytes = Aliased(block, start, range).Span;
        }
        catch (ArgumentOutOfRangeException)
        {
            // The memory has the array of one content and the length of another. The framework checks the bounds.
            throw Root.Emptied();
        }

        Root.ThrowIfEmptied(stamp);
        return bytes;
    }

    ReadOnlyMemory<byte> Memory(ByteRange range)
    {
        if (range.Length == 0) return default;
        var blocks = this.blocks;
        ref var block = ref blocks[IndexOf(blocks, range, out var start)];
        if (block.Owned is not { } array) return Aliased(block, start, range);
        if (block.Content is not { } content || !content.Covers(array, block.OwnedStart, start + range.Length))
        {
            var length = Math.Max(block.Stored, start + range.Length);
            if (!Fits(block.OwnedStart, new(0, length), array.Length)) Root.ThrowEmptied();
            block.Content = content = new(Root, new(array, block.OwnedStart, length));
        }

        return content.Slice(start, range.Length);
    }

    // A reader on another thread may see the blocks, the range and the lengths of three different contents. A range that does not fit
    // belongs to a content that has ended.
    int IndexOf(Block[] blocks, ByteRange range, out int start)
    {
        var index = BlockOf(blocks, range.Address);
        start = range.Address - blocks[index].Address;
        if (!Fits(start, range, StoredIn(blocks, index))) Root.ThrowEmptied();
        return index;
    }

    static bool Fits(long start, ByteRange range, int length) => start >= 0 && start + (uint)range.Length <= (uint)length;

    ReadOnlyMemory<byte> Aliased(in Block block, int start, ByteRange range)
    {
        var memory = block.Memory;
        if (!Fits(start, range, memory.Length)) Root.ThrowEmptied();
        return memory.Slice(start, range.Length);
    }

    // These are fields and not properties: an accessor is one more method that the JIT compiles before the first message.

    /// <summary>The number of bytes of the arrays and of the slab that the message keeps when it is emptied.</summary>
    internal long HeldBytes;

    /// <summary>The storage of the outermost message. Its stamp stands for the content of the whole memory.</summary>
    internal Storage Root = null!;

    /// <summary>Whether a stamp is near its maximum. The storages must then be replaced, before a stamp can repeat.</summary>
    internal bool IsWornOut;

    internal void CountHeld(long bytes) => HeldBytes += bytes;

    internal void Open(Storage root)
    {
        if (root is null || root.Memory != this)
            throw new InvalidOperationException("CreateStorage made no storage in the memory that it was given.");
        Root = root;
        root.AddRoot();
    }

    // Not inlined: in the callers of Dispose it would use their registers. Reading a message without fields was 3.7 % slower [2.1, 5.4].

    /// <summary>Empties the message and keeps its arrays and one slab.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal void Reset()
    {
        ForgetContent();

        // A message of numbers alone has no memory that another message gets, so one new stamp is enough.
        if (hasRented || blockCount != 0 || slots.Length != 0)
        {
            Invalidate();
            if (slots.Length != 0) ResetMaps();
            if (keepsBlock && blockCount == 1 && blocks.Length == firstBlocks) Rewind();
            else DropBlocks();
        }

        var stamps = 0;
        foreach (var storage in Storages) stamps |= storage.Reset();
        IsWornOut |= stamps < 0;
        Root.AddRoot();
    }

    /// <summary>Releases all memory. A recycled message can be used again.</summary>
    internal void Release()
    {
        Invalidate();
        foreach (var storage in Storages) storage.Release();
        Forget();
        ForgetContent();
        ReleaseBlocks();
        ReleaseMaps();
        HeldBytes = 0;
        holdsSlab = hasRented = false;
        arena.Dispose();
        Invalidate();
    }

    /// <summary>Makes the memory usable after <see cref="Release"/>.</summary>
    internal void Reopen()
    {
        arena = new(pool);
        Root.AddRoot();
    }

    void ReleaseBlocks()
    {
        CountHeld((firstBlocks - blocks.Length) * (long)Unsafe.SizeOf<Block>());
        blocks = new Block[firstBlocks];
    }

    // Called once before memory is released and once after it. A reader on another thread compares its stamp after reading: either it has
    // read the right content, or it sees that the stamp has changed.
    void Invalidate()
    {
        var stamps = 0;
        foreach (var storage in Storages) stamps |= storage.Invalidate();
        IsWornOut |= stamps < 0;
    }

    /// <summary>Keeps the only block, a stretch of the message's own memory, and marks it as unused. The arena keeps its slab in any
    /// case.</summary>
    void Rewind()
    {
        ref var block = ref blocks[0];
        block.Content = null;
        first.Length = 0;
        (restShift, restAddress, restEnd) = (block.OwnedStart, 0, block.Memory.Length);
    }

    /// <summary>Releases the blocks: those with stored bytes, or the one that <see cref="Rewind"/> kept if the input cannot be stored in
    /// it.</summary>
    void DropBlocks()
    {
        if (!hasRented && blockCount == 0) return;
        Forget();
        arena.Reset();
        hasRented = false;
    }

    void Forget()
    {
        blockPeak = Math.Max(blockCount, blockPeak - (blockPeak >> 4));
        if (blocks.Length > 8 * Math.Max(blockPeak, 2 * firstBlocks)) ReleaseBlocks();
        else Array.Clear(blocks, 0, blockCount);
        first = new() { Array = [] };
        (blockCount, end, keepsBlock, hasCode) = (0, 0, false, false);
        (restArray, restShift, restAddress, restEnd) = (null, 0, 0, 0);
    }

    void ForgetContent()
    {
        (Origin, TagAt) = (0, default);
        CopiedFieldCount = DiscardedFieldCount = 0;
        BorrowsInput = IsMerging = false;
        (elementBytes, elementLimit) = (0, long.MaxValue);
        mapCount = 0;
    }
}

/// <summary>Represents a block of one content of a message, as memory that can be kept across an await. It throws after the message was
/// emptied.</summary>
/// <remarks>It does not expose its array (<see cref="System.Runtime.InteropServices.MemoryMarshal.TryGetArray{T}"/> fails), because other
/// messages use the array later.</remarks>
sealed class ContentMemory : MemoryManager<byte>
{
    readonly Storage root;
    readonly int stamp;
    readonly ArraySegment<byte> bytes;

    public ContentMemory(Storage root, ArraySegment<byte> bytes)
    {
        this.root = root;
        this.bytes = bytes;
        stamp = root.Stamp;
    }

    /// <summary>Determines whether this is memory of the current content that begins at the start of a block and has at least a given
    /// length.</summary>
    public bool Covers(byte[] array, int start, int length) =>
        bytes.Array == array && bytes.Offset == start && bytes.Count >= length && root.HasContentOf(stamp);

    public ReadOnlyMemory<byte> Slice(int start, int length) => CreateMemory(start, length);

    public override Span<byte> GetSpan()
    {
        root.ThrowIfEmptied(stamp);
        return bytes;
    }

    public override MemoryHandle Pin(int elementIndex = 0)
    {
        root.ThrowIfEmptied(stamp);
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)elementIndex, (uint)bytes.Count, nameof(elementIndex));
        return bytes.AsMemory(elementIndex).Pin();
    }

    public override void Unpin()
    {
    }

    protected override void Dispose(bool disposing)
    {
    }
}
