using System.Buffers;
using ProtoBench.Allocators;

namespace ProtoBench.Rpc.Clients;

/// <summary>A buffer for one frame, in recycled memory. It has one owner and is not thread-safe.</summary>
sealed class PayloadBuffer : IBufferWriter<byte>, IDisposable
{
    // Some serializers request more space than they use: protobuf-net requests up to 1,024 bytes.
    const int slack = 1024;

    readonly SlabSlice slice;
    int disposed;

    PayloadBuffer(int size) => slice = SliceAllocator.ForThread.Rent(size + slack);

    /// <summary>The number of bytes written.</summary>
    public int Written { get; private set; }

    /// <summary>The bytes written.</summary>
    public ReadOnlyMemory<byte> WrittenMemory => All[..Written];

    /// <summary>The unused memory after the bytes written.</summary>
    public Memory<byte> Free => All[Written..];

    Memory<byte> All
    {
        get
        {
            ObjectDisposedException.ThrowIf(disposed != 0, this);
            return slice.Memory;
        }
    }

    /// <summary>A buffer for at least this number of bytes.</summary>
    public static PayloadBuffer Rent(int size) => new(size);

    /// <summary>Discards the bytes written.</summary>
    public void Clear() => Written = 0;

    /// <inheritdoc/>
    public void Advance(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, Free.Length);
        Written += count;
    }

    /// <inheritdoc/>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(sizeHint, Free.Length);
        return Free;
    }

    /// <inheritdoc/>
    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    /// <inheritdoc/>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref disposed, 1) == 0)
            slice.Release();
    }
}
