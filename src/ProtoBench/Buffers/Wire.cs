using System.Buffers;
using ProtoBench.Payloads;

namespace ProtoBench;

/// <summary>Represents one payload in every form that a decoder can read. Each form is at its start at each access.</summary>
public sealed class Wire(byte[] bytes)
{
    // The definition of MS: an exposable stream, which is the usual form. protobuf-net accesses its buffer, and Google reads through the
    // stream. A stream that hides its buffer would cost protobuf-net a boxed field (24 B), which is measured by CS.
    readonly MemoryStream stream = new(bytes, 0, bytes.Length, writable: false, publiclyVisible: true);
    readonly ChunkedStream chunks = new(bytes);
    readonly ReadOnlySequence<byte> segments = Segments.Of(bytes);
    readonly PayloadPipe pipe = new(Segments.Of(bytes));

    // Each payload is built when a cell of this process first uses it.

    /// <summary>Gets the hive's request, which all cells of a process share.</summary>
    public static Wire Request => field ??= new(Hive.Request());

    public static Wire Response => field ??= new(Hive.Response());

    /// <summary>Gets the request whose shape favours no library.</summary>
    public static Wire Mixed => field ??= new(Hive.Mixed());

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
}

/// <summary>64 copies used in turn. Each has left the first- and second-level caches before it is used again.</summary>
public sealed class Cold<T>(Func<T> create)
{
    const int copies = 64;

    readonly T[] all = [.. Enumerable.Range(0, copies).Select(_ => create())];
    int next;

    public T Next => all[next++ % copies];
}
