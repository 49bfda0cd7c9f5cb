using System.Buffers.Binary;
using System.Security.Cryptography;
using ProtoBench.PeerToPeer;

namespace ProtoBench.Tests;

/// <summary>The sample message written by BinaryWriter, item by item from the format's description, without any code of ours.</summary>
static class PeerMessages
{
    public static byte[] Sample()
    {
        var message = PeerMessage.Sample;
        using var stream = new MemoryStream();
        using var writer = new BinaryWriter(stream);
        writer.Write(message.Payload.Version);
        writer.Write((byte)message.Payload.Inputs.Count);
        foreach (var input in message.Payload.Inputs)
        {
            writer.Write(input.PreviousHash);
            writer.Write(input.Index);
            writer.Write(input.Tree);
            writer.Write(input.Sequence);
        }

        writer.Write((byte)message.Payload.Outputs.Count);
        foreach (var output in message.Payload.Outputs)
        {
            writer.Write(output.Value);
            writer.Write(output.ScriptVersion);
            writer.Write((byte)output.Script.Length);
            writer.Write(output.Script);
        }

        writer.Write(message.Payload.LockTime);
        writer.Write(message.Payload.Expiry);
        writer.Write((byte)message.Payload.Witnesses.Count);
        foreach (var witness in message.Payload.Witnesses)
        {
            writer.Write(witness.Value);
            writer.Write(witness.BlockHeight);
            writer.Write(witness.BlockIndex);
            writer.Write((byte)witness.Script.Length);
            writer.Write(witness.Script);
        }

        var payload = stream.ToArray();
        var header = new byte[24];
        BinaryPrimitives.WriteUInt32LittleEndian(header, message.Network);
        "tx"u8.CopyTo(header.AsSpan(4));
        BinaryPrimitives.WriteInt32LittleEndian(header.AsSpan(16), payload.Length);
        SHA256.HashData(SHA256.HashData(payload)).AsSpan(0, 4).CopyTo(header.AsSpan(20));
        return [.. header, .. payload];
    }
}
