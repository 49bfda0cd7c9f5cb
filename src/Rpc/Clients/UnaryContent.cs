using System.Buffers;
using System.Net;
using ProtoBench.Allocators;

namespace ProtoBench.Rpc;

/// <summary>One frame. HttpClient may dispose it while it is being sent, when the reply arrives early, or send it again, when the peer
/// refused the stream. So the memory is returned when the content is disposed and no send is in progress.</summary>
/// <param name="frame">The bytes to send. The content becomes their owner.</param>
/// <param name="retried">Called for each send after the first.</param>
sealed class UnaryContent(PayloadBuffer frame, Action retried) : HttpContent
{
    int users = 1;
    int sent;
    int disposed;

    protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) =>
        SerializeToStreamAsync(stream, context, default);

    protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context, CancellationToken cancellationToken)
    {
        Enter();
        try
        {
            if (Interlocked.Increment(ref sent) > 1)
                retried();
            await stream.WriteAsync(frame.WrittenMemory, cancellationToken);
        }
        finally
        {
            Leave();
        }
    }

    // no content-length: gRPC does not use it, and it is not faster
    protected override bool TryComputeLength(out long length)
    {
        length = 0;
        return false;
    }

    protected override void Dispose(bool disposing)
    {
        if (Interlocked.Exchange(ref disposed, 1) == 0)
            Leave();
        base.Dispose(disposing);
    }

    void Enter()
    {
        int seen;
        do
        {
            seen = Volatile.Read(ref users);
            ObjectDisposedException.ThrowIf(seen == 0, this);
        }
        while (Interlocked.CompareExchange(ref users, seen + 1, seen) != seen);
    }

    void Leave()
    {
        if (Interlocked.Decrement(ref users) == 0)
            frame.Dispose();
    }
}

/// <summary>A buffer for one frame, in recycled memory. It has one owner and is not thread-safe.</summary>
sealed class PayloadBuffer : IBufferWriter<byte>, IDisposable
{
    // Some serializers request more space than they use: protobuf-net requests up to 1,024 bytes.
    const int slack = 1024;

    readonly SlabSlice slice;
    int disposed;

    PayloadBuffer(int size) => slice = SliceAllocator.ForThread.Rent(size + slack);

    public int Written { get; private set; }

    public ReadOnlyMemory<byte> WrittenMemory => All[..Written];

    public Memory<byte> Free => All[Written..];

    Memory<byte> All
    {
        get
        {
            ObjectDisposedException.ThrowIf(disposed != 0, this);
            return slice.Memory;
        }
    }

    public static PayloadBuffer Rent(int size) => new(size);

    public void Advance(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, Free.Length);
        Written += count;
    }

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(sizeHint, Free.Length);
        return Free;
    }

    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    public void Dispose()
    {
        if (Interlocked.Exchange(ref disposed, 1) == 0)
            slice.Release();
    }
}
