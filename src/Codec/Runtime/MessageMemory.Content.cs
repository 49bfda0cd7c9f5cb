using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace ProtoBench.Codec.Runtime;

// The content of a message: input for a reader, and more input or another message for a merge.
public sealed partial class MessageMemory
{
    /// <summary>The address of the first byte of the reader's window.</summary>
    internal int Origin;

    /// <summary>The position of the last tag that the slow path read: the address of its first byte, and the address after its last
    /// byte.</summary>
    internal (int Start, int End) TagAt;

    /// <summary>Whether the reader reads the caller's input in place. The input is not available after the parse, so unknown fields are
    /// copied from it.</summary>
    internal bool BorrowsInput;

    /// <summary>Reads a payload in place, for a message without strings and bytes. Only unknown fields are copied.</summary>
    internal WireReader Borrow(ReadOnlySpan<byte> payload)
    {
        BorrowsInput = true;
        LimitElements(payload.Length);
        return new(this, payload, 0);
    }

    /// <summary>Ends the reading of input.</summary>
    internal void EndReading()
    {
        BorrowsInput = false;
        elementLimit = long.MaxValue;
    }

    /// <summary>Makes a payload addressable without copying it.</summary>
    /// <param name="payload">The payload.</param>
    /// <param name="window">The bytes of the payload.</param>
    internal WireReader Alias(ReadOnlyMemory<byte> payload, ReadOnlySpan<byte> window)
    {
        DropBlocks();
        Add(new() { Memory = payload });
        LimitElements(payload.Length);
        return new(this, window, 0);
    }

    /// <inheritdoc cref="Alias(ReadOnlyMemory{byte}, ReadOnlySpan{byte})"/>
    internal WireReader Alias(in ReadOnlySequence<byte> payload)
    {
        DropBlocks();
        foreach (var segment in payload)
        {
            if (!segment.IsEmpty) Add(new() { Memory = segment });
        }

        if (blockCount == 0) return Alias(default, default);
        var window = BytesOf(blocks[0].Memory);
        LimitElements(end);
        return new(this, window, end - window.Length);
    }

    /// <summary>Copies a payload.</summary>
    internal WireReader Copy(ReadOnlySpan<byte> payload)
    {
        if (payload.IsEmpty) return new(this, payload, 0);
        var room = Reserve(payload.Length, out _);
        ByteCopy.Copy(payload, ref MemoryMarshal.GetReference(room));
        LimitElements(payload.Length);
        return new(this, room, 0);
    }

    /// <inheritdoc cref="Copy(ReadOnlySpan{byte})"/>
    internal WireReader Copy(in ReadOnlySequence<byte> payload)
    {
        if (payload.IsSingleSegment) return Copy(payload.FirstSpan);
        var room = Join(payload);
        LimitElements(room.Length);
        return new(this, room, 0);
    }

    /// <summary>Reads a stream to its end, or the expected number of bytes. The buffer grows by doubling, with the bytes that have
    /// arrived.</summary>
    /// <remarks>The buffer is cleared before the stream gets it: the stream may be any code, and the slab may hold bytes of other messages.
    /// If the message is released, cleared or parsed meanwhile, by the stream or by another thread, it gets other memory
    /// (<see cref="TryAbandon"/>). This memory is released after the read, because the stream may fill the buffer until then.</remarks>
    /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed during the call.</exception>
    /// <exception cref="InvalidOperationException">The stream stored a value in the message. The message is then empty.</exception>
    /// <exception cref="WireFormatException">The stream ends before the expected number of bytes.</exception>
    internal WireReader Copy(Stream payload, int expected = -1)
    {
        var stamp = Root.Stamp;
        Interlocked.Exchange(ref filling, byStream);
        try
        {
            Root.ThrowIfEmptied(stamp);
            return Fill(payload, expected, stamp);
        }
        finally
        {
            if (Interlocked.CompareExchange(ref filling, none, byStream) != byStream) Release();
        }
    }

    WireReader Fill(Stream payload, int expected, int stamp)
    {
        DropBlocks();
        var room = Rent(firstRead);
        room.AsSpan().Clear();
        var length = 0;
        while (length != expected)
        {
            var wanted = room.AsSpan(length, (expected < 0 ? room.Count : Math.Min(room.Count, expected)) - length);
            var read = payload.Read(wanted);
            Root.ThrowIfEmptied(stamp);
            if (blockCount > 0)
            {
                Reset();
                throw new InvalidOperationException("The message was changed while a stream was read into it.");
            }

            if (read == 0 && expected >= 0) throw new WireFormatException(WireError.Truncated, length);
            if (read == 0) break;
            if ((uint)read > (uint)wanted.Length) throw ReadTooMuch(read, wanted.Length);
            length += read;
            if (length == room.Count && length != expected) room = Double(room);
        }

        if (length == 0) return Alias(default, default);
        if (!arena.TryResize(ref room, length + slack))
        {
            if (length > room.Count - slack) room = Move(room, length + (long)slack);
        }

        Keep(room, length);
        LimitElements(length);
        return new(this, room.AsSpan(0, length), 0);
    }

