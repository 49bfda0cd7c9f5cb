using System.Buffers;

namespace ProtoBench.Codec;

/// <summary>What a writer needs beside its window: where the strings and bytes come from, and where the next window does.</summary>
/// <remarks>One for each write, so that any number of threads may write one message. A thread keeps one for its next write; a write inside
/// of a write (by a buffer writer that serializes another message) makes another.</remarks>
sealed class WireOutput
{
    [ThreadStatic]
    static WireOutput? spare;

    IBufferWriter<byte>? target;
    MessageMemory memory = null!;
    int stamp;

    /// <summary>The first block of the message's memory. From each of the first <see cref="InlineCount"/> addresses in it a short string can be
    /// copied at once: as many bytes as that takes are in the array, and are the message's own, or zero, or the caller's aliased input.</summary>
    internal byte[] Source { get; private set; } = [];

    internal int SourceStart { get; private set; }

    internal int InlineCount { get; private set; }

    internal static WireOutput Begin(MessageMemory memory, int stamp, IBufferWriter<byte>? target)
    {
        var output = spare ?? new();
        spare = null;
        (output.memory, output.stamp, output.target) = (memory, stamp, target);
        (output.Source, output.SourceStart, output.InlineCount) = memory.InlineSource;
        return output;
    }

    internal void End()
    {
        (memory, target, Source, SourceStart, InlineCount) = (null!, null, [], 0, 0);
        spare = this;
    }

    internal ReadOnlySpan<byte> Span(ByteRange range) => MessageMemory.Span(memory.Root, range, stamp);

    /// <summary>Hands over what was written, if the message is still the one that was to be written.</summary>
    internal void Advance(int count)
    {
        memory.Root.ThrowIfEmptied(stamp);
        target?.Advance(count);
    }

    /// <summary>A window with room for at least so many bytes.</summary>
    internal Span<byte> NextWindow(int room)
    {
        if (target is null) throw new InvalidOperationException("The message was changed while it was written.");
        var window = target.GetSpan(room);
        if (window.Length < room) throw new InvalidOperationException($"The buffer writer gave {window.Length} bytes where {room} were asked for.");
        memory.Root.ThrowIfEmptied(stamp);
        return window;
    }
}
