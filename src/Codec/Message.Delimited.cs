using System.Buffers;
using System.Runtime.CompilerServices;
using ProtoBench.Allocators;
using ProtoBench.Codec.Runtime;

namespace ProtoBench.Codec;

// streams of messages, each behind its length
public readonly partial struct Message<T>
{
    /// <summary>Clears this message, and parses the next message of a delimited stream, in which each message is preceded by its length. No
    /// byte after the message is read. Each byte of the length is a separate read of the stream, so the stream should be
    /// buffered.</summary>
    /// <param name="input">The stream. It is not closed. Its exceptions are passed on.</param>
    /// <param name="maxBytes">The maximum number of bytes of the message; 64 MiB by default. Memory is allocated for the bytes that have
    /// arrived, and not for the length that the input states.</param>
    /// <returns>Whether there was a message; false at the end of the stream.</returns>
    /// <exception cref="WireFormatException">The stream ends inside a message or its length; the length is invalid, or is more than
    /// <paramref name="maxBytes"/>; or the input is not a valid message. This message is then empty.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxBytes"/> is negative.</exception>
    /// <exception cref="IOException">The stream reported more bytes than were requested.</exception>
    /// <exception cref="InvalidOperationException">The stream set a string or bytes field of this message.</exception>
    /// <exception cref="InsufficientMemoryException">A repeated field has more than 2^30 elements.</exception>
    /// <exception cref="SlabPoolExhaustedException">The pool is at its limit.</exception>
    /// <exception cref="ObjectDisposedException">The message was released.</exception>
    public bool TryParseDelimited(Stream input, int maxBytes = 64 << 20)
    {
        ArgumentNullException.ThrowIfNull(input);
        ArgumentOutOfRangeException.ThrowIfNegative(maxBytes);
        Clear();
        Span<byte> one = stackalloc byte[1];
        var prefix = default(LengthPrefix);
        do
        {
            one.Clear();
            var read = input.Read(one);
            if (read == 0) return prefix.End();
            if (read != 1) throw MessageMemory.ReadTooMuch(read, 1);
        }
        while (!prefix.Add(one[0]));

        var length = prefix.Length(maxBytes);
        var core = Core;
        core.Begin();
        core.Read(core.Memory.Copy(input, length));
        return true;
    }

    /// <summary>Clears this message, and parses the next message of a delimited stream, as <see cref="TryParseDelimited(Stream, int)"/>
    /// does. The message requires exclusive access until the task has completed. Allocates an array of the message's length.</summary>
    /// <param name="input">The stream. It is not closed. Its exceptions are passed on.</param>
    /// <param name="maxBytes">The maximum number of bytes of the message; 64 MiB by default.</param>
    /// <param name="cancellation">The token to cancel the read. Bytes that were read until then are lost.</param>
    /// <exception cref="OperationCanceledException">The read was canceled.</exception>
    /// <inheritdoc cref="TryParseDelimited(Stream, int)"/>
    public async ValueTask<bool> TryParseDelimitedAsync(Stream input, int maxBytes = 64 << 20, CancellationToken cancellation = default)
    {
        ArgumentNullException.ThrowIfNull(input);
        ArgumentOutOfRangeException.ThrowIfNegative(maxBytes);
        Clear();

        // A new array, and not one of a pool, because the stream may keep a reference to it.
        var buffer = new byte[1];
        var prefix = default(LengthPrefix);
        do
        {
            var read = await input.ReadAsync(buffer, cancellation).ConfigureAwait(false);
            if (read == 0) return prefix.End();
            if (read != 1) throw MessageMemory.ReadTooMuch(read, 1);
        }
        while (!prefix.Add(buffer[0]));

        var length = prefix.Length(maxBytes);
        buffer = new byte[Math.Min(length, firstRead)];
        for (var count = 0; count < length;)
        {
            if (count == buffer.Length) Array.Resize(ref buffer, (int)Math.Min(2L * count, length));
            var read = await input.ReadAsync(buffer.AsMemory(count), cancellation).ConfigureAwait(false);
            if (read == 0) throw new WireFormatException(WireError.Truncated, count);
            if ((uint)read > (uint)(buffer.Length - count)) throw MessageMemory.ReadTooMuch(read, buffer.Length - count);
            count += read;
        }

        Parse(buffer);
        return true;
    }

    /// <summary>Clears this message, and parses the next message of a sequence in which each message is preceded by its length.</summary>
    /// <param name="input">The sequence. After the call it begins after the message. It is unchanged if there was no message, or if the
    /// message was refused.</param>
    /// <param name="isFinal">Whether the sequence is the end of the input. Pass false if more input may follow, as for the current buffer
    /// of a pipe.</param>
    /// <param name="maxBytes">The maximum number of bytes of the message; 64 MiB by default.</param>
    /// <returns>Whether there was a message; false for an empty sequence, and for a part of a message if the sequence is not the end of the
    /// input.</returns>
    /// <exception cref="WireFormatException">The sequence is the end of the input and ends inside a message or its length; the length is
    /// invalid, or is more than <paramref name="maxBytes"/>; or the input is not a valid message. This message is then empty.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxBytes"/> is negative.</exception>
    /// <exception cref="ArgumentException">The sequence states another length than its segments have.</exception>
    /// <exception cref="InsufficientMemoryException">A repeated field has more than 2^30 elements.</exception>
    /// <exception cref="SlabPoolExhaustedException">The pool is at its limit.</exception>
    /// <exception cref="ObjectDisposedException">The message was released; or the input is memory of this message.</exception>
    public bool TryParseDelimited(ref ReadOnlySequence<byte> input, bool isFinal = true, int maxBytes = 64 << 20)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(maxBytes);
        Clear();
        var available = MessageMemory.LengthOf(input);
        var prefix = default(LengthPrefix);
        var reader = new SequenceReader<byte>(input);
        byte next;
        do
        {
            if (!reader.TryRead(out next)) return isFinal && prefix.End();
        }
        while (!prefix.Add(next));

        var length = prefix.Length(maxBytes);
        available -= reader.Consumed;
        if (length > available) return isFinal ? throw new WireFormatException(WireError.Truncated, (int)available) : false;
        var rest = reader.UnreadSequence;
        Parse(rest.Slice(0, length));
        input = rest.Slice(length);
        return true;
    }

    /// <summary>Writes the length of the message, as a varint, and the message.</summary>
    /// <inheritdoc cref="WriteTo(IBufferWriter{byte})"/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void WriteDelimitedTo(IBufferWriter<byte> output)
    {
        ArgumentNullException.ThrowIfNull(output);
        var root = Snapshot(out var stamp, out var content);
        var size = SizeOf(content);
        var window = output.GetSpan(LengthPrefix.MaxBytes);
        if (window.Length < LengthPrefix.MaxBytes)
            throw new InvalidOperationException($"The buffer writer gave {window.Length} bytes where {LengthPrefix.MaxBytes} were asked for.");
        root.ThrowIfEmptied(stamp);
        output.Advance(LengthPrefix.Write(window, size));
        window = output.GetSpan();
        root.ThrowIfEmptied(stamp);
        var write = new WireOutput(root, stamp, output, T.KeepsInput);
        write.WindowLength = window.Length;
        var writer = new WireWriter(ref write, window);
        T.Write(ref writer, content);
        var written = writer.End();
        root.ThrowIfEmptied(stamp);
        if (written > write.WindowLength) WireOutput.ThrowOldCopy();
        if (written > 0) output.Advance(written);
    }

    /// <summary>Writes the length of the message, as a varint, and the message, in one call of the stream. The stream is not flushed and
    /// not closed. Its exceptions are passed on.</summary>
    /// <inheritdoc cref="CalculateSize" path="/exception"/>
    public void WriteDelimitedTo(Stream output)
    {
        ArgumentNullException.ThrowIfNull(output);
        var root = Snapshot(out var stamp, out var content);
        var size = SizeOf(content);
        var pool = root.Memory.Pool;
        var slab = pool.Rent(LengthPrefix.RoomFor(size));
        try
        {
            var prefix = LengthPrefix.Write(slab.GetSpan(), size);
            MessageMemory.Write(root, stamp, content, slab.GetSpan().Slice(prefix, size));
            output.Write(slab.GetSpan()[..(prefix + size)]);
        }
        finally
        {
            pool.Return(slab);
        }
    }

    /// <summary>Writes the length of the message, as a varint, and the message, in one call of the stream. The message may be released or
    /// changed before the task has completed. The stream is not flushed and not closed. Its exceptions are passed on. Allocates an array of
    /// the message's length.</summary>
    /// <param name="output">The stream.</param>
    /// <param name="cancellation">The token to cancel the write.</param>
    /// <inheritdoc cref="CalculateSize" path="/exception"/>
    public async ValueTask WriteDelimitedToAsync(Stream output, CancellationToken cancellation = default)
    {
        ArgumentNullException.ThrowIfNull(output);
        var root = Snapshot(out var stamp, out var content);
        var size = SizeOf(content);
        var buffer = GC.AllocateUninitializedArray<byte>(LengthPrefix.RoomFor(size));
        var prefix = LengthPrefix.Write(buffer, size);
        MessageMemory.Write(root, stamp, content, buffer.AsSpan(prefix, size));
        buffer.AsSpan(prefix + size).Clear();
        await output.WriteAsync(buffer.AsMemory(0, prefix + size), cancellation).ConfigureAwait(false);
    }
}

