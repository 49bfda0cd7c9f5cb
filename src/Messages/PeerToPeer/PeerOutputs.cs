using System.Buffers;
using System.Buffers.Binary;
using System.Text;

namespace ProtoBench.PeerToPeer;

/// <summary>Integers are little-endian.</summary>
public interface IPeerOutput
{
    void Put(byte value);

    void Put(ushort value);

    void Put(uint value);

    void Put(ulong value);

    void Put(ReadOnlySpan<byte> bytes);

    /// <summary>Writes ASCII letters, followed by zeros up to <paramref name="width"/> bytes.</summary>
    void Put(string text, int width);
}

public static class PeerOutputExtensions
{
    /// <summary>The form of Bitcoin: one byte below 253, otherwise 253, 254 or 255 and two, four or eight bytes.</summary>
    public static void PutCount<TOutput>(this ref TOutput output, int count)
        where TOutput : struct, IPeerOutput, allows ref struct
    {
        if (count < PeerReader.TwoBytes)
        {
            output.Put((byte)count);
        }
        else if (count <= ushort.MaxValue)
        {
            output.Put((byte)PeerReader.TwoBytes);
            output.Put((ushort)count);
        }
        else
        {
            output.Put((byte)PeerReader.FourBytes);
            output.Put((uint)count);
        }
    }

    public static void PutCounted<TOutput>(this ref TOutput output, byte[] bytes)
        where TOutput : struct, IPeerOutput, allows ref struct
    {
        output.PutCount(bytes.Length);
        output.Put(bytes);
    }
}

public interface ISpanOutput<TSelf> : IPeerOutput
    where TSelf : struct, ISpanOutput<TSelf>, allows ref struct
{
    static abstract TSelf Over(Span<byte> room);
}

public ref struct InPlaceOutput(Span<byte> room) : ISpanOutput<InPlaceOutput>
{
    Span<byte> left = room;

    public static InPlaceOutput Over(Span<byte> room) => new(room);

    public void Put(byte value)
    {
        left[0] = value;
        left = left[1..];
    }

    public void Put(ushort value)
    {
        BinaryPrimitives.WriteUInt16LittleEndian(left, value);
        left = left[sizeof(ushort)..];
    }

    public void Put(uint value)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(left, value);
        left = left[sizeof(uint)..];
    }

    public void Put(ulong value)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(left, value);
        left = left[sizeof(ulong)..];
    }

    public void Put(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(left);
        left = left[bytes.Length..];
    }

    public void Put(string text, int width)
    {
        var written = Encoding.ASCII.GetBytes(text, left[..width]);
        left[written..width].Clear();
        left = left[width..];
    }
}

/// <summary>For any stream, with a pooled temporary buffer for each integer and an array for each string.</summary>
public readonly record struct StreamOutput(Stream To) : IPeerOutput
{
    public void Put(byte value)
    {
        var buffer = ArrayPool<byte>.Shared.Rent(sizeof(byte));
        buffer[0] = value;
        WriteAndReturn(buffer, sizeof(byte));
    }

    public void Put(ushort value)
    {
        var buffer = ArrayPool<byte>.Shared.Rent(sizeof(ushort));
        BinaryPrimitives.WriteUInt16LittleEndian(buffer, value);
        WriteAndReturn(buffer, sizeof(ushort));
    }

    public void Put(uint value)
    {
        var buffer = ArrayPool<byte>.Shared.Rent(sizeof(uint));
        BinaryPrimitives.WriteUInt32LittleEndian(buffer, value);
        WriteAndReturn(buffer, sizeof(uint));
    }

    public void Put(ulong value)
    {
        var buffer = ArrayPool<byte>.Shared.Rent(sizeof(ulong));
        BinaryPrimitives.WriteUInt64LittleEndian(buffer, value);
        WriteAndReturn(buffer, sizeof(ulong));
    }

    public void Put(ReadOnlySpan<byte> bytes) => To.Write(bytes);

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

// Each of these is InPlaceOutput without one of its optimizations, to measure this optimization.

/// <summary>With a pooled temporary buffer for each integer.</summary>
public ref struct PooledIntsOutput(Span<byte> room) : ISpanOutput<PooledIntsOutput>
{
    InPlaceOutput output = new(room);

    public static PooledIntsOutput Over(Span<byte> room) => new(room);

    public void Put(byte value)
    {
        var buffer = ArrayPool<byte>.Shared.Rent(sizeof(byte));
        buffer[0] = value;
        PutAndReturn(buffer, sizeof(byte));
    }

    public void Put(ushort value)
    {
        var buffer = ArrayPool<byte>.Shared.Rent(sizeof(ushort));
        BinaryPrimitives.WriteUInt16LittleEndian(buffer, value);
        PutAndReturn(buffer, sizeof(ushort));
    }

    public void Put(uint value)
    {
        var buffer = ArrayPool<byte>.Shared.Rent(sizeof(uint));
        BinaryPrimitives.WriteUInt32LittleEndian(buffer, value);
        PutAndReturn(buffer, sizeof(uint));
    }

    public void Put(ulong value)
    {
        var buffer = ArrayPool<byte>.Shared.Rent(sizeof(ulong));
        BinaryPrimitives.WriteUInt64LittleEndian(buffer, value);
        PutAndReturn(buffer, sizeof(ulong));
    }

    public void Put(ReadOnlySpan<byte> bytes) => output.Put(bytes);

    public void Put(string text, int width) => output.Put(text, width);

    void PutAndReturn(byte[] buffer, int length)
    {
        output.Put(buffer.AsSpan(0, length));
        ArrayPool<byte>.Shared.Return(buffer);
    }
}

/// <summary>With an array for each string.</summary>
public ref struct StringCopyOutput(Span<byte> room) : ISpanOutput<StringCopyOutput>
{
    InPlaceOutput output = new(room);

    public static StringCopyOutput Over(Span<byte> room) => new(room);

    public void Put(byte value) => output.Put(value);

    public void Put(ushort value) => output.Put(value);

    public void Put(uint value) => output.Put(value);

    public void Put(ulong value) => output.Put(value);

    public void Put(ReadOnlySpan<byte> bytes) => output.Put(bytes);

    public void Put(string text, int width)
    {
        var bytes = new byte[width];
        Encoding.ASCII.GetBytes(text, bytes);
        output.Put(bytes);
    }
}

/// <summary>Without the size: the buffer grows item by item.</summary>
public readonly record struct GrowingOutput(MemoryStream To) : IPeerOutput
{
    public void Put(byte value) => PeerMessage.Grow(To, sizeof(byte))[0] = value;

    public void Put(ushort value) => BinaryPrimitives.WriteUInt16LittleEndian(PeerMessage.Grow(To, sizeof(ushort)), value);

    public void Put(uint value) => BinaryPrimitives.WriteUInt32LittleEndian(PeerMessage.Grow(To, sizeof(uint)), value);

    public void Put(ulong value) => BinaryPrimitives.WriteUInt64LittleEndian(PeerMessage.Grow(To, sizeof(ulong)), value);

    public void Put(ReadOnlySpan<byte> bytes) => bytes.CopyTo(PeerMessage.Grow(To, bytes.Length));

    public void Put(string text, int width)
    {
        var output = new InPlaceOutput(PeerMessage.Grow(To, width));
        output.Put(text, width);
    }
}
