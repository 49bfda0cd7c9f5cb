using System.Buffers;
using System.Buffers.Binary;
using System.Text;

namespace ProtoBench.PeerToPeer;

// Each of these is InPlaceOutput with one of its ideas switched off, so that the table shows what that idea is worth.

/// <summary>In place, but each integer goes through a pooled temporary buffer.</summary>
/// <param name="room">What is left of the buffer.</param>
public ref struct PooledIntsOutput(Span<byte> room) : ISpanOutput<PooledIntsOutput>
{
    InPlaceOutput output = new(room);

    /// <inheritdoc/>
    public static PooledIntsOutput Over(Span<byte> room) => new(room);

    /// <inheritdoc/>
    public void Put(byte value)
    {
        var buffer = ArrayPool<byte>.Shared.Rent(sizeof(byte));
        buffer[0] = value;
        PutAndReturn(buffer, sizeof(byte));
    }

    /// <inheritdoc/>
    public void Put(ushort value)
    {
        var buffer = ArrayPool<byte>.Shared.Rent(sizeof(ushort));
        BinaryPrimitives.WriteUInt16LittleEndian(buffer, value);
        PutAndReturn(buffer, sizeof(ushort));
    }

    /// <inheritdoc/>
    public void Put(uint value)
    {
        var buffer = ArrayPool<byte>.Shared.Rent(sizeof(uint));
        BinaryPrimitives.WriteUInt32LittleEndian(buffer, value);
        PutAndReturn(buffer, sizeof(uint));
    }

    /// <inheritdoc/>
    public void Put(ulong value)
    {
        var buffer = ArrayPool<byte>.Shared.Rent(sizeof(ulong));
        BinaryPrimitives.WriteUInt64LittleEndian(buffer, value);
        PutAndReturn(buffer, sizeof(ulong));
    }

    /// <inheritdoc/>
    public void Put(ReadOnlySpan<byte> bytes) => output.Put(bytes);

    /// <inheritdoc/>
    public void Put(string text, int width) => output.Put(text, width);

    void PutAndReturn(byte[] buffer, int length)
    {
        output.Put(buffer.AsSpan(0, length));
        ArrayPool<byte>.Shared.Return(buffer);
    }
}

/// <summary>In place, but each string becomes an array first.</summary>
/// <param name="room">What is left of the buffer.</param>
public ref struct StringCopyOutput(Span<byte> room) : ISpanOutput<StringCopyOutput>
{
    InPlaceOutput output = new(room);

    /// <inheritdoc/>
    public static StringCopyOutput Over(Span<byte> room) => new(room);

    /// <inheritdoc/>
    public void Put(byte value) => output.Put(value);

    /// <inheritdoc/>
    public void Put(ushort value) => output.Put(value);

    /// <inheritdoc/>
    public void Put(uint value) => output.Put(value);

    /// <inheritdoc/>
    public void Put(ulong value) => output.Put(value);

    /// <inheritdoc/>
    public void Put(ReadOnlySpan<byte> bytes) => output.Put(bytes);

    /// <inheritdoc/>
    public void Put(string text, int width)
    {
        var bytes = new byte[width];
        Encoding.ASCII.GetBytes(text, bytes);
        output.Put(bytes);
    }
}

/// <summary>In place, but the buffer grows item by item.</summary>
/// <param name="To">The buffer.</param>
public readonly record struct GrowingOutput(MemoryStream To) : IPeerOutput
{
    /// <inheritdoc/>
    public void Put(byte value) => PeerMessage.Grow(To, sizeof(byte))[0] = value;

    /// <inheritdoc/>
    public void Put(ushort value) => BinaryPrimitives.WriteUInt16LittleEndian(PeerMessage.Grow(To, sizeof(ushort)), value);

    /// <inheritdoc/>
    public void Put(uint value) => BinaryPrimitives.WriteUInt32LittleEndian(PeerMessage.Grow(To, sizeof(uint)), value);

    /// <inheritdoc/>
    public void Put(ulong value) => BinaryPrimitives.WriteUInt64LittleEndian(PeerMessage.Grow(To, sizeof(ulong)), value);

    /// <inheritdoc/>
    public void Put(ReadOnlySpan<byte> bytes) => bytes.CopyTo(PeerMessage.Grow(To, bytes.Length));

    /// <inheritdoc/>
    public void Put(string text, int width)
    {
        var output = new InPlaceOutput(PeerMessage.Grow(To, width));
        output.Put(text, width);
    }
}
