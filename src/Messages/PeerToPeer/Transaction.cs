using System.Diagnostics.CodeAnalysis;

namespace ProtoBench.PeerToPeer;

/// <summary>A transaction of a peer-to-peer currency, with the witness of each input.</summary>
[SuppressMessage("Performance", "CA1819", Justification = "scripts and hashes are bytes")]
public sealed record Transaction(int Version, IReadOnlyList<TransactionInput> Inputs, IReadOnlyList<TransactionOutput> Outputs,
    uint LockTime, uint Expiry, IReadOnlyList<Witness> Witnesses)
{
    /// <summary>A coinbase: one input that spends nothing, three outputs.</summary>
    public static Transaction Coinbase { get; } = new(
        1,
        [new(new byte[32], uint.MaxValue, 0, uint.MaxValue)],
        [new(100_000_000, 0, Script(7, 25)), new(0, 0, Script(8, 38)), new(1_500_000_000, 0, Script(9, 25))],
        0,
        0,
        [new(1_600_000_000, 0x3FFF, uint.MaxValue, Script(10, 12))]);

    /// <summary>Bytes on the wire.</summary>
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

    /// <summary>Writes the transaction, item by item.</summary>
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
        count < PeerReader.TwoBytes ? 1 : count <= ushort.MaxValue ? 1 + sizeof(ushort) : 1 + sizeof(uint);

    static int Counted(byte[] bytes) => CountSize(bytes.Length) + bytes.Length;

    static byte[] Script(int seed, int length)
    {
        var script = new byte[length];
        new Random(seed).NextBytes(script);
        return script;
    }
}

/// <summary>What a transaction spends.</summary>
/// <param name="PreviousHash">32 bytes.</param>
/// <param name="Index">Which output of that transaction.</param>
/// <param name="Tree">Which tree it is in.</param>
/// <param name="Sequence">The sequence number.</param>
[SuppressMessage("Performance", "CA1819", Justification = "a hash is bytes")]
public sealed record TransactionInput(byte[] PreviousHash, uint Index, byte Tree, uint Sequence)
{
    /// <summary>Bytes of a hash.</summary>
    public const int HashSize = 32;

    internal const int Size = HashSize + sizeof(uint) + sizeof(byte) + sizeof(uint);
}

/// <summary>Whom a transaction pays.</summary>
[SuppressMessage("Performance", "CA1819", Justification = "a script is bytes")]
public sealed record TransactionOutput(long Value, ushort ScriptVersion, byte[] Script);

/// <summary>Why an input may be spent.</summary>
[SuppressMessage("Performance", "CA1819", Justification = "a script is bytes")]
public sealed record Witness(long Value, uint BlockHeight, uint BlockIndex, byte[] Script);
