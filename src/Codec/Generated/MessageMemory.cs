using System.Buffers;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Text;
using System.Text.Unicode;
using ProtoBench.Allocators;

namespace ProtoBench.Codec.Generated;

/// <summary>What a message owns: the memory of its strings and bytes, and the flat arrays of its fields.</summary>
/// <remarks>The memory is one space of addresses. The payload begins at 0, so that an address is an offset in the input; what is stored by
/// a setter, or copied because it straddled two segments, lies behind. A piece of payload, or a stretch for what is stored, is one block.
/// The first block, when it is an array, is the one that every range is looked up in first.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
[SuppressMessage("Design", "CA1001", Justification = "Release, which the message calls, is the end of the arena")]
[SuppressMessage("Performance", "CA1825", Justification = "Array.Empty is two methods that are compiled before the first message")]
public sealed partial class MessageMemory
{
    const int firstRead = 32 * 1024;
    const int firstBlocks = 4;

    // What setters store is rented in stretches of so many bytes.
    const int stretch = 4 * 1024;

    // So many bytes behind what is stored are zero: the writer copies a short string by two moves of this length together, and what it
    // copies too much is the message's own or zero.
    const int slack = WireWriter.Inline;

    Storage[] storages = [];
    int storageCount;
    readonly SlabPool pool;
    readonly bool recycled;
    Arena arena;
    bool holdsSlab;

    // Whether the arena has lent anything since its last reset.
    bool hasRented;

    // Whether the first block is one that a recycled message may keep when it is emptied: the arena has lent nothing else from other slabs.
    bool keepsBlock;

    // Block 0, when it is an array.
    FirstBlock first = new() { Array = [] };

    // Every block, by address.
    Block[] blocks = new Block[firstBlocks];
    int blockCount;
    int blockPeak;
    int end;

    // The rest of the last stretch, which is the last block.
    byte[]? restArray;
    int restStart;
    int restCount;
    int restAddress;

    // Whether a block is the memory of a caller's MemoryManager, whose code runs when its span is taken.
    bool hasCode;

    // Bytes of the elements that this content has in all storages, and of the index of keys; and how many of them it may have while input
    // is read.
    long elementBytes;
    long elementLimit = long.MaxValue;

    internal MessageMemory(SlabPool pool, bool recycled)
    {
        this.pool = pool;
        this.recycled = recycled;
        arena = new(pool);
        Ranges = Storage<ByteRange>.Of(this);
    }

    /// <summary>Strings and bytes that were copied since the last parse, because they straddled segments of aliased input.</summary>
    internal int CopiedFieldCount { get; private set; }

    /// <summary>The elements of the repeated string and bytes fields, and the unknown fields.</summary>
    internal Storage<ByteRange> Ranges { get; }

    /// <summary>An upper bound of the size on the wire, which costs nothing: no element takes 16 times its size, and no stored byte is
    /// written twice.</summary>
    internal long SizeBound => end + (16 * elementBytes);

    internal SlabPool Pool => pool;

    ReadOnlySpan<Storage> Storages => storages.AsSpan(0, storageCount);

    /// <summary>The bytes of a range.</summary>
    /// <exception cref="ObjectDisposedException">The message has no such bytes: it was emptied since the range was made.</exception>
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

