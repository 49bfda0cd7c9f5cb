using System.Buffers;
using ProtoBench.Allocators;

namespace ProtoBench.Rpc.Marshallers;

/// <summary>Prepared bytes in both directions: measures a transport without a codec. A message that is read is copied into a counted slice,
/// because it outlives the transport's buffers.</summary>
public sealed class RawMarshaller : Marshaller<RawMessage>
{
    /// <inheritdoc/>
    public override bool Recycles => true;

    /// <inheritdoc/>
    public override int Measure(RawMessage message) => message.Bytes.Length;

    /// <inheritdoc/>
    public override void Write(RawMessage message, int size, IBufferWriter<byte> output) => output.Write(message.Bytes.Span);

    /// <inheritdoc/>
    public override RawMessage Read(in ReadOnlySequence<byte> payload)
    {
        var length = checked((int)payload.Length);
        var slice = SliceAllocator.ForThread.Rent(length);
        payload.CopyTo(slice.Span);
        return new(slice.Memory, slice);
    }

    /// <summary>Whether both are in the same slice.</summary>
    public override bool IsSame(RawMessage one, RawMessage other) => one.Slice.Equals(other.Slice);

    /// <inheritdoc/>
    public override void Release(RawMessage message) => message.Slice.Release();
}

/// <summary>A payload without a codec.</summary>
/// <param name="Bytes">The payload.</param>
/// <param name="Slice">The recycled memory that contains it; the default value for bytes with another owner.</param>
public readonly record struct RawMessage(ReadOnlyMemory<byte> Bytes, SlabSlice Slice = default);
