using System.Buffers;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using ProtoBench.Allocators;
using ProtoBench.Codec.Generated;

namespace ProtoBench.Codec;

/// <summary>Represents a rented message: a handle to its content (<see cref="Value"/>) and to the memory that holds it.</summary>
/// <remarks>
/// <para>Ownership: the message belongs to the renter until <see cref="Dispose"/>. Copies of the handle refer to the same message. After
/// the release every member throws <see cref="ObjectDisposedException"/>, except for <see cref="Dispose"/> and the comparison of handles.
/// Every view of the content throws it too, on any thread, also when the memory was rented again. A parse, a merge, a copy into the
/// message and <see cref="Clear"/> do the same to the views that were taken before. The default value behaves like a message that was
/// released.</para>
/// <para>A message over the shared pool is recycled, with its arrays and one slab, so that a steady state allocates nothing. One over a
/// pool of the caller's own is not.</para>
/// <para>Thread safety: any number of threads may read and write (serialize) a message at once. To parse, change, clear or release it needs
/// exclusive access.</para>
/// </remarks>
/// <typeparam name="T">The message type.</typeparam>
[DebuggerDisplay("{DebuggerDisplay,nq}")]
[DebuggerTypeProxy(typeof(MessageDebuggerView<>))]
public readonly struct Message<T> : IDisposable, IEquatable<Message<T>>
    where T : struct, ISlabMessage<T>
{
    const int firstRead = 32 * 1024;

    readonly MessageCore<T>? core;
    readonly long rental;

    Message(MessageCore<T> core) => (this.core, rental) = (core, core.Rental);

    /// <summary>A view of the content. It is empty after <see cref="Rent()"/> and after a parse that failed.</summary>
    /// <exception cref="ObjectDisposedException">The message was released.</exception>
    public T Value
    {
        get
        {
            Snapshot(out _, out var content);
            core!.MarkSeen();
            return content;
        }
    }

    /// <summary>Gets the number of string and bytes fields that <see cref="ParseAlias(in ReadOnlySequence{byte})"/> copied, because they
    /// cross the border of two segments.</summary>
    /// <exception cref="ObjectDisposedException">The message was released.</exception>
    public int CopiedFieldCount
    {
        get
        {
            var root = Snapshot(out _, out _);
            var count = root.Memory.CopiedFieldCount;
            ThrowIfReleased(core!);
            return count;
        }
    }

    internal bool IsReleased => core is null || core.Rental != rental;

    string DebuggerDisplay => IsReleased ? "released" : TextFormatter.ForDebugger(core!.Root, core.Content);

    MessageCore<T> Core
    {
        get
        {
            if (core is null || core.Rental != rental) ThrowReleased();
            return core;
        }
    }

    /// <summary>Takes an empty message over the shared pool. The caller disposes it. Any thread may call this.</summary>
    [SuppressMessage("Design", "CA1000", Justification = "the type argument is what is asked for")]
    public static Message<T> Rent() => new(MessageCore<T>.Rent());

    /// <summary>Makes an empty message over a pool of the caller's own. The caller disposes it, before the pool.</summary>
    /// <exception cref="ArgumentNullException"><paramref name="pool"/> is null.</exception>
    [SuppressMessage("Design", "CA1000", Justification = "the type argument is what is asked for")]
    public static Message<T> Rent(SlabPool pool)
    {
        ArgumentNullException.ThrowIfNull(pool);
        return new(MessageCore<T>.Rent(pool));
    }

    /// <summary>Whether two handles came from the same call of <see cref="Rent()"/>. The content is not compared.</summary>
    public static bool operator ==(Message<T> left, Message<T> right) => left.Equals(right);

    /// <summary>Whether two handles came from different calls of <see cref="Rent()"/>.</summary>
    public static bool operator !=(Message<T> left, Message<T> right) => !left.Equals(right);

    /// <summary>Replaces the content by what the input holds. The input may change after the call: all of it is copied if the message type
    /// has strings or bytes, and only its unknown fields if not.</summary>
    /// <returns><see cref="Value"/>: valid until the message is released, cleared, merged, copied into or parsed again.</returns>
    /// <exception cref="WireFormatException">The input is not a message; this one is empty then.</exception>
    /// <exception cref="ArgumentException">The input is memory of this message's own, which is about to be emptied; or a sequence whose
    /// segments have another length than it says. The message is as it was.</exception>
    /// <exception cref="InsufficientMemoryException">The message has more than 2 GiB, or a repeated field more than 2^30 elements; this
    /// message is empty then.</exception>
    /// <exception cref="SlabPoolExhaustedException">The pool is at its limit; this message is empty then.</exception>
    /// <exception cref="ObjectDisposedException">The message was released; or code that the input's memory runs has released, cleared or
    /// parsed it meanwhile.</exception>
    public T Parse(ReadOnlySpan<byte> input)
    {
        var core = Core;
        core.ThrowIfOwned(input);
        core.Begin();
        return core.Read(T.KeepsInput ? core.Memory.Copy(input) : core.Memory.Borrow(input));
    }

    /// <inheritdoc cref="Parse(ReadOnlySpan{byte})"/>
    public T Parse(ReadOnlyMemory<byte> input) => Parse(input.Span);

    /// <inheritdoc cref="Parse(ReadOnlySpan{byte})"/>
    public T Parse(in ReadOnlySequence<byte> input)
    {
        if (input.IsSingleSegment) return Parse(input.FirstSpan);
        var core = CoreFor(input);
        core.Begin();
        return core.Read(core.Memory.Copy(input));
    }

    /// <summary>Reads a stream to its end, into the message's memory. The stream is not closed. What it throws is passed on, and this
    /// message is empty then.</summary>
    /// <exception cref="IOException">The stream says that it read more than it was asked for.</exception>
    /// <exception cref="InvalidOperationException">The stream set a string or bytes of this message.</exception>
    /// <inheritdoc cref="Parse(ReadOnlySpan{byte})"/>
    public T Parse(Stream input)
    {
        ArgumentNullException.ThrowIfNull(input);
        if (input.GetType() == typeof(MemoryStream) && ((MemoryStream)input).TryGetBuffer(out var bytes))
        {
            var from = (int)Math.Min(input.Position, bytes.Count);
            input.Position = Math.Max(input.Position, bytes.Count);
            return Parse(bytes.AsSpan(from));
        }

        var core = Core;
        core.Begin();
        return core.Read(core.Memory.Copy(input));
    }

    /// <summary>Reads the input where it is: strings, bytes and packed numbers of fixed width refer to the caller's memory, which must stay
    /// as it is until the message is released, cleared or parsed again.</summary>
    /// <inheritdoc cref="Parse(ReadOnlySpan{byte})"/>
    public T ParseAlias(ReadOnlyMemory<byte> input)
    {
        var bytes = input.Span;
        var core = Core;
        core.ThrowIfOwned(bytes);
        core.Begin();
        return core.Read(core.Memory.Alias(input, bytes));
    }

    /// <summary>Reads the input where it is: strings, bytes and packed numbers of fixed width refer to the caller's memory, which must stay
    /// as it is until the message is released, cleared or parsed again. A field that crosses the border of two segments is copied.
    /// </summary>
    /// <inheritdoc cref="Parse(ReadOnlySpan{byte})"/>
    public T ParseAlias(in ReadOnlySequence<byte> input)
    {
        if (input.IsSingleSegment) return ParseAlias(input.First);
        var core = CoreFor(input);
        core.Begin();
        return core.Read(core.Memory.Alias(input));
    }

    /// <summary>Empties this message, and parses the next one of a delimited stream, in which each message has its length in front of it.
    /// No byte behind the message is read. The stream is asked for each byte of the length, so it should be a buffered one.</summary>
    /// <param name="input">The stream. It is not closed. What it throws is passed on.</param>
    /// <param name="maxBytes">The most bytes that the message may have; 64 MiB by default. Memory is taken for what has come, and not for the
    /// length that the input states.</param>
    /// <returns>Whether there was a message; false at the end of the stream.</returns>
    /// <exception cref="WireFormatException">The stream ends inside of a message or of its length; the length is not one, or is more than
    /// <paramref name="maxBytes"/>; or the input is not a message. This message is empty then.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxBytes"/> is negative.</exception>
    /// <exception cref="IOException">The stream says that it read more than it was asked for.</exception>
    /// <exception cref="InvalidOperationException">The stream set a string or bytes of this message.</exception>
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

    /// <summary>Empties this message, and parses the next one of a delimited stream, as <see cref="TryParseDelimited(Stream, int)"/>. The
    /// message needs exclusive access until the task ends. Allocates an array of the message's length.</summary>
    /// <param name="input">The stream. It is not closed. What it throws is passed on.</param>
    /// <param name="maxBytes">The most bytes that the message may have; 64 MiB by default.</param>
    /// <param name="cancellation">Ends the waiting. What was read until then is lost.</param>
    /// <exception cref="OperationCanceledException">The waiting was ended.</exception>
    /// <inheritdoc cref="TryParseDelimited(Stream, int)"/>
    public async ValueTask<bool> TryParseDelimitedAsync(Stream input, int maxBytes = 64 << 20, CancellationToken cancellation = default)
    {
        ArgumentNullException.ThrowIfNull(input);
        ArgumentOutOfRangeException.ThrowIfNegative(maxBytes);
        Clear();

        // An array of its own, and not one of a pool: the stream may keep it.
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

    /// <summary>Empties this message, and parses the next one of a sequence in which each message has its length in front of it.</summary>
    /// <param name="input">The sequence. It begins behind the message afterwards. If there was no message, or it was refused, it is as it
    /// was.</param>
    /// <param name="isFinal">Whether nothing will follow the sequence. Pass false for what a pipe has so far.</param>
    /// <param name="maxBytes">The most bytes that the message may have; 64 MiB by default.</param>
    /// <returns>Whether there was a message; false for an empty sequence, and, if it is not the final one, for a part of a message.
    /// </returns>
    /// <exception cref="WireFormatException">The final sequence ends inside of a message or of its length; the length is not one, or is more
    /// than <paramref name="maxBytes"/>; or the input is not a message. This message is empty then.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="maxBytes"/> is negative.</exception>
    /// <exception cref="ArgumentException">The segments of the sequence have another length than it says.</exception>
    /// <exception cref="InsufficientMemoryException">A repeated field has more than 2^30 elements.</exception>
    /// <exception cref="SlabPoolExhaustedException">The pool is at its limit.</exception>
    /// <exception cref="ObjectDisposedException">The message was released; or the input is memory of this message's own.</exception>
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

    /// <summary>Empties the message. Its memory is kept for what comes next.</summary>
    /// <exception cref="ObjectDisposedException">The message was released.</exception>
    public void Clear() => Core.Clear();

    /// <summary>Releases the message. A second call does nothing, on any thread, also when somebody else has rented the memory since.
    /// </summary>
    public void Dispose() => core?.Release(rental);

    /// <summary>Releases a message whose last handle was collected, on the finalizer's thread.</summary>
    internal void Abandon() => core?.Abandon(rental);

    /// <inheritdoc/>
    public bool Equals(Message<T> other) => core == other.core && rental == other.rental;

    /// <inheritdoc/>
    public override bool Equals([NotNullWhen(true)] object? obj) => obj is Message<T> other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(core, rental);

    /// <summary>The message, for input that is to replace its content. The input's memory may be anybody's code: the handle is compared
    /// after each look at it.</summary>
    MessageCore<T> CoreFor(in ReadOnlySequence<byte> input)
    {
        MessageMemory.LengthOf(input);
        foreach (var segment in input)
        {
            var bytes = segment.Span;
            Core.ThrowIfOwned(bytes);
        }

        return Core;
    }

    void ThrowIfReleased(MessageCore<T> core)
    {
        Volatile.ReadBarrier();
        if (core.Rental != rental) ThrowReleased();
    }

    [DoesNotReturn]
    static void ThrowReleased() => throw new ObjectDisposedException("Message", "This message was released.");

    /// <summary>Reads more input into the message, as if it stood behind what was read before: scalars are replaced, sub-messages merged,
    /// lists continued. Views that were taken before are not valid any more.</summary>
    /// <returns><see cref="Value"/>.</returns>
    /// <exception cref="WireFormatException">The input is not a message. What
    /// was read before the place that is wrong is in this message.</exception>
    /// <exception cref="InsufficientMemoryException">The message has more than 2 GiB, or a repeated field more than 2^30 elements.
    /// </exception>
    /// <exception cref="SlabPoolExhaustedException">The pool is at its limit.</exception>
    /// <exception cref="ObjectDisposedException">The message was released.</exception>
    public T MergeFrom(ReadOnlySpan<byte> input) => Core.Merge(input);

    /// <inheritdoc cref="MergeFrom(ReadOnlySpan{byte})"/>
    /// <exception cref="ArgumentException">The segments of the sequence have another length than it says. The message is as it was.
    /// </exception>
    public T MergeFrom(in ReadOnlySequence<byte> input) => input.IsSingleSegment ? MergeFrom(input.FirstSpan) : Core.Merge(input);

    /// <summary>Merges another message into this one, as <see cref="MergeFrom(ReadOnlySpan{byte})"/>
    /// does with its bytes. It may be this one.</summary>
    /// <inheritdoc cref="MergeFrom(ReadOnlySpan{byte})"/>
    public T MergeFrom(Message<T> other)
    {
        var core = Core;
        var root = other.Snapshot(out var stamp, out var content);
        return core.Merge(root, stamp, content);
    }

    /// <summary>Replaces the content by a copy of another message's.</summary>
    /// <returns><see cref="Value"/>.</returns>
    /// <exception cref="ArgumentException"><paramref name="other"/> is this message.</exception>
    /// <exception cref="InvalidOperationException"><paramref name="other"/> has more than 2 GiB, or is nested too deep; this message is empty
    /// then.</exception>
    /// <exception cref="ObjectDisposedException">One of the messages was released.</exception>
    public T CopyFrom(Message<T> other)
    {
        if (Equals(other)) throw new ArgumentException("A message cannot be copied into itself.", nameof(other));
        var core = Core;
        var root = other.Snapshot(out var stamp, out var content);
        core.Begin();
        return core.Read(core.Memory.CopyOf(root, stamp, content));
    }

    /// <summary>Waits until a pipe has all of its input, and parses it, with a copy. The reader is advanced behind the input, and not
    /// completed: that is the caller's. The message needs exclusive access until the task ends.</summary>
    /// <param name="input">The pipe.</param>
    /// <param name="cancellation">Ends the waiting. The input stays in the pipe.</param>
    /// <returns><see cref="Value"/>.</returns>
    /// <exception cref="OperationCanceledException">The waiting was ended, by the token or by
    /// <see cref="PipeReader.CancelPendingRead"/>; the message is as it was.</exception>
    /// <inheritdoc cref="Parse(ReadOnlySpan{byte})" path="/exception"/>
    public async ValueTask<T> ParseAsync(PipeReader input, CancellationToken cancellation = default)
    {
        ArgumentNullException.ThrowIfNull(input);
        while (true)
        {
            var result = await input.ReadAsync(cancellation).ConfigureAwait(false);
            if (result.IsCanceled) throw new OperationCanceledException("The read of the pipe was canceled.");
            if (!result.IsCompleted)
            {
                input.AdvanceTo(result.Buffer.Start, result.Buffer.End);
                continue;
            }

            try
            {
                return Parse(result.Buffer);
            }
            finally
            {
                input.AdvanceTo(result.Buffer.End);
            }
        }
    }

    /// <summary>Writes the message into a pipe and flushes it. The message is written when this returns, and may be released before the
    /// flush ends. The pipe's writer is not completed.</summary>
    /// <param name="output">The pipe.</param>
    /// <param name="cancellation">Ends the waiting for the flush. The message is in the pipe by then.</param>
    /// <returns>The pipe's own answer to the flush.</returns>
    /// <inheritdoc cref="WriteTo(IBufferWriter{byte})" path="/exception"/>
    public ValueTask<FlushResult> WriteToAsync(PipeWriter output, CancellationToken cancellation = default)
    {
        WriteTo(output);
        return output.FlushAsync(cancellation);
    }

    /// <summary>The size on the wire, in bytes.</summary>
    /// <exception cref="ObjectDisposedException">The message was released.</exception>
    /// <exception cref="InvalidOperationException">The message has more than 2 GiB, or is nested more than
    /// <see cref="ParseLimits.MaxDepth"/> deep: no reader would accept it.</exception>
    public int CalculateSize()
    {
        // Where no size is stored in a message, one look at the end is enough: what was read before it is this renter's. No call but
        // those that throw: with one that returns, the compiler saves five registers first.
        var core = this.core;
        if (core is not null)
        {
            // The look at it is for the cast that follows, which is shorter for what cannot be null.
            var root = core.Root;
            _ = root.Memory;
            var size = T.CalculateFlatSize(root);
            Volatile.ReadBarrier();
            if ((ulong)size <= int.MaxValue && core.Rental == rental) return (int)size;
        }

        return CalculateStoredSize();
    }

    /// <summary>Writes the message, window by window. What was written is committed by <see cref="IBufferWriter{T}.Advance"/>.</summary>
    /// <exception cref="InvalidOperationException">The message has more than 2 GiB, or is nested too deep, and nothing was written; or the
    /// writer gave less room than it was asked for, or the message was changed meanwhile, and a part was written.</exception>
    /// <exception cref="ObjectDisposedException">The message was released, before or meanwhile.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteTo(IBufferWriter<byte> output)
    {
        ArgumentNullException.ThrowIfNull(output);
        if (T.ScalarRoom > 0) WriteScalars(output);
        else Write(output);
    }

    /// <summary>Writes the message to the beginning of a span.</summary>
    /// <returns>Number of bytes written.</returns>
    /// <exception cref="ArgumentException"><paramref name="output"/> is too small; nothing was written.</exception>
    /// <inheritdoc cref="CalculateSize" path="/exception"/>
    public int WriteTo(Span<byte> output)
    {
        var root = Snapshot(out var stamp, out var content);
        var size = SizeOf(content);
        if (size > output.Length) throw new ArgumentException($"The message has {size} bytes, the output {output.Length}.", nameof(output));
        MessageMemory.Write(root, stamp, content, output[..size]);
        return size;
    }

    /// <summary>Writes the message at the stream's position. The stream is not flushed and not closed. What it throws is passed on. A
    /// <see cref="MemoryStream"/> that exposes its buffer is written directly; for any other stream the message is first written into
    /// memory of its pool, which is returned.</summary>
    /// <inheritdoc cref="CalculateSize" path="/exception"/>
    public void WriteTo(Stream output)
    {
        ArgumentNullException.ThrowIfNull(output);
        var root = Snapshot(out var stamp, out var content);
        var size = SizeOf(content);
        if (output.GetType() == typeof(MemoryStream) && output.CanWrite && ((MemoryStream)output).TryGetBuffer(out _))
        {
            var exposed = (MemoryStream)output;
            var from = exposed.Position;
            if (from + size > exposed.Length) exposed.SetLength(from + size);
            exposed.TryGetBuffer(out var buffer);
            MessageMemory.Write(root, stamp, content, buffer.AsSpan((int)from, size));
            exposed.Position = from + size;
            return;
        }

        var pool = root.Memory.Pool;
        var slab = pool.Rent(size);
        try
        {
            var room = slab.GetSpan()[..size];
            MessageMemory.Write(root, stamp, content, room);
            output.Write(room);
        }
        finally
        {
            pool.Return(slab);
        }
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
        var writer = new WireWriter(ref write, window);
        T.Write(ref writer, content);
        var written = writer.End();
        root.ThrowIfEmptied(stamp);
        if (written > 0) output.Advance(written);
    }

    /// <summary>Writes the length of the message, as a varint, and the message, in one call of the stream. The stream is not flushed and
    /// not closed. What it throws is passed on.</summary>
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
    /// changed before the task ends. The stream is not flushed and not closed. What it throws is passed on. Allocates an array of the
    /// message's length.</summary>
    /// <param name="output">The stream.</param>
    /// <param name="cancellation">Ends the writing.</param>
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

    /// <summary>Writes the message into a new array, which is the caller's.</summary>
    /// <inheritdoc cref="CalculateSize" path="/exception"/>
    public byte[] ToByteArray()
    {
        var root = Snapshot(out var stamp, out var content);
        var bytes = GC.AllocateUninitializedArray<byte>(SizeOf(content));
        MessageMemory.Write(root, stamp, content, bytes);
        return bytes;
    }

    /// <summary>The size of a message with sub-messages, whose sizes are stored, or with unknown fields.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    int CalculateStoredSize()
    {
        var size = SizeOf(T.Create(Core.Root));
        ThrowIfReleased(core!);
        return size;
    }

    static int SizeOf(T content)
    {
        var size = T.CalculateSize(content);
        if (size > int.MaxValue) ThrowTooLarge(size);
        return (int)size;
    }

    // Not inlined, here and below: the writer stays in registers only where the compiler can inline all of its steps, and it stops at a
    // number of them for each method.

    /// <summary>Writes a message of few numbers. The window comes first, because asking for it runs the caller's code: then one look at the
    /// renting covers what is read, and one more what is handed over.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    void WriteScalars(IBufferWriter<byte> output)
    {
        var window = output.GetSpan();
        var room = T.ScalarRoom;
        if (room >= 0 && window.Length >= (long)room + ScalarWriter.FieldRoom)
        {
            var core = this.core;
            if (core is null) ThrowReleased();
            var content = T.Create(core.Root);
            ThrowIfReleased(core);
            var writer = T.WriteScalars(new(window), content);
            if (!writer.IsDefault)
            {
                ThrowIfReleased(core);
                output.Advance(writer.CountFrom(window));
                return;
            }
        }

        Write(output);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    void Write(IBufferWriter<byte> output)
    {
        var root = Snapshot(out var stamp, out var content);
        if (T.NeedsSizes || root.Memory.SizeBound > int.MaxValue) SizeOf(content);
        var window = output.GetSpan();
        root.ThrowIfEmptied(stamp);
        var write = new WireOutput(root, stamp, output, T.KeepsInput);
        var writer = new WireWriter(ref write, window);
        T.Write(ref writer, content);
        var written = writer.End();
        root.ThrowIfEmptied(stamp);
        if (written > 0) output.Advance(written);
    }

    /// <summary>What is written, and the stamp by which a release that comes meanwhile is noticed.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    Storage Snapshot(out int stamp, out T content)
    {
        // The check comes last: what was read before it is this renter's.
        var core = this.core;
        if (core is null) ThrowReleased();
        var root = core.Root;
        stamp = root.Stamp;
        content = T.Create(root);
        ThrowIfReleased(core);
        return root;
    }

    [DoesNotReturn]
    static void ThrowTooLarge(long size) =>
        throw new InvalidOperationException($"A message of {size} bytes is beyond the 2 GiB that protobuf allows.");
}

/// <summary>The length in front of a message in a delimited stream: a varint.</summary>
struct LengthPrefix
{
    /// <summary>The most bytes that <see cref="Write"/> needs.</summary>
    public const int MaxBytes = 5;

    const int longestVarint = 10;

    ulong value;
    int count;

    /// <summary>Room for the length and the message.</summary>
    /// <exception cref="InvalidOperationException">No array has it.</exception>
    public static int RoomFor(int size) =>
        size <= Array.MaxLength - MaxBytes ? size + MaxBytes
        : throw new InvalidOperationException($"A message of {size} bytes and its length are beyond the 2 GiB of an array.");

    /// <summary>Takes the next byte.</summary>
    /// <returns>Whether it is the last one.</returns>
    /// <exception cref="WireFormatException">The varint is too long.</exception>
    public bool Add(byte next)
    {
        value |= (ulong)(next & 0x7F) << (7 * count);
        count++;
        if (next < 0x80) return true;
        if (count == longestVarint) throw new WireFormatException(WireError.VarintTooLong, 0);
        return false;
    }

    /// <summary>Says that there is no further byte.</summary>
    /// <returns>False: there is no message.</returns>
    /// <exception cref="WireFormatException">There was a byte.</exception>
    public readonly bool End() => count == 0 ? false : throw new WireFormatException(WireError.Truncated, count);

    /// <summary>The length, after the last byte.</summary>
    /// <exception cref="WireFormatException">It is none, or more than the caller allows.</exception>
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