    const int none = 0;
    const int byStream = 1;
    const int abandoned = 2;

    // Whether a stream is filling the memory; and whether the message has other memory since then.
    int filling;

    /// <summary>Leaves the memory to the stream that is filling it, if there is one. The memory is then released when the stream has
    /// returned, and the message needs other memory.</summary>
    internal bool TryAbandon()
    {
        if (Volatile.Read(ref filling) != byStream) return false;
        Invalidate();
        return Interlocked.CompareExchange(ref filling, abandoned, byStream) == byStream;
    }

    internal static IOException ReadTooMuch(int read, int room) =>
        new($"The stream says that it read {read} bytes where there was room for {room}.");

    ArraySegment<byte> Double(ArraySegment<byte> room)
    {
        if (room.Count == Array.MaxLength) ThrowTooLarge();
        var length = (int)Math.Min(2L * room.Count, Array.MaxLength);
        var old = room.Count;
        if (arena.TryResize(ref room, length)) room.AsSpan(old).Clear();
        else room = Move(room, length);
        return room;
    }

    ArraySegment<byte> Move(ArraySegment<byte> room, long length)
    {
        if (length > Array.MaxLength) ThrowTooLarge();
        var larger = Rent((int)length);
        room.AsSpan().CopyTo(larger);
        larger.AsSpan(room.Count).Clear();
        return larger;
    }

    /// <summary>Makes the buffer that a stream has filled the first block.</summary>
    void Keep(ArraySegment<byte> room, int length)
    {
        room.AsSpan(length, slack).Clear();
        keepsBlock = false;
        Add(new() { Memory = room, Owned = room.Array, OwnedStart = room.Offset });
        first.Length = length;
        SetRest(room[length..], length);
    }

    /// <summary>Gets the bytes from an address to the end of its block. They become the reader's window.</summary>
    internal ReadOnlySpan<byte> WindowAt(int address)
    {
        var block = blocks[BlockOf(blocks, address)];
        var window = BytesOf(block.Memory)[(address - block.Address)..];
        Origin = address;
        return window;
    }

    /// <summary>Determines whether reading the span of a memory runs the caller's code, as for a <see cref="MemoryManager{T}"/>.</summary>
    static bool HasCode(ReadOnlyMemory<byte> memory) => MemoryMarshal.TryGetMemoryManager<byte, MemoryManager<byte>>(memory, out _);

    /// <summary>Gets the bytes of a block, for a reader of this message.</summary>
    /// <remarks>The memory of aliased input may run any code. If that code releases, clears or parses the message, this parse must end:
    /// bytes that are read later would be stored in the message of the next renter. If the code merges something into the message, the
    /// reader continues at its old position.</remarks>
    /// <exception cref="ObjectDisposedException">The memory's code released, cleared or parsed the message.</exception>
    ReadOnlySpan<byte> BytesOf(ReadOnlyMemory<byte> memory)
    {
        if (!hasCode) return memory.Span;
        var (stamp, origin, tagAt) = (Root.Stamp, Origin, TagAt);
        var bytes = memory.Span;
        Root.ThrowIfEmptied(stamp);
        (Origin, TagAt) = (origin, tagAt);
        return bytes;
    }

    /// <summary>Gets the bytes of a range, for a reader of this message.</summary>
    /// <inheritdoc cref="BytesOf" path="/exception"/>
    internal ReadOnlySpan<byte> TextAt(ByteRange range)
    {
        var (origin, tagAt) = (Origin, TagAt);
        var text = Span(range);
        (Origin, TagAt) = (origin, tagAt);
        return text;
    }

    // Merges: more input, or another message, is added to the content of the message.

    const int fewBytes = 256;

