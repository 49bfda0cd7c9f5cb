using System.Buffers.Binary;
using System.Security.Cryptography;

namespace ProtoBench.PeerToPeer;

/// <summary>
/// A message between peers: a header of 24 bytes (network, command, length, the first four bytes of the payload's double SHA-256) and a
/// transaction. Written to a stream in two ways: like to any stream, or in place where the stream is a buffer that can grow.
/// </summary>
/// <param name="Network">The network's magic number.</param>
/// <param name="Command">At most 12 ASCII letters.</param>
/// <param name="Payload">The transaction.</param>
public sealed record PeerMessage(uint Network, string Command, Transaction Payload)
{
    /// <summary>Bytes of a header.</summary>
    public const int HeaderSize = sizeof(uint) + CommandSize + sizeof(uint) + ChecksumSize;

    /// <summary>Bytes of a command.</summary>
    public const int CommandSize = 12;

    /// <summary>Bytes of a checksum.</summary>
    public const int ChecksumSize = 4;

    /// <summary>The published case: a coinbase transaction on its way.</summary>
    public static PeerMessage Sample { get; } = new(0xD9B400F9, "tx", Transaction.Coinbase);

    /// <summary>The checksum, where it is known already; null: it is computed. Hashing
    /// takes more than nine tenths of the time to write a message.</summary>
    public uint? KnownChecksum { get; init; }

    /// <summary>The same message with its checksum computed.</summary>
    public PeerMessage Hashed()
    {
        using var payload = new MemoryStream();
        WritePayloadPieces(payload);
        return this with { KnownChecksum = Checksum(payload.GetBuffer().AsSpan(0, (int)payload.Length)) };
    }

    /// <summary>Appends the message: in place where <paramref name="to"/> is a buffer that can grow, else piece by piece.</summary>
    public void Write(Stream to)
    {
        if (to is MemoryStream memory && memory.TryGetBuffer(out _))
            WriteInPlace<InPlaceOutput>(memory);
        else
            WritePieces(to);
    }

    /// <summary>Appends the payload alone, by the same rule.</summary>
    public void WritePayload(Stream to)
    {
        if (to is MemoryStream memory && memory.TryGetBuffer(out _))
            WritePayloadInPlace<InPlaceOutput>(memory);
        else
            WritePayloadPieces(to);
    }

    /// <summary>One code path for any stream: the payload goes through a stream
    /// of its own, because the header needs its length and checksum.</summary>
    public void WritePieces(Stream to)
    {
        using var payload = new MemoryStream();
        WritePayloadPieces(payload);
        var bytes = payload.GetBuffer().AsSpan(0, (int)payload.Length);
        using var header = new MemoryStream(HeaderSize);
        var output = new StreamOutput(header);
        WriteHeader(ref output, bytes);
        to.Write(header.GetBuffer().AsSpan(0, HeaderSize));
        to.Write(bytes);
    }

    /// <summary>The payload, piece by piece.</summary>
    public void WritePayloadPieces(Stream to)
    {
        var output = new StreamOutput(to);
        Payload.Write(ref output);
    }

    /// <summary>Computes the size, grows once, and appends in place.</summary>
    public void WriteInPlace<TOutput>(MemoryStream to)
        where TOutput : struct, ISpanOutput<TOutput>, allows ref struct
    {
        var size = Payload.Size();
        var room = Grow(to, HeaderSize + size);
        var payload = TOutput.Over(room[HeaderSize..]);
        Payload.Write(ref payload);
        var header = TOutput.Over(room[..HeaderSize]);
        WriteHeader(ref header, room[HeaderSize..]);
    }

    /// <summary>The payload alone, in place.</summary>
    public void WritePayloadInPlace<TOutput>(MemoryStream to)
        where TOutput : struct, ISpanOutput<TOutput>, allows ref struct
    {
        var payload = TOutput.Over(Grow(to, Payload.Size()));
        Payload.Write(ref payload);
    }

    /// <summary>In place, but the size is never computed: the buffer grows when it has to.</summary>
    public void WriteGrowing(MemoryStream to)
    {
        var start = (int)to.Length;
        Grow(to, HeaderSize);
        var payload = new GrowingOutput(to);
        Payload.Write(ref payload);
        var room = to.GetBuffer().AsSpan(start..(int)to.Length);
        var header = new InPlaceOutput(room[..HeaderSize]);
        WriteHeader(ref header, room[HeaderSize..]);
    }

    /// <summary>The payload alone, growing when it has to.</summary>
    public void WritePayloadGrowing(MemoryStream to)
    {
        var payload = new GrowingOutput(to);
        Payload.Write(ref payload);
    }

    /// <summary>Makes a buffer longer by <paramref name="size"/> bytes and gives them.</summary>
    internal static Span<byte> Grow(MemoryStream to, int size)
    {
        var start = (int)to.Length;
        to.SetLength(start + size);
        to.Position = to.Length;
        return to.GetBuffer().AsSpan(start, size);
    }

    /// <summary>The first bytes of the SHA-256 of the SHA-256.</summary>
    internal static uint Checksum(ReadOnlySpan<byte> payload)
    {
        Span<byte> once = stackalloc byte[SHA256.HashSizeInBytes];
        Span<byte> twice = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(payload, once);
        SHA256.HashData(once, twice);
        return BinaryPrimitives.ReadUInt32LittleEndian(twice);
    }

    void WriteHeader<TOutput>(ref TOutput output, ReadOnlySpan<byte> payload)
        where TOutput : struct, IPeerOutput, allows ref struct
    {
        output.Put(Network);
        output.Put(Command, CommandSize);
        output.Put((uint)payload.Length);
        output.Put(KnownChecksum ?? Checksum(payload));
    }
}