/// <summary>Represents the length that precedes a message in a delimited stream: a varint.</summary>
struct LengthPrefix
{
    /// <summary>The maximum number of bytes that <see cref="Write"/> needs.</summary>
    public const int MaxBytes = 5;

    const int longestVarint = 10;

    ulong value;
    int count;

    /// <summary>Calculates the number of bytes for the length and the message.</summary>
    /// <exception cref="InvalidOperationException">No array can have so many bytes.</exception>
    public static int RoomFor(int size) =>
        size <= Array.MaxLength - MaxBytes ? size + MaxBytes
        : throw new InvalidOperationException($"A message of {size} bytes and its length are beyond the 2 GiB of an array.");

    /// <summary>Adds the next byte of the length.</summary>
    /// <returns>Whether the byte is the last one.</returns>
    /// <exception cref="WireFormatException">The varint is too long.</exception>
    public bool Add(byte next)
    {
        value |= (ulong)(next & 0x7F) << (7 * count);
        count++;
        if (next < 0x80) return true;
        if (count == longestVarint) throw new WireFormatException(WireError.VarintTooLong, 0);
        return false;
    }

    /// <summary>Ends the input of the length: there are no further bytes.</summary>
    /// <returns>False: there is no message.</returns>
    /// <exception cref="WireFormatException">The input ends inside the length.</exception>
    public readonly bool End() => count == 0 ? false : throw new WireFormatException(WireError.Truncated, count);

    /// <summary>Gets the length, after its last byte was added.</summary>
    /// <exception cref="WireFormatException">The length is invalid, or is more than the caller allows.</exception>
    public readonly int Length(int maxBytes)
    {
        if (value > int.MaxValue) throw new WireFormatException(WireError.InvalidLength, 0);
        if (value > (uint)maxBytes) throw new WireFormatException(value, maxBytes);
        return (int)value;
    }

    /// <summary>Writes a length.</summary>
    /// <returns>Number of bytes written.</returns>
    public static int Write(Span<byte> target, int length)
    {
        var count = 0;
        var rest = (uint)length;
        for (; rest >= 0x80; rest >>= 7) target[count++] = (byte)(rest | 0x80);
        target[count++] = (byte)rest;
        return count;
    }
}
