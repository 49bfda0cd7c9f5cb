using System.Buffers;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Text;

namespace ProtoBench.PeerToPeer;

/// <summary>Integers are little-endian.</summary>
public interface IPeerOutput
{
    void Put<T>(T value)
        where T : unmanaged, IBinaryInteger<T>;

    void Put(ReadOnlySpan<byte> bytes);

    /// <summary>Writes ASCII letters, followed by zeros up to <paramref name="width"/> bytes.</summary>
    void Put(string text, int width);
}

public static class PeerOutputExtensions
{
    internal const byte TwoBytes = 0xFD;

    const byte fourBytes = 0xFE;

    /// <summary>The form of Bitcoin: one byte below 253, otherwise 253, 254 or 255 and two, four or eight bytes.</summary>
    public static void PutCount<TOutput>(this ref TOutput output, int count)
        where TOutput : struct, IPeerOutput, allows ref struct
    {
        if (count < TwoBytes)
        {
            output.Put((byte)count);
        }
        else if (count <= ushort.MaxValue)
        {
            output.Put(TwoBytes);
            output.Put((ushort)count);
        }
        else
        {
            output.Put(fourBytes);
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

    public void Put<T>(T value)
        where T : unmanaged, IBinaryInteger<T>
    {
        value.TryWriteLittleEndian(left[..Unsafe.SizeOf<T>()], out var size);
        left = left[size..];
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
    public void Put<T>(T value)
        where T : unmanaged, IBinaryInteger<T>
    {
        var buffer = ArrayPool<byte>.Shared.Rent(Unsafe.SizeOf<T>());
        value.TryWriteLittleEndian(buffer, out var size);
        To.Write(buffer, 0, size);
        ArrayPool<byte>.Shared.Return(buffer);
    }

    public void Put(ReadOnlySpan<byte> bytes) => To.Write(bytes);

    public void Put(string text, int width)
    {
        var bytes = new byte[width];
        Encoding.ASCII.GetBytes(text, bytes);
        To.Write(bytes);
    }
}

// Each of these is InPlaceOutput without one of its optimizations, to measure this optimization.

/// <summary>With a pooled temporary buffer for each integer.</summary>
public ref struct PooledIntsOutput(Span<byte> room) : ISpanOutput<PooledIntsOutput>
{
    InPlaceOutput output = new(room);

    public static PooledIntsOutput Over(Span<byte> room) => new(room);

    public void Put<T>(T value)
        where T : unmanaged, IBinaryInteger<T>
    {
        var buffer = ArrayPool<byte>.Shared.Rent(Unsafe.SizeOf<T>());
        value.TryWriteLittleEndian(buffer, out var size);
        output.Put(buffer.AsSpan(0, size));
        ArrayPool<byte>.Shared.Return(buffer);
    }

    public void Put(ReadOnlySpan<byte> bytes) => output.Put(bytes);

    public void Put(string text, int width) => output.Put(text, width);
}

/// <summary>With an array for each string.</summary>
public ref struct StringCopyOutput(Span<byte> room) : ISpanOutput<StringCopyOutput>
{
    InPlaceOutput output = new(room);

    public static StringCopyOutput Over(Span<byte> room) => new(room);

    public void Put<T>(T value)
        where T : unmanaged, IBinaryInteger<T> => output.Put(value);

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
    public void Put<T>(T value)
        where T : unmanaged, IBinaryInteger<T> => value.TryWriteLittleEndian(PeerMessage.Grow(To, Unsafe.SizeOf<T>()), out _);

    public void Put(ReadOnlySpan<byte> bytes) => bytes.CopyTo(PeerMessage.Grow(To, bytes.Length));

    public void Put(string text, int width)
    {
        var output = new InPlaceOutput(PeerMessage.Grow(To, width));
        output.Put(text, width);
    }
}
