using System.Buffers;
using System.Buffers.Binary;
using System.Text;

namespace ProtoBench.PeerToPeer;

/// <summary>The one code path for any stream: a pooled temporary buffer for each integer, an array for each string.</summary>
/// <param name="To">Any stream.</param>
public readonly record struct StreamOutput(Stream To) : IPeerOutput
{
    /// <inheritdoc/>
    public void Put(byte value)
    {
        var buffer = ArrayPool<byte>.Shared.Rent(sizeof(byte));
        buffer[0] = value;
        WriteAndReturn(buffer, sizeof(byte));
    }

    /// <inheritdoc/>
    public void Put(ushort value)
    {
        var buffer = ArrayPool<byte>.Shared.Rent(sizeof(ushort));
        BinaryPrimitives.WriteUInt16LittleEndian(buffer, value);
        WriteAndReturn(buffer, sizeof(ushort));
    }

    /// <inheritdoc/>
    public void Put(uint value)
    {
        var buffer = ArrayPool<byte>.Shared.Rent(sizeof(uint));
        BinaryPrimitives.WriteUInt32LittleEndian(buffer, value);
        WriteAndReturn(buffer, sizeof(uint));
    }

    /// <inheritdoc/>
    public void Put(ulong value)
    {
        var buffer = ArrayPool<byte>.Shared.Rent(sizeof(ulong));
        BinaryPrimitives.WriteUInt64LittleEndian(buffer, value);
        WriteAndReturn(buffer, sizeof(ulong));
    }

    /// <inheritdoc/>
    public void Put(ReadOnlySpan<byte> bytes) => To.Write(bytes);

    /// <inheritdoc/>
    public void Put(string text, int width)
    {
        var bytes = new byte[width];
        Encoding.ASCII.GetBytes(text, bytes);
        To.Write(bytes);
    }

    void WriteAndReturn(byte[] buffer, int length)
    {
        To.Write(buffer, 0, length);
        ArrayPool<byte>.Shared.Return(buffer);
    }
}
