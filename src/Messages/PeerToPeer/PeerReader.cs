using System.Buffers.Binary;
using System.Text;

namespace ProtoBench.PeerToPeer;

/// <summary>Reads a message between peers. The input is hostile until checked:
/// nothing is allocated from a length that the input does not hold.</summary>
public ref struct PeerReader
{
    internal const int TwoBytes = 0xFD;
    internal const int FourBytes = 0xFE;

    const int leastOutput = sizeof(ulong) + sizeof(ushort) + 1;
    const int leastWitness = sizeof(ulong) + sizeof(uint) + sizeof(uint) + 1;

    readonly ReadOnlySpan<byte> input;
    int at;

    PeerReader(ReadOnlySpan<byte> input) => this.input = input;

    /// <summary>Reads a message that fills <paramref name="input"/>.</summary>
    /// <exception cref="InvalidDataException">The input is damaged; the message says where and why.</exception>
    public static PeerMessage Read(ReadOnlySpan<byte> input)
    {
        var reader = new PeerReader(input);
        var network = reader.UInt32();
        var command = Encoding.ASCII.GetString(reader.Take(PeerMessage.CommandSize)).TrimEnd('\0');
        var length = reader.UInt32();
        var checksum = reader.UInt32();
        if (length != (uint)(input.Length - reader.at))
            throw reader.Damaged($"a payload of {length} bytes where {input.Length - reader.at} are left");
        if (checksum != PeerMessage.Checksum(input[reader.at..]))
            throw reader.Damaged("the checksum is not that of the payload");
        return new(network, command, ReadPayload(ref reader));
    }

    /// <summary>Reads a transaction that fills <paramref name="input"/>.</summary>
    /// <inheritdoc cref="Read" path="/exception"/>
    public static Transaction ReadPayload(ReadOnlySpan<byte> input)
    {
        var reader = new PeerReader(input);
        return ReadPayload(ref reader);
    }

    static Transaction ReadPayload(ref PeerReader reader)
    {
        var version = (int)reader.UInt32();
        var inputs = new TransactionInput[reader.Count(TransactionInput.Size)];
        for (var i = 0; i < inputs.Length; i++)
            inputs[i] = new(reader.Take(TransactionInput.HashSize).ToArray(), reader.UInt32(), reader.Take(1)[0], reader.UInt32());
        var outputs = new TransactionOutput[reader.Count(leastOutput)];
        for (var i = 0; i < outputs.Length; i++)
            outputs[i] = new((long)reader.UInt64(), reader.UInt16(), reader.Counted());
        var (lockTime, expiry) = (reader.UInt32(), reader.UInt32());
        var witnesses = new Witness[reader.Count(leastWitness)];
        for (var i = 0; i < witnesses.Length; i++)
            witnesses[i] = new((long)reader.UInt64(), reader.UInt32(), reader.UInt32(), reader.Counted());
        return reader.at == reader.input.Length
            ? new(version, inputs, outputs, lockTime, expiry, witnesses)
            : throw reader.Damaged($"{reader.input.Length - reader.at} bytes follow the transaction");
    }

    /// <summary>How many things follow, of which each takes at least <paramref name="least"/> bytes.</summary>
    int Count(int least)
    {
        var count = Take(1)[0] switch
        {
            TwoBytes => UInt16(),
            FourBytes => UInt32(),
            byte.MaxValue => UInt64(),
            var small => small,
        };
        var left = (ulong)(input.Length - at) / (ulong)least;
        return count <= left ? (int)count : throw Damaged($"a count of {count} where {left} fit at most");
    }

    byte[] Counted() => Take(Count(1)).ToArray();

    ushort UInt16() => BinaryPrimitives.ReadUInt16LittleEndian(Take(sizeof(ushort)));

    uint UInt32() => BinaryPrimitives.ReadUInt32LittleEndian(Take(sizeof(uint)));

    ulong UInt64() => BinaryPrimitives.ReadUInt64LittleEndian(Take(sizeof(ulong)));

    ReadOnlySpan<byte> Take(int length)
    {
        if (input.Length - at < length)
            throw Damaged($"the end is inside {length} bytes");
        at += length;
        return input.Slice(at - length, length);
    }

    readonly InvalidDataException Damaged(string why) => new($"at byte {at}: {why}");
}