    /// <summary>The bytes of a field, if its message's content is the one that the stamp was read from.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ReadOnlySpan<byte> Span(Storage? storage, ByteRange range, int stamp)
    {
        if (storage is not null)
        {
            var memory = storage.Memory;
            var array = memory.first.Array;
            var start = (ulong)(uint)memory.first.Start;
            var end = (ulong)(uint)range.Address + (uint)range.Length;

            // The second comparison is for a late reader, who may see one message's array and another one's length.
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
        value.CopyTo(Reserve(value.Length, out var range));
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

    /// <summary>Encodes a string into the message's own memory. A surrogate without its other half becomes U+FFFD.</summary>
    /// <inheritdoc cref="Store" path="/exception"/>
    public ByteRange StoreString(ReadOnlySpan<char> text)
    {
        if (text.IsEmpty) return default;
        var room = Reserve(Encoding.UTF8.GetByteCount(text), out var range);
        var written = Encoding.UTF8.GetBytes(text, room);

        // The text may be a buffer that another thread changes.
        room[written..].Clear();
        return range;
    }

    /// <summary>The storage of a type, if the message has it already.</summary>
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

    /// <summary>Counts memory before it is taken.</summary>
    /// <exception cref="WireFormatException">What is read takes too much.</exception>
    internal void CountElements(long bytes)
    {
        if (bytes > elementLimit - elementBytes) ThrowMemoryLimit();
        elementBytes += bytes;
    }

    /// <summary>From here on to the end of the reading, elements are those of input of a length.</summary>
    void LimitElements(int length)
    {
        var limit = ParseLimits.For(length);
        elementLimit = limit > long.MaxValue - elementBytes ? long.MaxValue : elementBytes + limit;
    }

    /// <summary>Room for bytes of the message's own, behind everything that it has stored.</summary>
    internal Span<byte> Reserve(int length, out ByteRange range)
    {
        if (length > restCount - slack) RentStretch(length);
        var room = restArray.AsSpan(restStart, length + slack);
        ref var behind = ref MemoryMarshal.GetReference(room[length..]);
        Vector256<byte>.Zero.StoreUnsafe(ref behind);
        Vector256<byte>.Zero.StoreUnsafe(ref behind, slack / 2);
        range = new(restAddress, length);
        restStart += length;
        restCount -= length;
        restAddress += length;
        if (blockCount == 1) (first.Length, first.InlineCount) = (restAddress, restAddress + 1);
        return room[..length];
    }

    /// <summary>The range at a stretch of the payload, which is there but may cross blocks: then it is copied.</summary>
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
            // Of an own stretch only what was stored in it: behind that are bytes of other messages.
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
        if (restArray == segment.Array && restStart + restCount == segment.Offset && segment.Count <= int.MaxValue - end)
        {
            ref var last = ref blocks[blockCount - 1];
            restCount += segment.Count;
            last.Memory = new(segment.Array, last.OwnedStart, last.Memory.Length + segment.Count);
            end += segment.Count;
            return;
        }

        SetRest(segment, Add(new() { Memory = segment, Owned = segment.Array, OwnedStart = segment.Offset }));
        keepsBlock = recycled && blockCount == 1 && segment.Count <= pool.SlabSize;
    }

    void SetRest(ArraySegment<byte> room, int address) =>
        (restArray, restStart, restCount, restAddress) = (room.Array, room.Offset, room.Count, address);

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
        if (blockCount == blocks.Length)
        {
            Array.Resize(ref blocks, 2 * blockCount);
            CountHeld(blockCount * (long)Unsafe.SizeOf<Block>());
        }

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
                InlineCount = block.Owned is null ? Math.Max(0, segment.Count + 1 - slack) : 0
            };
        }

        return block.Address;
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

        // From so many addresses the writer may copy a short string at once: an own block has zeros behind its last byte, a payload of
        // the caller's ends where it ends.
        public int InlineCount;
    }

    struct Block
    {
        public ReadOnlyMemory<byte> Memory;
        public int Address;

        // Bytes that hold something: all of a payload, and of an own stretch what was stored in it. For the last one: StoredIn.
        public int Stored;

        // Where the message's own memory is.
        public byte[]? Owned;
        public int OwnedStart;
        public ContentMemory? Content;

        public readonly int End => Address + Memory.Length;
    }

    // The bytes of a range, wherever they are.

    /// <summary>Where the writer finds short ranges without looking for their block.</summary>
    internal (byte[] Array, int Start, int InlineCount) InlineSource
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            // Compared with the array, because a late writer may see two messages at once.
            var (array, start, count) = (first.Array, first.Start, first.InlineCount);
            var fits = (ulong)(uint)start + (uint)count + (slack - 1) <= (uint)array.Length;
            return (array, start, fits ? count : 0);
        }
    }

    /// <summary>The bytes of a field, as memory that throws when it is used after the message was emptied.</summary>
    internal static ReadOnlyMemory<byte> Memory(Storage? storage, ByteRange range, int stamp)
    {
        if (storage is null) return default;
        var memory = storage.Memory.Memory(range);
        storage.ThrowIfEmptied(stamp);
        return memory;
    }

    /// <summary>Whether bytes are part of the message's own memory.</summary>
    internal bool Owns(ReadOnlySpan<byte> bytes)
    {
        for (var i = 0; i < blockCount; i++)
        {
            if (blocks[i].Owned is { } array && bytes.Overlaps(array)) return true;
        }

        return false;
    }

    // For a range in another block, in a list that a setter moved, in a message that was emptied; or for the default value of a view.
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

        // The memory may be a caller's MemoryManager, whose code may release the message. Going on would change the next renter's message.
        var stamp = Root.Stamp;
        ReadOnlySpan<byte> bytes;
        try
        {
            bytes = Aliased(block, start, range).Span;
        }
        catch (ArgumentOutOfRangeException)
        {
            // Memory of which one content had the array and another one the length; the framework looks.
            throw Storage.Emptied();
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
            if (!Fits(block.OwnedStart, new(0, length), array.Length)) Storage.ThrowEmptied();
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
        if (!Fits(start, range, StoredIn(blocks, index))) Storage.ThrowEmptied();
        return index;
    }

    static bool Fits(long start, ByteRange range, int length) => start >= 0 && start + (uint)range.Length <= (uint)length;

    static ReadOnlyMemory<byte> Aliased(in Block block, int start, ByteRange range)
    {
        var memory = block.Memory;
        if (!Fits(start, range, memory.Length)) Storage.ThrowEmptied();
        return memory.Slice(start, range.Length);
    }

    // Fields, here and below: an accessor is one more method for the JIT before the first message.

    /// <summary>Bytes of the arrays and of the slab that the message keeps when it is emptied.</summary>
    internal long HeldBytes;

    /// <summary>The storage of the outermost message. Its stamp stands for the content of the whole memory.</summary>
    internal Storage Root = null!;

    /// <summary>Whether a stamp is so near its last value that the storages are to be replaced before it can repeat.</summary>
    internal bool IsWornOut;

    internal void CountHeld(long bytes) => HeldBytes += bytes;

    internal void Open(Storage root)
    {
        if (root is null || root.Memory != this)
            throw new InvalidOperationException("CreateStorage made no storage in the memory that it was given.");
        Root = root;
        root.AddRoot();
    }

    // Inlined into the callers of Dispose it takes their registers: reading a message of no fields was 3.7 % slower [2.1, 5.4].

    /// <summary>Empties the message and keeps its arrays and one slab.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal void Reset()
    {
        Invalidate();
        ForgetContent();
        if (slots.Length != 0) ResetMaps();
        if (keepsBlock && blockCount == 1 && blocks.Length == firstBlocks) Rewind();
        else DropBlocks();
        var stamps = 0;
        foreach (var storage in Storages) stamps |= storage.Reset();
        IsWornOut |= stamps < 0;
        Root.AddRoot();
    }

    /// <summary>Gives everything back. The message can be used again, if it is recycled.</summary>
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

    // Once before anything is taken away and once after it: a reader on another thread that checks its stamp after reading has read
    // either what it asked for, or notices.
    void Invalidate()
    {
        var stamps = 0;
        foreach (var storage in Storages) stamps |= storage.Invalidate();
        IsWornOut |= stamps < 0;
    }

    /// <summary>Keeps the only block, a stretch of the message's own memory, as
    /// one where nothing is stored. The arena keeps its slab anyway.</summary>
    void Rewind()
    {
        ref var block = ref blocks[0];
        block.Content = null;
        first.Length = first.InlineCount = 0;
        (restStart, restCount, restAddress) = (block.OwnedStart, block.Memory.Length, 0);
    }

    /// <summary>Gives up what was stored, or the block that <see cref="Rewind"/> kept where the input cannot be stored in it.</summary>
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
        (restArray, restStart, restCount, restAddress) = (null, 0, 0, 0);
    }

    void ForgetContent()
    {
        (Origin, TagAt) = (0, default);
        CopiedFieldCount = 0;
        BorrowsInput = IsMerging = false;
        (elementBytes, elementLimit) = (0, long.MaxValue);
        mapCount = 0;
    }
}

/// <summary>A block of one content of a message, for memory that is kept across an await: once the message is emptied, it throws.</summary>
/// <remarks>It does not give its array away (<see cref="System.Runtime.InteropServices.MemoryMarshal.TryGetArray{T}"/> fails): the array
/// serves other messages later.</remarks>
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

    /// <summary>Whether this is memory of the present content, from the start of a block to so many bytes behind it.</summary>
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