    /// <summary>Copies more input to the end of the message's memory.</summary>
    /// <param name="input">The input.</param>
    /// <param name="origin">The address of the input in the memory. The offset of an error is counted from it.</param>
    internal WireReader CopyMore(ReadOnlySpan<byte> input, out int origin)
    {
        var room = Reserve(input.Length, out var range);
        ByteCopy.Copy(input, ref MemoryMarshal.GetReference(room));
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

    /// <summary>Begins to read more input in place, for a message type without strings and bytes. The read ends with
    /// <see cref="EndMerge"/>. Only unknown fields are copied. The input may be memory of this message. For generated code.</summary>
    public WireReader BorrowMore(ReadOnlySpan<byte> input)
    {
        (Origin, TagAt) = (0, default);
        return Borrow(input);
    }

    /// <summary>Copies more input to the end of the message's memory. The input may be memory of this message. For generated
    /// code.</summary>
    /// <exception cref="InsufficientMemoryException">The message has more than 2 GiB.</exception>
    /// <exception cref="Allocators.SlabPoolExhaustedException">The pool is at its limit.</exception>
    public WireReader CopyOf(ReadOnlySpan<byte> input) => CopyMore(input, out _);

    /// <summary>Copies the segments of an input into one contiguous range of this message's memory. For generated code.</summary>
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
            // The destination may hold bytes of other messages, and the code of the segment's memory could read them.
            if (!hasCode && HasCode(segment))
            {
                hasCode = true;
                rest.Clear();
            }

            var bytes = segment.Span;
            Root.ThrowIfEmptied(stamp);
            if (bytes.Length > rest.Length) break;
            ByteCopy.Copy(bytes, ref MemoryMarshal.GetReference(rest));
            rest = rest[bytes.Length..];
            length -= bytes.Length;
        }

