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
    public void What_is_written_is_read()
    {
        var message =
            PeerMessage.Sample with
            {
                Payload =
                Transaction.Coinbase with
                {
                    Outputs =
                    [.. Enumerable.Range(0, 300).Select(i => new TransactionOutput(i, 1, new byte[i]))]
                }
            };
        using var stream = new MemoryStream();
        message.Write(stream);
        Assert.Equal(message.Payload.Size() + PeerMessage.HeaderSize, stream.Length);
        var read = PeerReader.Read(stream.ToArray());
        Assert.Equal(message.Command, read.Command);
        using var again = new MemoryStream();
        read.WritePieces(again);
        Assert.Equal(stream.ToArray(), again.ToArray());
    }

    [Fact]
    public void Every_truncation_and_every_flipped_bit_of_the_payload_is_refused()
    {
        var bytes = Write(PeerMessage.Sample.Write)[1..];
        for (var length = 0; length < bytes.Length; length++)
            Assert.StartsWith("at byte ", Assert.Throws<InvalidDataException>(() => PeerReader.Read(bytes.AsSpan(0, length))).Message,
                StringComparison.Ordinal);
        for (var at = PeerMessage.HeaderSize - PeerMessage.ChecksumSize; at < bytes.Length; at++)
        {
            bytes[at] ^= 1;
            Assert.Contains("checksum", Assert.Throws<InvalidDataException>(() => PeerReader.Read(bytes)).Message,
                StringComparison.Ordinal);
            bytes[at] ^= 1;
        }
    }

    [Theory]
    [InlineData(0xFD, "a count of")]
    [InlineData(0xFE, "a count of")]
    [InlineData(0xFF, "a count of 18446744073709551615")]
    public void A_count_that_the_input_cannot_hold_allocates_nothing(byte kind, string reason)
    {
        byte[] payload = [1, 0, 0, 0, kind, .. Enumerable.Repeat((byte)0xFF, 20)];
        Assert.Contains(reason, Assert.Throws<InvalidDataException>(() => PeerReader.ReadPayload(payload)).Message,
            StringComparison.Ordinal);
        Assert.InRange(AllocatedBytes.Of(() => Assert.Throws<InvalidDataException>(() => PeerReader.ReadPayload(payload))), 0, 20_000);
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
