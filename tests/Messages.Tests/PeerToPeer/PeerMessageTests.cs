using System.Security.Cryptography;
using ProtoBench.PeerToPeer;

namespace ProtoBench.Messages.Tests.PeerToPeer;

public class PeerMessageTests
{
    [Fact]
    public void All_ways_write_the_same_bytes_behind_what_is_there()
    {
        var message = PeerMessage.Sample;
        Action<MemoryStream>[] ways =
        [
            message.WritePieces, message.Write, message.WriteInPlace<PooledIntsOutput>, message.WriteInPlace<StringCopyOutput>,
                message.WriteGrowing,
        ];
        var expected = Write(ways[0]);
        Assert.All(ways, way => Assert.Equal(expected, Write(way)));
    }

    [Fact]
    public void A_stream_that_is_no_open_buffer_gets_the_same_bytes()
    {
        var expected = Write(PeerMessage.Sample.Write);
        var closed = new byte[expected.Length];
        using var stream = new MemoryStream(closed);
        stream.WriteByte(7);
        PeerMessage.Sample.Write(stream);
        Assert.Equal(expected, closed);
    }

    // The layout by BinaryWriter: https://devdocs.decred.org/developer-guides/transactions/transaction-format/
    [Fact]
    public void The_bytes_are_those_of_the_layout()
    {
        var transaction = Transaction.Coinbase with
        {
            Outputs = [.. Enumerable.Range(0, 300).Select(i => new TransactionOutput(i, 1, new byte[i]))],
        };
        using var stream = new MemoryStream();
        (PeerMessage.Sample with { Payload = transaction }).Write(stream);
        using var expected = new MemoryStream();
        using var writer = new BinaryWriter(expected);
        writer.Write(transaction.Version);
        writer.Write((byte)transaction.Inputs.Count);
        foreach (var input in transaction.Inputs)
        {
            writer.Write(input.PreviousHash);
            writer.Write(input.Index);
            writer.Write(input.Tree);
            writer.Write(input.Sequence);
        }

        writer.Write((byte)253);
        writer.Write((ushort)transaction.Outputs.Count);
        foreach (var output in transaction.Outputs)
        {
            writer.Write(output.Value);
            writer.Write(output.ScriptVersion);
            if (output.Script.Length > 252) writer.Write((byte)253);
            writer.Write(output.Script.Length > 252 ? BitConverter.GetBytes((ushort)output.Script.Length) : [(byte)output.Script.Length]);
            writer.Write(output.Script);
        }

        writer.Write(transaction.LockTime);
        writer.Write(transaction.Expiry);
        writer.Write((byte)transaction.Witnesses.Count);
        foreach (var witness in transaction.Witnesses)
        {
            writer.Write(witness.Value);
            writer.Write(witness.BlockHeight);
            writer.Write(witness.BlockIndex);
            writer.Write((byte)witness.Script.Length);
            writer.Write(witness.Script);
        }

        var payload = expected.ToArray();
        Assert.Equal(transaction.Size(), payload.Length);
        byte[] header =
        [
            0xF9, 0x00, 0xB4, 0xD9, (byte)'t', (byte)'x', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, .. BitConverter.GetBytes(payload.Length),
            .. SHA256.HashData(SHA256.HashData(payload))[..4],
        ];
        Assert.Equal([.. header, .. payload], stream.ToArray());
    }

    /// <summary>The published before allocates seven objects; ours may not be worse to look better.</summary>
    [Fact]
    public void The_way_before_allocates_what_its_five_objects_take()
    {
        using var to = new MemoryStream(1 << 16);
        void Run()
        {
            to.SetLength(0);
            PeerMessage.Sample.WritePieces(to);
        }

        Run();
        Assert.InRange(AllocatedBytes.Of(Run), 1, 600);
    }

    static byte[] Write(Action<MemoryStream> way)
    {
        using var stream = new MemoryStream();
        stream.WriteByte(7);
        way(stream);
        return stream.ToArray();
    }
}
