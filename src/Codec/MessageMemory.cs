using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using ProtoBench.Allocators;

namespace ProtoBench.Codec;

/// <summary>What a message owns: the memory of its leaves and the flat arrays of its rows.</summary>
/// <remarks>The memory is one space of addresses. Payload begins at 0, so that an address is an offset in the input; what is stored by a
/// setter, or copied because it straddled two segments, lies behind. A payload or store is one block: a stretch of memory at an address.
/// The first block, when it is an array, is the one that every leaf is looked up in first.</remarks>
[SuppressMessage("Design", "CA1001", Justification = "Release, which the message calls, is the end of the arena")]
public sealed partial class MessageMemory
{
    const int firstRead = 32 * 1024;

    // What setters store is rented in stretches of so many bytes: a first block that is longer than its leaves lets the writer copy them without
    // a look at their end (a group of colors: 23 instead of 60 ns).
    const int stretch = 4 * 1024;

    readonly List<Rows> tables = [];
    readonly Arena arena;
    bool released;

    // Block 0, when it is an array: leavesStart and leavesLength were checked against the array by whoever set them.
    byte[] leaves = [];
    int leavesStart;
    int leavesLength;

    // Every block, by address. Stored is the first of them that is the message's own.
    Block[] blocks = new Block[4];
    int blockCount;
    int end;

    // The rest of the last stretch: addressable already, and no leaf is in it.
    ArraySegment<byte> rest = ArraySegment<byte>.Empty;
    int restAddress;

    internal MessageMemory(SlabPool pool) => arena = new(pool);

    /// <summary>Leaves that were copied since the last parse, because they straddled segments of aliased input.</summary>
    public int StraddledLeaves { get; private set; }

