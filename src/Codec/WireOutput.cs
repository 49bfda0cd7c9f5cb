using System.Buffers;

namespace ProtoBench.Codec;

/// <summary>What a writer needs beside its window: where the leaves come from, and where the next window does.</summary>
sealed class WireOutput
{
    IBufferWriter<byte>? target;
    MessageMemory? memory;

    /// <summary>The first block of the message's memory, as in <see cref="MessageMemory"/>: checked there against its array.</summary>
    internal byte[] Leaves { get; private set; } = [];

    internal int LeavesStart { get; private set; }

    /// <summary>The last address from which so many bytes can be read that a small leaf is copied at once.</summary>
    internal int InlineEnd { get; private set; }

    internal WireWriter Begin(MessageMemory memory, IBufferWriter<byte>? target, Span<byte> window)
    {
        this.memory = memory;
        this.target = target;
        (Leaves, LeavesStart, InlineEnd) = memory.FirstBlock;
        InlineEnd -= WireWriter.Inline;
        return new(this, window);
    }

    internal void End() => (memory, target, Leaves, LeavesStart, InlineEnd) = (null, null, [], 0, -1);

    internal ReadOnlySpan<byte> Span(Leaf leaf) => memory!.Span(leaf);

    internal void Advance(int count) => target?.Advance(count);

    /// <summary>A window with room for at least so many bytes.</summary>
    internal Span<byte> NextWindow(int room)
    {
        if (target is null) throw new InvalidOperationException("The message was changed while it was written.");
        var window = target.GetSpan(room);
        if (window.Length < room) throw new InvalidOperationException($"The buffer writer gave {window.Length} bytes where {room} were asked for.");
        return window;
    }
}
