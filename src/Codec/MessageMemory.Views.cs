using System.Runtime.CompilerServices;

namespace ProtoBench.Codec;

// The bytes of a range, wherever they are.
public sealed partial class MessageMemory
{
    /// <summary>The bytes of a field, as memory that throws when it is used after the message was emptied.</summary>
    internal static ReadOnlyMemory<byte> Memory(Storage? storage, ByteRange range, int stamp)
    {
        if (storage is null) return default;
        try
        {
            var memory = storage.Memory.Memory(range);
            storage.ThrowIfEmptied(stamp);
            return memory;
        }
        catch (Exception e) when (IsLate(e, storage, stamp))
        {
            throw Storage.Emptied();
        }
    }

    ReadOnlyMemory<byte> Memory(ByteRange range)
    {
        if (range.Length == 0) return default;
        ref var block = ref BlockWith(range);
        var start = range.Address - block.Address;
        if (block.Owned is not { } array) return block.Memory.Slice(start, range.Length);
        if (block.Content is not { } content || !content.Covers(array, block.OwnedStart, start + range.Length))
            block.Content = content = new(Root, new(array, block.OwnedStart, start + range.Length > block.Stored ? start + range.Length : block.Stored));
        return content.Slice(start, range.Length);
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
        try
        {
            var span = storage.Memory.Span(range);
            storage.ThrowIfEmptied(stamp);
            return span;
        }
        catch (Exception e) when (IsLate(e, storage, stamp))
        {
            throw Storage.Emptied();
        }
    }

    // A late reader may see blocks of two contents at once; every comparison is made, but fails in some other way.
    static bool IsLate(Exception e, Storage storage, int stamp) => e is ArgumentOutOfRangeException or IndexOutOfRangeException && !storage.HasContentOf(stamp);

    [MethodImpl(MethodImplOptions.NoInlining)]
    ReadOnlySpan<byte> SpanSlow(ByteRange range)
    {
        if (range.Length == 0) return default;
        ref readonly var block = ref BlockWith(range);
        return block.Memory.Span.Slice(range.Address - block.Address, range.Length);
    }

    ref Block BlockWith(ByteRange range)
    {
        var index = BlockOf(range.Address);
        ref var block = ref blocks[index];
        var start = range.Address - block.Address;
        if (start < 0 || (ulong)(uint)start + (uint)range.Length > (uint)StoredIn(index)) Storage.ThrowEmptied();
        return ref block;
    }
}
