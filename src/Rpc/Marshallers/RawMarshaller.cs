using System.Buffers;
using ProtoBench.Allocators;

namespace ProtoBench.Rpc.Marshallers;

/// <summary>Bytes that are ready, both ways: what a transport costs without any codec. What it reads it copies, as any message must that
/// outlives the transport's buffers, into a counted slice.</summary>
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

    /// <summary>Whether both lie in the same slice, be it in other parts of it.</summary>
    public override bool IsSame(RawMessage one, RawMessage other) => one.Slice.Equals(other.Slice);

    /// <inheritdoc/>
    public override void Release(RawMessage message) => message.Slice.Release();
}

/// <summary>A payload that no codec touches.</summary>
/// <param name="Bytes">The payload.</param>
/// <param name="Slice">The recycled memory that holds it; the default for bytes that are somebody else's.</param>
public readonly record struct RawMessage(ReadOnlyMemory<byte> Bytes, SlabSlice Slice = default);
