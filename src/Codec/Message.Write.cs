using System.Buffers;

namespace ProtoBench.Codec;

public sealed partial class Message<T>
{
    /// <summary>The size on the wire, in bytes.</summary>
    /// <exception cref="ObjectDisposedException">The message was released.</exception>
    /// <exception cref="InvalidOperationException">The message has more than 2 GiB, which protobuf does not allow.</exception>
    public int CalculateSize()
    {
        var size = T.Measure(value);
        if (size > int.MaxValue) throw new InvalidOperationException($"A message of {size} bytes is beyond the 2 GiB that protobuf allows.");
        return (int)size;
    }

    /// <summary>Writes the message.</summary>
    /// <inheritdoc cref="CalculateSize" path="/exception"/>
    public void WriteTo(IBufferWriter<byte> output)
    {
        ArgumentNullException.ThrowIfNull(output);
        if (T.NeedsMeasure) CalculateSize();
        try
        {
            T.Write(this.output.Begin(memory, output, output.GetSpan()), value).Flush();
        }
        finally
        {
            this.output.End();
        }
    }

    /// <summary>Writes the message.</summary>
    /// <returns>Number of bytes written.</returns>
    /// <exception cref="ArgumentException"><paramref name="output"/> is too small; nothing was written.</exception>
    /// <inheritdoc cref="CalculateSize" path="/exception"/>
    public int WriteTo(Span<byte> output)
    {
        var size = CalculateSize();
        if (size > output.Length) throw new ArgumentException($"The message has {size} bytes, the output {output.Length}.", nameof(output));
        Fill(output[..size]);
        return size;
    }

    /// <summary>Writes the message, straight into the buffer of a <see cref="MemoryStream"/> that exposes it, else through a slab.</summary>
    /// <inheritdoc cref="CalculateSize" path="/exception"/>
    public void WriteTo(Stream output)
    {
        ArgumentNullException.ThrowIfNull(output);
        var size = CalculateSize();
        if (output is MemoryStream exposed && exposed.CanWrite && exposed.TryGetBuffer(out _))
        {
            var from = exposed.Position;
            if (from + size > exposed.Length) exposed.SetLength(from + size);
            exposed.TryGetBuffer(out var buffer);
            Fill(buffer.AsSpan((int)from, size));
            exposed.Position = from + size;
            return;
        }

        var room = memory.RentScratch(size);
        try
        {
            Fill(room);
            output.Write(room);
        }
        finally
        {
            memory.ReturnScratch(room);
        }
    }

    /// <summary>Writes the message into an array of its size.</summary>
    /// <inheritdoc cref="CalculateSize" path="/exception"/>
    public byte[] ToByteArray()
    {
        var bytes = GC.AllocateUninitializedArray<byte>(CalculateSize());
        Fill(bytes);
        return bytes;
    }

    /// <summary>Writes the message into exactly its size, which was just measured.</summary>
    void Fill(Span<byte> room)
    {
        try
        {
            T.Write(output.Begin(memory, null, room), value).Flush();
        }
        finally
        {
            output.End();
        }
    }
}
