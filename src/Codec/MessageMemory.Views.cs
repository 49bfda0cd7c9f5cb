using System.Runtime.CompilerServices;

namespace ProtoBench.Codec;

// The bytes of a range, wherever they are.
public sealed partial class MessageMemory
{
    /// <summary>The bytes of a range, as memory that throws when it is used after the message was emptied.</summary>
    internal ReadOnlyMemory<byte> Memory(ByteRange range)
    {
        if (range.Length == 0) return default;
        ref var block = ref BlockWith(range);
        var start = range.Address - block.Address;
        if (block.Owned is not { } array) return block.Memory.Slice(start, range.Length);
        if (block.Content is not { } content || !content.Covers(array, block.OwnedStart, start + range.Length))
            block.Content = content = new(Root, new(array, block.OwnedStart, block.Stored));
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

    [MethodImpl(MethodImplOptions.NoInlining)]
    ReadOnlySpan<byte> SpanSlow(ByteRange range)
    {
        if (range.Length == 0) return default;
        ref readonly var block = ref BlockWith(range);
        return block.Memory.Span.Slice(range.Address - block.Address, range.Length);
    }

    ref Block BlockWith(ByteRange range)
    {
        ref var block = ref blocks[BlockOf(range.Address)];
        var start = range.Address - block.Address;
        if (start < 0 || (ulong)(uint)start + (uint)range.Length > (uint)block.Stored) Storage.ThrowEmptied();
        return ref block;
    }
}
