using System.Buffers;
using ProtoBench.Payloads;

namespace ProtoBench.Buffers;

/// <summary>One payload in every form that a decoder can be given, at its start again at each access.</summary>
public sealed class Wire(byte[] bytes)
{
    // The one place where MS is defined: an exposable stream, as users have. protobuf-net takes the buffer out of it, Google reads through
    // it. A stream that hides its buffer would cost protobuf-net a boxed field (24 B) and measure something else; that case is CS.
    readonly MemoryStream stream = new(bytes, 0, bytes.Length, writable: false, publiclyVisible: true);
    readonly ChunkedStream chunks = new(bytes);
    readonly ReadOnlySequence<byte> segments = Segments.Of(bytes);
    readonly PayloadPipe pipe = new(Segments.Of(bytes));

    /// <summary>The hive's request, shared by all cells of a process.</summary>
    public static Wire Request => OfRequest.Value;

    /// <summary>The hive's response.</summary>
    public static Wire Response => OfResponse.Value;

    /// <summary>The request that nothing can win by fitting.</summary>
    public static Wire Mixed => OfMixed.Value;

    public byte[] BA => bytes;

    public ReadOnlyMemory<byte> ROM => bytes;

    public ReadOnlySequence<byte> ROS => segments;

    public MemoryStream MS
    {
        get
        {
            stream.Position = 0;
            return stream;
        }
    }

    public PayloadPipe PR => pipe.Rewind();

    public ChunkedStream CS => chunks.Rewind();

    // A class each, so that a process builds only what its cell reads.
    static class OfRequest
    {
        public static readonly Wire Value = new(Hive.Request());
    }

    static class OfResponse
    {
        public static readonly Wire Value = new(Hive.Response());
    }

    static class OfMixed
    {
        public static readonly Wire Value = new(Hive.Mixed());
    }
}

/// <summary>64 copies of the same thing, walked round and round: what is next has
/// left the first- and second-level caches since it was last used.</summary>
public sealed class Cold<T>(Func<T> create)
{
    const int copies = 64;

    readonly T[] all = [.. Enumerable.Range(0, copies).Select(_ => create())];
    int next;

    /// <summary>The copy that was used longest ago.</summary>
    public T Next => all[next++ % copies];
}
