using System.Buffers;
using ProtoBench.Allocators;

namespace ProtoBench.Rpc.Clients;

/// <summary>Recycled memory for one frame. The one place that knows where payload memory comes from. One owner; not thread-safe.</summary>
sealed class PayloadBuffer : IBufferWriter<byte>, IDisposable
{
    // Some serializers ask for more room than they then use: protobuf-net for 128 bytes at a time.
    const int slack = 256;

    readonly SlabSlice slice;
    int disposed;

    PayloadBuffer(int size) => slice = SliceAllocator.ForThread.Rent(size + slack);

    /// <summary>How many bytes are written.</summary>
    public int Written { get; private set; }

    /// <summary>What is written.</summary>
    public ReadOnlyMemory<byte> WrittenMemory => All[..Written];

    /// <summary>Room behind what is written.</summary>
    public Memory<byte> Free => All[Written..];

    Memory<byte> All
    {
        get
        {
            ObjectDisposedException.ThrowIf(disposed != 0, this);
            return slice.Memory;
        }
    }

    /// <summary>A buffer with room for at least so many bytes.</summary>
    public static PayloadBuffer Rent(int size) => new(size);

    /// <summary>Forgets what is written.</summary>
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
