using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace ProtoBench.Codec;

// Content that comes while there is some already: more input, or another message.
public sealed partial class MessageMemory
{
    const int fewBytes = 256;

    /// <summary>Copies more input behind what the message has.</summary>
    /// <param name="input">The input.</param>
    /// <param name="origin">Its address, which the reader's errors count from.</param>
    internal WireReader CopyMore(ReadOnlySpan<byte> input, out int origin)
    {
        var room = Reserve(input.Length, out var range);
        input.CopyTo(room);
        LimitElements(input.Length);
        origin = range.Address;
        return ReaderOf(room, range);
    }

    /// <inheritdoc cref="CopyMore(ReadOnlySpan{byte}, out int)"/>
    internal WireReader CopyMore(in ReadOnlySequence<byte> input, out int origin)
    {
        var room = Join(input, out var range);
        LimitElements(room.Length);
        origin = range.Address;
        return ReaderOf(room, range);
    }

    /// <summary>For message types without strings and bytes: reads more input where it is, until <see cref="EndMerge"/>. Unknown fields
    /// are copied, nothing else is. It may be memory of this message.</summary>
    public WireReader BorrowMore(ReadOnlySpan<byte> input)
    {
        (Origin, TagAt) = (0, default);
        return Borrow(input);
    }

    /// <summary>For message types: copies more input behind what the message has. It may be memory of this message.</summary>
    /// <exception cref="InsufficientMemoryException">The message has more than 2 GiB.</exception>
    /// <exception cref="Allocators.SlabPoolExhaustedException">The pool is at its limit.</exception>
    public WireReader CopyOf(ReadOnlySpan<byte> input) => CopyMore(input, out _);

    /// <summary>For message types: copies input in segments into one piece of this message's memory.</summary>
    /// <inheritdoc cref="CopyOf(ReadOnlySpan{byte})" path="/exception"/>
    public ReadOnlySpan<byte> Join(in ReadOnlySequence<byte> input) => Join(input, out _);

    Span<byte> Join(in ReadOnlySequence<byte> input, out ByteRange range)
    {
        var length = LengthOf(input);
        if (length > Array.MaxLength - slack) ThrowTooLarge();
        var stamp = Root.Stamp;
        var room = Reserve((int)length, out range);
        var rest = room;
        var hasCode = false;
        foreach (var segment in input)
        {
            // The room may hold what other messages left, and the memory's code may look for it.
            if (!hasCode && HasCode(segment))
            {
                hasCode = true;
                rest.Clear();
            }

            var bytes = segment.Span;
            Root.ThrowIfEmptied(stamp);
            if (bytes.Length > rest.Length) break;
            bytes.CopyTo(rest);
            rest = rest[bytes.Length..];
            length -= bytes.Length;
        }

        if (length == 0) return room;
        rest.Clear();
        throw new ArgumentException("The sequence was changed while it was read.", nameof(input));
    }

    /// <summary>The length of a sequence, which is what its segments have. What the sequence says is the caller's word.</summary>
    /// <exception cref="ArgumentException">The sequence says something else.</exception>
    internal static long LengthOf(in ReadOnlySequence<byte> input)
    {
        var length = 0L;
        foreach (var segment in input) length += segment.Length;
        if (length != input.Length)
            throw new ArgumentException($"The segments have {length} bytes, and the sequence says that it has {input.Length}.", nameof(input));
        return length;
    }

    /// <summary>Writes a message of the same type into this memory, for the code of its type to read it there.</summary>
    /// <param name="source">Storage of the message.</param>
    /// <param name="stamp">Stamp of the message's view.</param>
    /// <param name="message">The message, in this or in other memory: a view that no setter has moved.</param>
    /// <typeparam name="T">The message type.</typeparam>
    /// <exception cref="InvalidOperationException">The message has more than 2 GiB, or is nested too deep.</exception>
    /// <exception cref="ObjectDisposedException">One of the messages was released.</exception>
    public WireReader CopyOf<T>(Storage source, int stamp, T message)
        where T : struct, IMessage<T>
    {
        var rootStamp = RootStamp(source, stamp);
        if (source.Memory.hasCode)
        {
            // Into memory of its own first: the code may end the content that the copy is for.
            var ownStamp = Root.Stamp;
            var bytes = ToByteArray(source, stamp, message);
            Root.ThrowIfEmptied(ownStamp);
            var copy = Reserve(bytes.Length, out var own);
            bytes.CopyTo(copy);
            return ReaderOf(copy, own);
        }

        var room = Reserve(SizeOf(message), out var range);
        Write(source.Memory.Root, rootStamp, message, room);
        return ReaderOf(room, range);
    }

