using System.Buffers;
using ProtoBench.Allocators;

namespace ProtoBench.Rpc;

/// <summary>No codec. A message that is read is copied into a counted slice, because it outlives the transport's buffers.</summary>
public sealed class RawMarshaller : Marshaller<RawMessage>
{
    public override bool Recycles => true;

    public override int Measure(RawMessage message) => message.Bytes.Length;

    public override void Write(RawMessage message, int size, IBufferWriter<byte> output) => output.Write(message.Bytes.Span);

    public override RawMessage Read(in ReadOnlySequence<byte> payload)
    {
        var length = checked((int)payload.Length);
        var slice = SliceAllocator.ForThread.Rent(length);
        payload.CopyTo(slice.Span);
        return new(slice.Memory, slice);
    }

    public override bool IsSame(RawMessage one, RawMessage other) => one.Slice.Equals(other.Slice);

    public override void Release(RawMessage message) => message.Slice.Release();
}

/// <param name="Slice">The recycled memory that contains the payload; the default value for bytes with another owner.</param>
public readonly record struct RawMessage(ReadOnlyMemory<byte> Bytes, SlabSlice Slice = default);
