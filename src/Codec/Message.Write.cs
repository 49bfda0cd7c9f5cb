using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace ProtoBench.Codec;

public readonly partial struct Message<T>
{
    /// <summary>The size on the wire, in bytes.</summary>
    /// <exception cref="ObjectDisposedException">The message was released.</exception>
    /// <exception cref="InvalidOperationException">The message has more than 2 GiB, or is nested more than
    /// <see cref="WireReader.MaxDepth"/> deep: no reader would accept it.</exception>
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
