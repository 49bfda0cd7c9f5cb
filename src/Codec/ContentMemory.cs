using System.Buffers;

namespace ProtoBench.Codec;

/// <summary>A block of one content of a message, for memory that is kept across an await: once the message is emptied, it throws.</summary>
/// <remarks>It does not give its array away (<see cref="System.Runtime.InteropServices.MemoryMarshal.TryGetArray{T}"/> fails): the array
/// serves other messages later.</remarks>
sealed class ContentMemory : MemoryManager<byte>
{
    readonly Storage root;
    readonly int stamp;
    readonly ArraySegment<byte> bytes;

    public ContentMemory(Storage root, ArraySegment<byte> bytes)
    {
        this.root = root;
        this.bytes = bytes;
        stamp = root.Stamp;
    }

    /// <summary>Whether this is memory of the present content, from the start of a block to so many bytes behind it.</summary>
    public bool Covers(byte[] array, int start, int length) =>
        bytes.Array == array && bytes.Offset == start && bytes.Count >= length && root.HasContentOf(stamp);

    public ReadOnlyMemory<byte> Slice(int start, int length) => CreateMemory(start, length);

    public override Span<byte> GetSpan()
    {
        root.ThrowIfEmptied(stamp);
        return bytes;
    }

    public override MemoryHandle Pin(int elementIndex = 0)
    {
        root.ThrowIfEmptied(stamp);
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)elementIndex, (uint)bytes.Count, nameof(elementIndex));
        return bytes.AsMemory(elementIndex).Pin();
    }

    public override void Unpin()
    {
    }

    protected override void Dispose(bool disposing)
    {
    }
}
