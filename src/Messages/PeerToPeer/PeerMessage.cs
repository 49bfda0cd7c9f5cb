using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.Security.Cryptography;

namespace ProtoBench.PeerToPeer;

/// <summary>A header of 24 bytes (network, command, length, the first four bytes of the payload's double SHA-256) and a transaction. It is
/// written with code for any stream, or in place if the stream is a buffer that can grow.</summary>
/// <param name="Command">At most 12 ASCII letters.</param>
public sealed record PeerMessage(uint Network, string Command, Transaction Payload)
{
    public const int HeaderSize = sizeof(uint) + CommandSize + sizeof(uint) + ChecksumSize;

    public const int CommandSize = 12;

    public const int ChecksumSize = 4;

    /// <summary>The published case, a coinbase transaction.</summary>
    public static PeerMessage Sample { get; } = new(0xD9B400F9, "tx", Transaction.Coinbase);

    /// <summary>Null to compute it. Hashing takes more than nine tenths of the time to write a message.</summary>
    public uint? KnownChecksum { get; init; }

    public PeerMessage Hashed()
    {
        using var payload = new MemoryStream();
        WritePayloadPieces(payload);
        return this with { KnownChecksum = Checksum(payload.GetBuffer().AsSpan(0, (int)payload.Length)) };
    }

    /// <summary>In place if <paramref name="to"/> is a buffer that can grow, otherwise with code for any stream.</summary>
    public void Write(Stream to)
    {
        if (to is MemoryStream memory && memory.TryGetBuffer(out _))
            WriteInPlace<InPlaceOutput>(memory);
        else
            WritePieces(to);
    }

    public void WritePayload(Stream to)
    {
        if (to is MemoryStream memory && memory.TryGetBuffer(out _))
            WritePayloadInPlace<InPlaceOutput>(memory);
        else
            WritePayloadPieces(to);
    }

    /// <summary>The payload is first written to a separate stream, because the header needs its length and checksum.</summary>
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

    public void WritePayloadInPlace<TOutput>(MemoryStream to)
        where TOutput : struct, ISpanOutput<TOutput>, allows ref struct
    {
        var payload = TOutput.Over(Grow(to, Payload.Size()));
        Payload.Write(ref payload);
    }

    /// <summary>Writes in place without computing the size. The buffer grows when needed.</summary>
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

    public void WritePayloadGrowing(MemoryStream to)
    {
        var payload = new GrowingOutput(to);
        Payload.Write(ref payload);
    }

    internal static Span<byte> Grow(MemoryStream to, int size)
    {
        var start = (int)to.Length;
        to.SetLength(start + size);
        to.Position = to.Length;
        return to.GetBuffer().AsSpan(start, size);
    }

    /// <summary>The first bytes of the SHA-256 of the SHA-256.</summary>
    static uint Checksum(ReadOnlySpan<byte> payload)
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

[SuppressMessage("Performance", "CA1819", Justification = "scripts and hashes are bytes")]
public sealed record Transaction(int Version, IReadOnlyList<TransactionInput> Inputs, IReadOnlyList<TransactionOutput> Outputs,
    uint LockTime, uint Expiry, IReadOnlyList<Witness> Witnesses)
{
    /// <summary>One input that spends nothing, and three outputs.</summary>
    public static Transaction Coinbase { get; } = new(
        1,
        [new(new byte[32], uint.MaxValue, 0, uint.MaxValue)],
        [new(100_000_000, 0, Script(7, 25)), new(0, 0, Script(8, 38)), new(1_500_000_000, 0, Script(9, 25))],
        0,
        0,
        [new(1_600_000_000, 0x3FFF, uint.MaxValue, Script(10, 12))]);

    public int Size()
    {
        var size = (3 * sizeof(uint)) + CountSize(Inputs.Count) + (Inputs.Count * TransactionInput.Size) + CountSize(Outputs.Count)
            + CountSize(Witnesses.Count);
        for (var i = 0; i < Outputs.Count; i++)
            size += sizeof(ulong) + sizeof(ushort) + Counted(Outputs[i].Script);
        for (var i = 0; i < Witnesses.Count; i++)
            size += sizeof(ulong) + sizeof(uint) + sizeof(uint) + Counted(Witnesses[i].Script);
        return size;
    }

    public void Write<TOutput>(ref TOutput output)
        where TOutput : struct, IPeerOutput, allows ref struct
    {
        output.Put((uint)Version);
        output.PutCount(Inputs.Count);
        for (var i = 0; i < Inputs.Count; i++)
        {
            var input = Inputs[i];
            output.Put(input.PreviousHash);
            output.Put(input.Index);
            output.Put(input.Tree);
            output.Put(input.Sequence);
        }

        output.PutCount(Outputs.Count);
        for (var i = 0; i < Outputs.Count; i++)
        {
            var to = Outputs[i];
            output.Put((ulong)to.Value);
            output.Put(to.ScriptVersion);
            output.PutCounted(to.Script);
        }

        output.Put(LockTime);
        output.Put(Expiry);
        output.PutCount(Witnesses.Count);
        for (var i = 0; i < Witnesses.Count; i++)
        {
            var witness = Witnesses[i];
            output.Put((ulong)witness.Value);
            output.Put(witness.BlockHeight);
            output.Put(witness.BlockIndex);
            output.PutCounted(witness.Script);
        }
    }

    internal static int CountSize(int count) =>
        count < PeerOutputExtensions.TwoBytes ? 1 : count <= ushort.MaxValue ? 1 + sizeof(ushort) : 1 + sizeof(uint);

    static int Counted(byte[] bytes) => CountSize(bytes.Length) + bytes.Length;

    static byte[] Script(int seed, int length)
    {
        var script = new byte[length];
        new Random(seed).NextBytes(script);
        return script;
    }
}

/// <summary>An output of another transaction, which this transaction spends.</summary>
[SuppressMessage("Performance", "CA1819", Justification = "a hash is bytes")]
public sealed record TransactionInput(byte[] PreviousHash, uint Index, byte Tree, uint Sequence)
{
    public const int HashSize = 32;

    internal const int Size = HashSize + sizeof(uint) + sizeof(byte) + sizeof(uint);
}

[SuppressMessage("Performance", "CA1819", Justification = "a script is bytes")]
public sealed record TransactionOutput(long Value, ushort ScriptVersion, byte[] Script);

/// <summary>The proof that an input may be spent.</summary>
[SuppressMessage("Performance", "CA1819", Justification = "a script is bytes")]
public sealed record Witness(long Value, uint BlockHeight, uint BlockIndex, byte[] Script);
