using System.Buffers;
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using ProtoBench.Allocators;
using ProtoBench.Codec.Runtime;

namespace ProtoBench.Codec;

/// <summary>Represents a rented message: a handle to its content (<see cref="Value"/>) and to the memory that holds it.</summary>
/// <remarks>
/// <para>Ownership: the renter owns the message until <see cref="Dispose"/>. Copies of the handle refer to the same message. After the
/// release every member throws <see cref="ObjectDisposedException"/>, except for <see cref="Dispose"/> and the comparison of handles. Every
/// view of the content throws the same exception, on any thread, even if the memory was rented again. A parse, a merge, a copy into the
/// message and <see cref="Clear"/> invalidate the views that were taken before in the same way. The default value behaves like a message
/// that was released.</para>
/// <para>A message of <see cref="Rent()"/> uses the shared pool and is recycled, with its arrays and one slab, so that a steady state
/// allocates nothing. A message of <see cref="Rent(SlabPool)"/> is not recycled.</para>
/// <para>Thread safety: any number of threads may read and write (serialize) a message at once. Parsing, changing, clearing or releasing a
/// message requires exclusive access.</para>
/// </remarks>
/// <typeparam name="T">The message type.</typeparam>
[DebuggerDisplay("{DebuggerDisplay,nq}")]
[DebuggerTypeProxy(typeof(MessageDebuggerView<>))]
public readonly partial struct Message<T> : IDisposable, IEquatable<Message<T>>
    where T : struct, ISlabMessage<T>
{
    const int firstRead = 32 * 1024;

    readonly MessageCore<T>? core;
    readonly long rental;

    Message(MessageCore<T> core) => (this.core, rental) = (core, core.Rental);

    /// <summary>Gets a view of the content. It is empty after <see cref="Rent()"/> and after a parse that failed.</summary>
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

    /// <summary>Gets the number of unknown fields that the message discarded since the last parse (<see cref="WithDiscardUnknownFields"/>),
    /// in all its parts. A group counts once, and so does a value that a closed enum does not define.</summary>
    /// <exception cref="ObjectDisposedException">The message was released.</exception>
    public int DiscardedFieldCount
    {
        get
        {
            var root = Snapshot(out _, out _);
            var count = root.Memory.DiscardedFieldCount;
            ThrowIfReleased(core!);
            return count;
        }
    }

    internal bool IsReleased => core is null || core.Rental != rental;

    string DebuggerDisplay => IsReleased ? "released" : TextPrinter.ForDebugger(core!.Root, 1, core.Content);

    MessageCore<T> Core
    {
        get
        {
            if (core is null || core.Rental != rental) ThrowReleased();
            return core;
        }
    }

    /// <summary>Rents an empty message that uses the shared pool. The caller must dispose it. Any thread may call this method.</summary>
    [SuppressMessage("Design", "CA1000", Justification = "the type argument is what is asked for")]
    public static Message<T> Rent() => new(MessageCore<T>.Rent());

    /// <summary>Creates an empty message that uses the given pool. The caller must dispose the message before the pool.</summary>
    /// <exception cref="ArgumentNullException"><paramref name="pool"/> is null.</exception>
    [SuppressMessage("Design", "CA1000", Justification = "the type argument is what is asked for")]
    public static Message<T> Rent(SlabPool pool)
    {
        ArgumentNullException.ThrowIfNull(pool);
        return new(MessageCore<T>.Rent(pool));
    }

    /// <summary>Specifies whether unknown fields are discarded when the message is parsed, merged or copied into, also by members of its
    /// views. They are then checked and counted (<see cref="DiscardedFieldCount"/>), and take no memory. By default they are kept. The
    /// setting ends with the release. Unknown fields that the message has already stay until the next parse.</summary>
    /// <returns>This message.</returns>
    /// <exception cref="ObjectDisposedException">The message was released.</exception>
    public Message<T> WithDiscardUnknownFields(bool discardUnknownFields)
    {
        Core.Memory.DiscardsUnknownFields = discardUnknownFields;
        return this;
    }

    /// <summary>Determines whether two handles came from the same call of <see cref="Rent()"/>. The content is not compared.</summary>
    public static bool operator ==(Message<T> left, Message<T> right) => left.Equals(right);

    /// <summary>Determines whether two handles came from different calls of <see cref="Rent()"/>.</summary>
    public static bool operator !=(Message<T> left, Message<T> right) => !left.Equals(right);

    /// <summary>Parses the input and replaces the content of the message. The input may change after the call: all input is copied if the
    /// message type has string or bytes fields, and only unknown fields are copied otherwise.</summary>
    /// <returns>The view of the content, as <see cref="Value"/>. It is valid until the message is released, cleared, merged, copied into or
    /// parsed again.</returns>
    /// <exception cref="WireFormatException">The input is not a valid message. This message is then empty.</exception>
    /// <exception cref="ArgumentException">The input is memory of this message, which would be emptied; or it is a sequence that states
    /// another length than its segments have. The message is unchanged.</exception>
    /// <exception cref="InsufficientMemoryException">The message has more than 2 GiB, or a repeated field has more than 2^30 elements. This
    /// message is then empty.</exception>
    /// <exception cref="SlabPoolExhaustedException">The pool is at its limit. This message is then empty.</exception>
    /// <exception cref="ObjectDisposedException">The message was released; or the code of the input's memory released, cleared or parsed it
    /// during the call.</exception>
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

    /// <summary>Reads a stream to its end into the message's memory, and parses it. The stream is not closed. Its exceptions are passed on,
    /// and this message is then empty.</summary>
    /// <exception cref="IOException">The stream reported more bytes than were requested.</exception>
    /// <exception cref="InvalidOperationException">The stream set a string or bytes field of this message.</exception>
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

    /// <summary>Parses the input without copying it. Strings, bytes and packed numbers of fixed width refer to the caller's memory. This
    /// memory must not change until the message is released, cleared or parsed again.</summary>
    /// <inheritdoc cref="Parse(ReadOnlySpan{byte})"/>
    public T ParseAlias(ReadOnlyMemory<byte> input)
    {
        var bytes = input.Span;
        var core = Core;
        core.ThrowIfOwned(bytes);
        core.Begin();
        return core.Read(core.Memory.Alias(input, bytes));
    }

    /// <summary>Parses the input without copying it. Strings, bytes and packed numbers of fixed width refer to the caller's memory. This
    /// memory must not change until the message is released, cleared or parsed again. A field that crosses the border of two segments is
    /// copied.</summary>
    /// <inheritdoc cref="Parse(ReadOnlySpan{byte})"/>
    public T ParseAlias(in ReadOnlySequence<byte> input)
    {
        if (input.IsSingleSegment) return ParseAlias(input.First);
        var core = CoreFor(input);
        core.Begin();
        return core.Read(core.Memory.Alias(input));
    }

    /// <summary>Removes the content of the message. The memory is kept for the next content.</summary>
    /// <exception cref="ObjectDisposedException">The message was released.</exception>
    public void Clear() => Core.Clear();

    /// <summary>Releases the message. Further calls do nothing, on any thread, even if the memory was rented again.</summary>
    public void Dispose() => core?.Release(rental);

    /// <summary>Releases a message whose last handle was collected, on the finalizer's thread.</summary>
    internal void Abandon() => core?.Abandon(rental);

    /// <inheritdoc/>
    public bool Equals(Message<T> other) => core == other.core && rental == other.rental;

    /// <inheritdoc/>
    public override bool Equals([NotNullWhen(true)] object? obj) => obj is Message<T> other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(core, rental);

    /// <summary>Gets the core for a parse of the input. The memory of the input may run any code, so the handle is checked after each
    /// access to it.</summary>
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
    static void ThrowReleased() =>
        throw new ObjectDisposedException($"Message<{typeof(T).FullName!.Replace('+', '.')}>", "This message was released.");

    /// <summary>Parses the input and merges it into the message, as if it followed the input that was parsed before: scalars are replaced,
    /// sub-messages are merged, and elements are added to repeated fields. Views that were taken before become invalid.</summary>
    /// <returns>The view of the content, as <see cref="Value"/>.</returns>
    /// <exception cref="WireFormatException">The input is not a valid message. The fields before the error are merged into this
    /// message.</exception>
    /// <exception cref="InsufficientMemoryException">The message has more than 2 GiB, or a repeated field has more than 2^30
    /// elements.</exception>
    /// <exception cref="SlabPoolExhaustedException">The pool is at its limit.</exception>
    /// <exception cref="ObjectDisposedException">The message was released.</exception>
    public T MergeFrom(ReadOnlySpan<byte> input) => Core.Merge(input);

    /// <inheritdoc cref="MergeFrom(ReadOnlySpan{byte})"/>
    /// <exception cref="ArgumentException">The sequence states another length than its segments have. The message is unchanged.</exception>
    public T MergeFrom(in ReadOnlySequence<byte> input) => input.IsSingleSegment ? MergeFrom(input.FirstSpan) : Core.Merge(input);

    /// <summary>Merges another message into this one, as <see cref="MergeFrom(ReadOnlySpan{byte})"/> does with the bytes of the other
    /// message. The other message may be this message.</summary>
    /// <inheritdoc cref="MergeFrom(ReadOnlySpan{byte})"/>
    /// <exception cref="InvalidOperationException"><paramref name="other"/> has more than 2 GiB, or is nested too deep, or lacks a required
    /// field.</exception>
    public T MergeFrom(Message<T> other)
    {
        var core = Core;
        var root = other.Snapshot(out var stamp, out var content);
        return core.Merge(root, stamp, content);
    }

    /// <summary>Replaces the content by a copy of the content of another message.</summary>
    /// <returns>The view of the content, as <see cref="Value"/>.</returns>
    /// <exception cref="ArgumentException"><paramref name="other"/> is this message.</exception>
    /// <exception cref="InvalidOperationException"><paramref name="other"/> has more than 2 GiB, or is nested too deep, or lacks a required
    /// field. This message is then empty.</exception>
    /// <exception cref="InsufficientMemoryException">The copy does not fit into one array, or a repeated field has more than 2^30 elements.
    /// This message is then empty.</exception>
    /// <exception cref="SlabPoolExhaustedException">The pool of this message is at its limit. This message is then empty.</exception>
    /// <exception cref="ObjectDisposedException">One of the messages was released.</exception>
    public T CopyFrom(Message<T> other)
    {
        if (Equals(other)) throw new ArgumentException("A message cannot be copied into itself.", nameof(other));
        var core = Core;
        var root = other.Snapshot(out var stamp, out var content);
        core.Begin();
        return core.Read(core.Memory.CopyOf(root, stamp, content));
    }

    /// <summary>Waits until a pipe has all its input, and parses a copy of it. The reader is advanced past the input. It is not completed;
    /// this is left to the caller. The message requires exclusive access until the task has completed.</summary>
    /// <param name="input">The pipe.</param>
    /// <param name="cancellation">The token to cancel the wait. The input stays in the pipe.</param>
    /// <returns>The view of the content, as <see cref="Value"/>.</returns>
    /// <exception cref="OperationCanceledException">The wait was canceled, by the token or by <see cref="PipeReader.CancelPendingRead"/>.
    /// The message is unchanged.</exception>
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

    /// <summary>Writes the message into a pipe and flushes the pipe. When this method returns, the message is written, and may be released
    /// before the flush has completed. The pipe's writer is not completed.</summary>
    /// <param name="output">The pipe.</param>
    /// <param name="cancellation">The token to cancel the wait for the flush. The message is already in the pipe then.</param>
    /// <returns>The result of the flush.</returns>
    /// <inheritdoc cref="WriteTo(IBufferWriter{byte})" path="/exception"/>
    public ValueTask<FlushResult> WriteToAsync(PipeWriter output, CancellationToken cancellation = default)
    {
        WriteTo(output);
        return output.FlushAsync(cancellation);
    }

    /// <summary>Calculates the size on the wire, in bytes.</summary>
    /// <exception cref="ObjectDisposedException">The message was released.</exception>
    /// <exception cref="InvalidOperationException">The message has more than 2 GiB, or is nested more than
    /// <see cref="ParseLimits.MaxDepth"/> deep, or lacks a required field: no reader would accept it.</exception>
    public int CalculateSize()
    {
        // If the message type stores no sizes, one check at the end is enough: all fields that were read before it belong to this renter.
        // All calls on this path are calls of methods that throw. With one that returns, the compiler would save five registers first.
        var core = this.core;
        if (core is not null)
        {
            // This access shows the compiler that root is not null, which makes the following cast shorter.
            var root = core.Root;
            _ = root.Memory;
            var size = T.CalculateFlatSize(root);
            Volatile.ReadBarrier();
            if ((ulong)size <= int.MaxValue && core.Rental == rental) return (int)size;
        }

        return CalculateStoredSize();
    }

    /// <summary>Writes the message to a buffer writer, one window after the other. Written bytes are committed by
    /// <see cref="IBufferWriter{T}.Advance"/>.</summary>
    /// <exception cref="InvalidOperationException">Nothing was written: the message has more than 2 GiB, is nested too deep or lacks a
    /// required field. Or a part was written: the writer returned less memory than was requested, or the message was changed during the
    /// call.</exception>
    /// <exception cref="ObjectDisposedException">The message was released before or during the call.</exception>
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

    /// <summary>Writes the message to a stream, at its position. The stream is not flushed and not closed. Its exceptions are passed on. A
    /// <see cref="MemoryStream"/> that exposes its buffer is written directly. For any other stream the message is first written into
    /// memory that is rented from the message's pool, and returned after the write.</summary>
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

    /// <summary>Writes the message into a new array, which belongs to the caller.</summary>
    /// <inheritdoc cref="CalculateSize" path="/exception"/>
    public byte[] ToByteArray()
    {
        var root = Snapshot(out var stamp, out var content);
        var bytes = GC.AllocateUninitializedArray<byte>(SizeOf(content));
        MessageMemory.Write(root, stamp, content, bytes);
        return bytes;
    }

    /// <summary>Calculates the size of a message with sub-messages, whose sizes are stored, or with unknown fields.</summary>
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

    // Neither this method nor the next one is inlined: the writer stays in registers only if the compiler can inline all of its steps, and
    // the compiler inlines a limited number of them into one method.

    /// <summary>Writes a message of few numbers. The window is requested first, because the request runs the caller's code. Then one check
    /// of the rental covers all reads, and one more check covers the commit.</summary>
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
                output.Advance((int)writer.CountFrom(ref MemoryMarshal.GetReference(window)));
                return;
            }
        }

        Write(output);
    }

    /// <summary>Writes the message if it has room in one window. A message that was parsed takes as many bytes as its input, so this is
    /// seldom tried in vain.</summary>
    /// <returns>Whether the message was written. Otherwise nothing was committed.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    bool TryWriteInOnePass(IBufferWriter<byte> output)
    {
        var root = Snapshot(out var stamp, out var content);
        var window = output.GetSpan();
        root.ThrowIfEmptied(stamp);
        if (window.Length < root.Memory.StoredBytes) return false;
        var write = new WireOutput(root, stamp, output, T.KeepsInput, isOnePass: true);
        var writer = new WireWriter(ref write, window);
        T.Write(ref writer, content);
        if (write.HasGivenUp) return false;
        var written = writer.End();
        root.ThrowIfEmptied(stamp);
        if (written > 0) output.Advance(written);
        return true;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    void Write(IBufferWriter<byte> output)
    {
        if (T.IsWrittenInOnePass && TryWriteInOnePass(output)) return;
        var root = Snapshot(out var stamp, out var content);
        if (T.NeedsSizes || root.Memory.SizeBound > int.MaxValue) SizeOf(content);
        var window = output.GetSpan();
        root.ThrowIfEmptied(stamp);
        var write = new WireOutput(root, stamp, output, T.KeepsInput, needsSize: !T.NeedsSizes);
        write.WindowLength = window.Length;
        var writer = new WireWriter(ref write, window);
        T.Write(ref writer, content);
        var written = writer.End();
        root.ThrowIfEmptied(stamp);
        if (written > write.WindowLength) WireOutput.ThrowOldCopy();
        if (written > 0) output.Advance(written);
    }

    /// <summary>Gets the content to write, and the stamp that shows whether the message is released meanwhile.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    Storage Snapshot(out int stamp, out T content)
    {
        // The check comes last: everything that was read before it belongs to this renter.
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
