using System.Buffers;
using System.Runtime.CompilerServices;

namespace ProtoBench.Codec;

/// <summary>What a writer needs beside its window: where the strings and bytes come from, and where the next window does.</summary>
/// <remarks>Each write has its own, on its stack: any number of threads may write one message, and a buffer writer may serialize another
/// message while it is asked for room. On the stack it needs no write barrier and no cleaning up.</remarks>
struct WireOutput
{
    readonly IBufferWriter<byte>? target;
    readonly Storage root;
    readonly int stamp;

    /// <param name="root">Storage of the outermost message.</param>
    /// <param name="stamp">Its stamp.</param>
    /// <param name="target">Where windows come from; null for a window of exactly the message's size.</param>
    /// <param name="hasBytes">Whether the message type has strings or bytes at all.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal WireOutput(Storage root, int stamp, IBufferWriter<byte>? target, bool hasBytes = true)
    {
        (this.root, this.stamp, this.target) = (root, stamp, target);
        (Source, SourceStart, InlineCount) = hasBytes ? root.Memory.InlineSource : ([], 0, 0);
        Unsafe.SkipInit(out Position);
        Unsafe.SkipInit(out Safe);
    }

    /// <summary>Where a slow step of the writer has left its place in the window.</summary>
    internal int Position;

    /// <inheritdoc cref="Position"/>
    internal int Safe;

    /// <summary>The first block of the message's memory. From each of the first <see cref="InlineCount"/> addresses in it a short string
    /// can be copied at once: as many bytes as that takes are in the array, and are the message's own, or zero, or the caller's aliased
    /// input.</summary>
    internal readonly byte[] Source;

    internal readonly int SourceStart;

    internal readonly int InlineCount;

    internal readonly ReadOnlySpan<byte> Span(ByteRange range) => MessageMemory.Span(root, range, stamp);

    /// <summary>Hands over what was written, if the message is still the one that was to be written.</summary>
    internal readonly void Advance(int count)
    {
        root.ThrowIfEmptied(stamp);
        if (count > 0) target?.Advance(count);
    }

    /// <summary>A window with room for at least so many bytes.</summary>
    internal readonly Span<byte> NextWindow(int room)
    {
        if (target is null) throw new InvalidOperationException("The message was changed while it was written.");
        var window = target.GetSpan(room);
        if (window.Length < room)
            throw new InvalidOperationException($"The buffer writer gave {window.Length} bytes where {room} were asked for.");
        root.ThrowIfEmptied(stamp);
        return window;
    }
}
