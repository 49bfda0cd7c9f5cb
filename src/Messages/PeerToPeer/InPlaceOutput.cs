using System.Buffers.Binary;
using System.Text;

namespace ProtoBench.PeerToPeer;

/// <summary>An output over room that was made before.</summary>
/// <typeparam name="TSelf">The output.</typeparam>
public interface ISpanOutput<TSelf> : IPeerOutput
    where TSelf : struct, ISpanOutput<TSelf>, allows ref struct
{
    /// <summary>Writes into <paramref name="room"/>, from its start.</summary>
    static abstract TSelf Over(Span<byte> room);
}

/// <summary>Writes straight into the buffer.</summary>
/// <param name="room">What is left of it.</param>
public ref struct InPlaceOutput(Span<byte> room) : ISpanOutput<InPlaceOutput>
{
    Span<byte> left = room;

    /// <inheritdoc/>
    public static InPlaceOutput Over(Span<byte> room) => new(room);

    /// <inheritdoc/>
    public void Put(byte value)
    {
        left[0] = value;
        left = left[1..];
    }

    /// <inheritdoc/>
    public void Put(ushort value)
    {
        BinaryPrimitives.WriteUInt16LittleEndian(left, value);
        left = left[sizeof(ushort)..];
    }

    /// <inheritdoc/>
    public void Put(uint value)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(left, value);
        left = left[sizeof(uint)..];
    }

    /// <inheritdoc/>
    public void Put(ulong value)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(left, value);
        left = left[sizeof(ulong)..];
    }

    /// <inheritdoc/>
    public void Put(ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(left);
        left = left[bytes.Length..];
    }

    /// <inheritdoc/>
    public void Put(string text, int width)
    {
        var written = Encoding.ASCII.GetBytes(text, left[..width]);
        left[written..width].Clear();
        left = left[width..];
    }
}