        if (length == 0) return room;
        rest.Clear();
        throw new ArgumentException("The sequence was changed while it was read.", nameof(input));
    }

    /// <summary>Gets the length of a sequence as the sum of its segments' lengths. The length that the sequence states comes from the
    /// caller and is not trusted.</summary>
    /// <exception cref="ArgumentException">The sequence states another length than its segments have.</exception>
    internal static long LengthOf(in ReadOnlySequence<byte> input)
    {
        var length = 0L;
        foreach (var segment in input) length += segment.Length;
        if (length != input.Length)
            throw new ArgumentException($"The segments have {length} bytes, and the sequence says that it has {input.Length}.", nameof(input));
        return length;
    }

    /// <summary>Writes a message of the same type into this memory, and returns a reader of the written bytes.</summary>
    /// <param name="source">The storage of the message.</param>
    /// <param name="stamp">The stamp of the message's view.</param>
    /// <param name="message">The message, in this or in another memory. No setter may have moved the element of this view.</param>
    /// <typeparam name="T">The message type.</typeparam>
    /// <exception cref="InvalidOperationException">The message has more than 2 GiB, or is nested too deep.</exception>
    /// <exception cref="ObjectDisposedException">One of the messages was released.</exception>
    public WireReader CopyOf<T>(Storage source, int stamp, T message)
        where T : struct, ISlabMessage<T>
    {
        var rootStamp = RootStamp(source, stamp);
        if (source.Memory.hasCode)
        {
            // The message is first written into an array: the code of the source's memory may release, clear or parse the message that the
            // copy is for.
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

    /// <summary>Reads into a message of this memory what <see cref="CopyOf{T}(Storage, int, T)"/> has written. For generated
    /// code.</summary>
    /// <returns>The message.</returns>
    public static T Read<T>(WireReader copy, T message)
        where T : struct, ISlabMessage<T>
    {
        T.Parse(copy, message);
        return message;
    }

    /// <summary>Writes a message into an array of its size.</summary>
    /// <inheritdoc cref="CopyOf{T}(Storage, int, T)" path="/exception"/>
    public static byte[] ToByteArray<T>(Storage source, int stamp, T message)
        where T : struct, ISlabMessage<T>
    {
        var rootStamp = RootStamp(source, stamp);
        var bytes = GC.AllocateUninitializedArray<byte>(SizeOf(message));
        Write(source.Memory.Root, rootStamp, message, bytes);
        return bytes;
    }

    /// <summary>Gets the stamp of the source's outermost message. After a copy it shows whether the content was valid until the
    /// end.</summary>
    static int RootStamp(Storage source, int stamp)
    {
        ArgumentNullException.ThrowIfNull(source);
        var rootStamp = source.Memory.Root.Stamp;
        source.ThrowIfEmptied(stamp);
        return rootStamp;
    }

    static int SizeOf<T>(T message)
        where T : struct, ISlabMessage<T>
    {
        var size = T.CalculateSize(message);
        if (size > int.MaxValue)
            throw new InvalidOperationException($"A message of {size} bytes is beyond the 2 GiB that protobuf allows.");
        return (int)size;
    }

    /// <summary>Writes a message into a span of exactly its size, which was calculated before.</summary>
    /// <param name="root">The storage of the outermost message.</param>
    /// <param name="stamp">The stamp of that storage.</param>
    /// <param name="message">The message.</param>
    /// <param name="room">The destination, exactly as long as the message.</param>
    internal static void Write<T>(Storage root, int stamp, T message, Span<byte> room)
        where T : struct, ISlabMessage<T>
    {
        if (room.Length <= fewBytes) WriteFew(root, stamp, message, room);
        else WriteMany(root, stamp, message, room);
    }

    // The buffer on the stack is longer than the message, so every field has room for the fast path. At the end of a window of exactly the
    // message's size, every field would take the slow path.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static void WriteFew<T>(Storage root, int stamp, T message, Span<byte> room)
        where T : struct, ISlabMessage<T>
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
        where T : struct, ISlabMessage<T>
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

    /// <summary>Makes the views of the current content stale, and keeps the content.</summary>
    internal void InvalidateViews() => Invalidate();

    /// <summary>Makes lists clear the elements that they grow into. Called after a merge that failed: lists may have elements after their
    /// ends.</summary>
    internal void ForgetZeroed()
    {
        foreach (var storage in Storages) storage.ForgetZeroed();
    }

    WireReader ReaderOf(ReadOnlySpan<byte> room, ByteRange range)
    {
        (Origin, TagAt) = (range.Address, default);
        return new(this, room, 0);
    }

    // Merges into a part of this message, while there may be views of any part.

    /// <summary>Whether there may be views of a list that is moved because a read adds elements. The views must then find their
    /// elements.</summary>
    internal bool IsMerging;

    /// <summary>Begins a merge into a message of which there may be views. For generated code.</summary>
    /// <returns>The argument for <see cref="EndMerge"/>.</returns>
    public int BeginMerge()
    {
        IsMerging = true;
        return Root.Stamp;
    }

    /// <summary>Ends a merge. Does nothing if the content of the message was released, cleared or parsed meanwhile. For generated
    /// code.</summary>
    /// <param name="merge">The value that <see cref="BeginMerge"/> returned.</param>
    /// <param name="isComplete">Whether all input was read. If not, lists may have elements after their ends.</param>
    public void EndMerge(int merge, bool isComplete)
    {
        if (!Root.HasContentOf(merge)) return;
        IsMerging = false;
        EndReading();
        if (!isComplete) ForgetZeroed();
    }

    // Values that are kept as unknown fields although the schema has their field number.

    const int longestTag = 5;
    internal const int LongestVarint = 10;

    /// <summary>Whether unknown fields that are read are only counted. It holds until the message is released.</summary>
    internal bool DiscardsUnknownFields;

    /// <summary>Counts an unknown field, if unknown fields are discarded.</summary>
    internal bool Discards()
    {
        if (DiscardsUnknownFields) DiscardedFieldCount++;
        return DiscardsUnknownFields;
    }

    /// <summary>Keeps a value that a closed enum does not define as an unknown field, unless the message discards unknown fields. For
    /// generated code.</summary>
    /// <param name="unknown">The unknown fields of the message.</param>
    /// <param name="tag">The tag of the field, with the wire type of a field that is not packed.</param>
    /// <param name="value">The number of the enum value.</param>
    /// <inheritdoc cref="Store" path="/exception"/>
    public void KeepVarintField(ref ElementRange unknown, uint tag, int value)
    {
        if (Discards()) return;
        Span<byte> field = stackalloc byte[longestTag + LongestVarint];
        var length = PutVarint(field, tag);
        length += PutVarint(field[length..], (ulong)value);
        Ranges.Append(ref unknown, Store(field[..length]));
    }

    internal static int PutVarint(Span<byte> target, ulong value)
    {
        var length = 0;
        for (; value >= 0x80; value >>= 7) target[length++] = (byte)(value | 0x80);
        target[length++] = (byte)value;
        return length;
    }

    /// <summary>Determines whether two lists of strings, bytes or unknown fields have the same content.</summary>
    public static bool AreEqual(Storage<ByteRange> ranges, ElementRange list, Storage<ByteRange> otherRanges, ElementRange otherList)
    {
        if (list.Count != otherList.Count) return false;
        var one = ranges.Slice(list);
        var other = otherRanges.Slice(otherList);
        for (var i = 0; i < one.Length; i++)
        {
            if (!ranges.Memory.Span(one[i]).SequenceEqual(otherRanges.Memory.Span(other[i]))) return false;
        }

        return true;
    }
}
