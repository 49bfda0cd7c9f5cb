using System.Buffers;

namespace ProtoBench.Rpc;

/// <summary>Bytes that are ready, both ways: what a transport costs without any codec. What it reads it copies, as any message must that
/// outlives the transport's buffers, into recycled memory.</summary>
public sealed class RawMarshaller : Marshaller<RawMessage>
{
    /// <inheritdoc/>
    public override int Measure(RawMessage message) => message.Bytes.Length;

    /// <inheritdoc/>
    public override void Write(RawMessage message, int size, IBufferWriter<byte> output) => output.Write(message.Bytes.Span);

    /// <inheritdoc/>
    public override RawMessage Read(in ReadOnlySequence<byte> payload)
    {
        var length = checked((int)payload.Length);
        var owner = MemoryPool<byte>.Shared.Rent(length);
        payload.CopyTo(owner.Memory.Span);
        return new(owner.Memory[..length], owner);
    }

    /// <inheritdoc/>
    public override void Release(RawMessage message) => message.Owner?.Dispose();
}

/// <summary>A payload that no codec touches.</summary>
/// <param name="Bytes">The payload.</param>
/// <param name="Owner">What the bytes go back to; null for bytes that are somebody else's.</param>
public readonly record struct RawMessage(ReadOnlyMemory<byte> Bytes, IDisposable? Owner = null);