    /// <summary>Writes a message into an array of its size.</summary>
    /// <inheritdoc cref="CopyOf{T}(Storage, int, T)" path="/exception"/>
    public static byte[] ToByteArray<T>(Storage source, int stamp, T message)
        where T : struct, IMessage<T>
    {
        var rootStamp = RootStamp(source, stamp);
        var bytes = GC.AllocateUninitializedArray<byte>(SizeOf(message));
        Write(source.Memory.Root, rootStamp, message, bytes);
        return bytes;
    }

    /// <summary>The stamp that tells whether the view's content is there to the end of a copy.</summary>
    static int RootStamp(Storage source, int stamp)
    {
        ArgumentNullException.ThrowIfNull(source);
        var rootStamp = source.Memory.Root.Stamp;
        source.ThrowIfEmptied(stamp);
        return rootStamp;
    }

    static int SizeOf<T>(T message)
        where T : struct, IMessage<T>
    {
        var size = T.CalculateSize(message);
        if (size > int.MaxValue)
            throw new InvalidOperationException($"A message of {size} bytes is beyond the 2 GiB that protobuf allows.");
        return (int)size;
    }

    /// <summary>Writes a message into exactly its size, which was just computed.</summary>
    /// <param name="root">Storage of the outermost message.</param>
    /// <param name="stamp">Its stamp.</param>
    /// <param name="message">The message.</param>
    /// <param name="room">As many bytes as the message has.</param>
    internal static void Write<T>(Storage root, int stamp, T message, Span<byte> room)
        where T : struct, IMessage<T>
    {
        if (room.Length <= fewBytes) WriteFew(root, stamp, message, room);
        else WriteMany(root, stamp, message, room);
    }

    // On the stack each field has room for its fast step. At the end of a window of exactly the message's size every step is a slow one.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static void WriteFew<T>(Storage root, int stamp, T message, Span<byte> room)
        where T : struct, IMessage<T>
    {
        Span<byte> few = stackalloc byte[fewBytes + WireWriter.FieldRoom];
        var output = new WireOutput(root, stamp, null, T.KeepsInput);
        var writer = new WireWriter(ref output, few);
        T.Write(ref writer, message);
        var written = writer.End();
        root.ThrowIfEmptied(stamp);
        if (written != room.Length) ThrowChanged();
        few[..written].CopyTo(room);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void WriteMany<T>(Storage root, int stamp, T message, Span<byte> room)
        where T : struct, IMessage<T>
    {
        var output = new WireOutput(root, stamp, null, T.KeepsInput);
        var written = 0;
        try
        {
            var writer = new WireWriter(ref output, room);
            T.Write(ref writer, message);
            var end = writer.End();
            root.ThrowIfEmptied(stamp);
            written = end;
        }
        finally
        {
            if (written < room.Length) room.Clear();
        }

        if (written < room.Length) ThrowChanged();
    }

    [DoesNotReturn]
    static void ThrowChanged() => throw new InvalidOperationException("The message was changed while it was written.");

    /// <summary>Makes the views of the present content stale, but keeps the content.</summary>
    internal void InvalidateViews() => Invalidate();

    /// <summary>After a merge that was refused halfway: lists may have elements behind their ends.</summary>
    internal void DistrustRooms()
    {
        foreach (var storage in Storages) storage.DistrustRooms();
    }

    WireReader ReaderOf(ReadOnlySpan<byte> room, ByteRange range)
    {
        (Origin, TagAt) = (range.Address, default);
        return new(this, room, 0);
    }
}
