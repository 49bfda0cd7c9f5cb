using Google.Protobuf;
using ProtoBench.Allocators;
using ProtoBench.Gpb;
using ProtoBench.Payloads;

namespace ProtoBench.Messages.Tests.Google;

public class GoogleSlabTests
{
    [Fact]
    public void It_reads_what_Google_reads()
    {
        using var arena = new Arena();
        Assert.Equal(ForwardRequest.Parser.ParseFrom(Hive.Request()), GoogleSlab.ParseRequest(Hive.Request(), arena));
        Assert.Equal(ForwardResponse.Parser.ParseFrom(Hive.Response()), GoogleSlab.ParseResponse(Hive.Response(), arena));
        Assert.Equal(ForwardRequest.Parser.ParseFrom(Hive.Request()), GoogleSlab.ParseRequest(new MemoryStream(Hive.Request()), arena));
        Assert.Equal(ForwardResponse.Parser.ParseFrom(Hive.Response()), GoogleSlab.ParseResponse(new MemoryStream(Hive.Response()), arena));
    }

    [Fact]
    public void Unknown_fields_survive()
    {
        using var arena = new Arena();
        Assert.Equal(Hive.Mixed(MixedOrder.Regular), GoogleSlab.ParseRequest(Hive.Mixed(), arena).ToByteArray());
    }

    [Fact]
    public void Leaves_live_in_the_slab_and_strings_do_not()
    {
        var wire = Hive.Request(35);
        using var arena = new Arena();
        GoogleSlab.ParseRequest(wire, arena); // the arena's slab is allocated here
        var onSlab = AllocatedBytes.Of(() =>
        {
            arena.Reset();
            GoogleSlab.ParseRequest(wire, arena);
        });
        var plain = AllocatedBytes.Of(() => ForwardRequest.Parser.ParseFrom(wire));
        Assert.True(onSlab < plain - 32_768, $"{onSlab} bytes on a slab, {plain} plain: the root's 32 KiB are still an array");
    }

    /// <summary>Aliasing is what its name says: who changes the bytes changes the message. The copying form does not notice.</summary>
    [Fact]
    public void Only_the_alias_sees_the_source_change()
    {
        var wire = Hive.Request(1);
        var context = wire.AsSpan().IndexOf("bbbb"u8);
        using var arena = new Arena();
        var alias = GoogleSlab.AliasRequest(wire);
        var copy = GoogleSlab.ParseRequest(wire, arena);
        wire[context] = (byte)'X';
        Assert.Equal((byte)'X', alias.ItemRequests[0].ItemContext[0]);
        Assert.Equal((byte)'b', copy.ItemRequests[0].ItemContext[0]);
    }

    [Fact]
    public void Every_truncation_is_refused_or_read_as_Google_reads_it_and_nothing_stays_out_under_the_twin()
    {
        using var pool = new DiagnosticSlabPool(SlabPool.Create());
        Truncate(Hive.Request(35), step: 1, pool, (wire, arena) => GoogleSlab.ParseRequest(wire, arena), ForwardRequest.Parser);
        Truncate(Hive.Response(35), step: 1, pool, (wire, arena) => GoogleSlab.ParseResponse(wire, arena), ForwardResponse.Parser);
        pool.ThrowIfOutstanding();
    }

    /// <summary>Every offset in the first and last 512 bytes, and every 97th: a prime walks through all places of an item.</summary>
    [Fact]
    public void Truncating_the_full_hive_leaves_nothing_out()
    {
        using var pool = SlabPool.Create();
        Truncate(Hive.Request(), step: 97, pool, (wire, arena) => GoogleSlab.ParseRequest(wire, arena), ForwardRequest.Parser);
        Assert.Equal(0, pool.Snapshot().LiveBytes);
    }

    static void Truncate<T>(byte[] wire, int step, SlabPool pool, Func<byte[], Arena, T> parse, MessageParser<T> google)
        where T : IMessage<T>
    {
        for (var length = 0; length < wire.Length; length += length is < 512 || length > wire.Length - 512 ? 1 : step)
        {
            var cut = wire[..length];
            using var arena = new Arena(pool);
            T? ours = default;
            var refused = Refused(() => ours = parse(cut, arena));
            T? theirs = default;
            Assert.Equal(Refused(() => theirs = google.ParseFrom(cut)), refused);
            if (!refused)
                Assert.Equal(theirs, ours);
        }
    }

    static bool Refused(Action parse)
    {
        try
        {
            parse();
            return false;
        }
        catch (InvalidDataException)
        {
            return true;
        }
        catch (InvalidProtocolBufferException)
        {
            return true;
        }
    }
}
