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

    [Fact]
    public void The_bytes_are_those_of_the_layout()
    {
        var transaction = Transaction.Coinbase with
        {
            Outputs = [.. Enumerable.Range(0, 300).Select(i => new TransactionOutput(i, 1, new byte[i]))],
        };
        using var stream = new MemoryStream();
        (PeerMessage.Sample with { Payload = transaction }).Write(stream);
        var expected = PeerMessages.Of(transaction);
        Assert.Equal(PeerMessage.HeaderSize + transaction.Size(), expected.Length);
        Assert.Equal(expected, stream.ToArray());
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