    /// <summary>The bytes of a leaf.</summary>
    /// <exception cref="ObjectDisposedException">The message was released.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ReadOnlySpan<byte> Span(Leaf leaf) =>
        (ulong)(uint)leaf.Address + (uint)leaf.Length <= (uint)leavesLength
            ? MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(leaves), (uint)(leavesStart + leaf.Address)), leaf.Length)
            : Memory(leaf).Span;

    /// <summary>The bytes of a leaf, as memory.</summary>
    /// <inheritdoc cref="Span" path="/exception"/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public ReadOnlyMemory<byte> Memory(Leaf leaf)
    {
        if (leaf.Length == 0) return default;
        ThrowIfReleased();
        ref readonly var block = ref blocks[BlockOf(leaf.Address)];
        return block.Memory.Slice(leaf.Address - block.Address, leaf.Length);
    }

    /// <summary>Copies the bytes of a leaf into the message's own memory.</summary>
    /// <exception cref="ObjectDisposedException">The message was released.</exception>
    /// <exception cref="InsufficientMemoryException">The message has more than 2 GiB, or its pool is at its cap.</exception>
    public Leaf Store(ReadOnlySpan<byte> value)
    {
        if (value.IsEmpty) return default;
        value.CopyTo(Reserve(value.Length, out var leaf));
        return leaf;
    }

    /// <summary>Copies a string in UTF-8 into the message's own memory.</summary>
    /// <exception cref="ArgumentException"><paramref name="utf8"/> is not UTF-8.</exception>
    /// <inheritdoc cref="Store" path="/exception"/>
    public Leaf StoreText(ReadOnlySpan<byte> utf8)
    {
        if (!System.Text.Unicode.Utf8.IsValid(utf8)) throw new ArgumentException("A string field takes UTF-8 only.", nameof(utf8));
        return Store(utf8);
    }

    /// <summary>Encodes a string into the message's own memory. A surrogate without its other half becomes U+FFFD.</summary>
    /// <inheritdoc cref="Store" path="/exception"/>
    public Leaf StoreText(ReadOnlySpan<char> text)
    {
        if (text.IsEmpty) return default;
        var utf8 = System.Text.Encoding.UTF8;
        var length = utf8.GetByteCount(text);
        utf8.GetBytes(text, Reserve(length, out var leaf));
        return leaf;
    }

    /// <summary>The table of a type, if the message has it already.</summary>
    public TTable? Find<TTable>()
        where TTable : Rows
    {
        foreach (var table in tables)
        {
            if (table.GetType() == typeof(TTable)) return (TTable)table;
        }

        return null;
    }

    internal void Register(Rows table) => tables.Add(table);

    /// <summary>Room for bytes of the message's own, at the end of its addresses.</summary>
    internal Span<byte> Reserve(int length, out Leaf leaf)
    {
        if (length > rest.Count) RentStretch(length);
        leaf = new(restAddress, length);
        var room = rest.AsSpan(0, length);
        rest = rest[length..];
        restAddress += length;
        return room;
    }

    void RentStretch(int length)
    {
        ThrowIfReleased();
        rest = arena.RentSegment(Math.Max(length, stretch));
        restAddress = Own(rest);
    }

    /// <summary>The block that every leaf is looked up in first: inside the array, by construction.</summary>
    internal (byte[] Array, int Start, int Length) FirstBlock => (leaves, leavesStart, leavesLength);

    /// <summary>Room that no leaf is in.</summary>
    internal ArraySegment<byte> RentScratch(int length)
    {
        ThrowIfReleased();
        return arena.RentSegment(length);
    }

    /// <summary>Takes such room back, if nothing was rented since; else it stays until the next reset.</summary>
    internal void ReturnScratch(ArraySegment<byte> room) => arena.TryResize(ref room, 0);

    /// <summary>The leaf at a stretch of the payload, which is there but may cross blocks: then it is copied.</summary>
    internal Leaf Gather(int address, int length)
    {
        if ((uint)address + (uint)length <= (uint)leavesLength || length == 0) return new(address, length);
        var index = BlockOf(address);
        if (address + length <= blocks[index].End) return new(address, length);
        StraddledLeaves++;
        for (var rest = Reserve(length, out var leaf); ; index++)
        {
            ref readonly var block = ref blocks[index];
            var part = block.Memory.Span[(address - block.Address)..];
            if (part.Length >= rest.Length)
            {
                part[..rest.Length].CopyTo(rest);
                return leaf;
            }

            part.CopyTo(rest);
            rest = rest[part.Length..];
            address += part.Length;
        }
    }

    /// <summary>Makes a stretch of the arena addressable: as a part of the last block if it lies behind it in the same array.</summary>
    int Own(ArraySegment<byte> segment)
    {
        if (blockCount > 0)
        {
            ref var last = ref blocks[blockCount - 1];
            if (last.Owned == segment.Array && segment.Offset >= last.OwnedStart + last.Length)
            {
                var address = last.Address + (segment.Offset - last.OwnedStart);
                Extend(ref last, address + segment.Count);
                return address;
            }
        }

        return Add(new() { Memory = segment, Owned = segment.Array, OwnedStart = segment.Offset });
    }

    void Extend(ref Block block, int newEnd)
    {
        if (newEnd < end) ThrowTooLarge();
        block.Memory = new(block.Owned, block.OwnedStart, newEnd - block.Address);
        if (blockCount == 1) leavesLength = newEnd;
        end = newEnd;
    }

    int Add(Block block)
    {
        if (block.Memory.Length > int.MaxValue - end) ThrowTooLarge();
        if (blockCount == blocks.Length) Array.Resize(ref blocks, 2 * blockCount);
        block.Address = end;
        blocks[blockCount++] = block;
        end += block.Length;
        if (blockCount == 1 && MemoryMarshal.TryGetArray(block.Memory, out var segment))
            (leaves, leavesStart, leavesLength) = (segment.Array!, segment.Offset, segment.Count);
        return block.Address;
    }

    int BlockOf(int address)
    {
        var (low, high) = (0, blockCount - 1);
        while (low < high)
        {
            var middle = (int)(((uint)low + (uint)high + 1) / 2);
            if (blocks[middle].Address <= address) low = middle;
            else high = middle - 1;
        }

        return low;
    }

    [DoesNotReturn]
    static void ThrowTooLarge() => throw new InsufficientMemoryException("A message cannot have more than 2 GiB.");

    struct Block
    {
        public ReadOnlyMemory<byte> Memory;
        public int Address;

        // Where the message's own memory is, so that the next stretch can be recognized as its continuation.
        public byte[]? Owned;
        public int OwnedStart;

        public readonly int Length => Memory.Length;

        public readonly int End => Address + Memory.Length;
    }
}
