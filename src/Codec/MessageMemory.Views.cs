using System.Runtime.CompilerServices;

namespace ProtoBench.Codec;

// The bytes of a range, wherever they are.
public sealed partial class MessageMemory
{
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
}
