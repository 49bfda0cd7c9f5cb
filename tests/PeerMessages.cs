using System.Security.Cryptography;
using ProtoBench.PeerToPeer;

namespace ProtoBench.Testing;

/// <summary>The sample message with a transaction, written by BinaryWriter, item by item from the format's description, without any code
/// of ours: https://devdocs.decred.org/developer-guides/transactions/transaction-format/</summary>
static class PeerMessages
{
    public static byte[] Of(Transaction transaction)
    {
        using var stream = new MemoryStream();
        using var writer = new BinaryWriter(stream);
        writer.Write(transaction.Version);
        WriteCount(writer, transaction.Inputs.Count);
        foreach (var input in transaction.Inputs)
        {
            writer.Write(input.PreviousHash);
            writer.Write(input.Index);
            writer.Write(input.Tree);
            writer.Write(input.Sequence);
        }

        WriteCount(writer, transaction.Outputs.Count);
        foreach (var output in transaction.Outputs)
        {
            writer.Write(output.Value);
            writer.Write(output.ScriptVersion);
            WriteCount(writer, output.Script.Length);
            writer.Write(output.Script);
        }

        writer.Write(transaction.LockTime);
        writer.Write(transaction.Expiry);
        WriteCount(writer, transaction.Witnesses.Count);
        foreach (var witness in transaction.Witnesses)
        {
            writer.Write(witness.Value);
            writer.Write(witness.BlockHeight);
            writer.Write(witness.BlockIndex);
            WriteCount(writer, witness.Script.Length);
            writer.Write(witness.Script);
        }

        var payload = stream.ToArray();
        return
        [
            0xF9, 0x00, 0xB4, 0xD9, (byte)'t', (byte)'x', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, .. BitConverter.GetBytes(payload.Length),
            .. SHA256.HashData(SHA256.HashData(payload))[..4], .. payload,
        ];
    }

    static void WriteCount(BinaryWriter writer, int count)
    {
        if (count > 252) writer.Write((byte)253);
        writer.Write(count > 252 ? BitConverter.GetBytes((ushort)count) : [(byte)count]);
    }
}
