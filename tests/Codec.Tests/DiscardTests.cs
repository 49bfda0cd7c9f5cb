using System.IO.Pipelines;
using Google.Protobuf;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.Codec.Tests;

/// <summary>Unknown fields that are discarded, in every form of reading, against Google's parser that discards them.</summary>
public class DiscardTests
{
    const int count = 6;

    static readonly Gpb.Zoo known = new()
    {
        Scalars = new() { Int32Value = 7, StringValue = "s" },
        Unpacked = new() { StringValues = { "a", "" } },
        Cages = { new Gpb.Cage { Label = "c", Animals = { new Gpb.Animal { Tag = 1 } } } },
        Visitors = { ["Ann"] = 1 },
    };

    // a varint, bytes, four bytes, a group with a field, one in a sub-message, and one in the entry of a map
    static readonly byte[] wire =
    [
        .. known.ToByteArray(), .. Convert.FromHexString("A00602" + "A20603070809" + "A50601020304" + "A3060805A406" + "0A03A00602"
            + "3208" + "A00602" + "0A0162" + "1001"),
    ];

    public static TheoryData<string> Forms => [.. forms.Keys];

    // each reads the wire bytes into an empty message
    static readonly Dictionary<string, Func<Message<Zoo>, Task>> forms = new()
    {
        ["span"] = Run(message => message.Parse(wire.AsSpan())),
        ["memory"] = Run(message => message.Parse(wire.AsMemory())),
        ["segments"] = Run(message => message.Parse(Segments.Every(wire, 3))),
        ["stream"] = Run(message => message.Parse(new BufferedStream(new MemoryStream(wire)))),
        ["alias"] = Run(message => message.ParseAlias(wire)),
        ["alias of segments"] = Run(message => message.ParseAlias(Segments.Every(wire, 3))),
        ["pipe"] = async message => await message.ParseAsync(PipeReader.Create(Segments.Every(wire, 3))),
        ["delimited stream"] = Run(message => message.TryParseDelimited(new MemoryStream(Delimited()))),
        ["delimited stream, asynchronous"] = async message => await message.TryParseDelimitedAsync(new MemoryStream(Delimited())),
        ["delimited sequence"] = Run(message =>
        {
            var input = Segments.Every(Delimited(), 5);
            message.TryParseDelimited(ref input);
        }),
        ["merge"] = Run(message => message.MergeFrom(wire)),
        ["merge of segments"] = Run(message => message.MergeFrom(Segments.Every(wire, 3))),
        ["merge of a message"] = Run(message => With(other => message.MergeFrom(other))),
        ["copy of a message"] = Run(message => With(other => message.CopyFrom(other))),
        ["merge into a view"] = Run(message => message.Value.MergeFrom(wire)),
        ["merge of segments into a view"] = Run(message => message.Value.MergeFrom(Segments.Every(wire, 3))),
        ["merge of a view"] = Run(message => With(other => message.Value.MergeFrom(other.Value))),
        ["copy of a view"] = Run(message => With(other => message.Value.CopyFrom(other.Value))),
    };

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task Unknown_fields_are_discarded_and_counted_in_every_form(string form)
    {
        var expected = Gpb.Zoo.Parser.WithDiscardUnknownFields(true).ParseFrom(wire);
        using var message = Zoo.Rent().WithDiscardUnknownFields(true);
        await forms[form](message);
        Assert.Equal(expected.ToByteArray(), message.ToByteArray());
        Assert.Equal(expected.CalculateSize(), message.CalculateSize());
        Assert.Equal(count, message.DiscardedFieldCount);

        using var plain = Zoo.Rent();
        Assert.Equal(plain.Parse(expected.ToByteArray()), message.Value);

        // the setting stays for the next parse, the count does not
        message.Parse(known.ToByteArray());
        Assert.Equal(0, message.DiscardedFieldCount);
        message.MergeFrom(wire);
        message.MergeFrom(wire);
        Assert.Equal(2 * count, message.DiscardedFieldCount);

        await forms[form](message.WithDiscardUnknownFields(false));
        Assert.NotEqual(expected.ToByteArray(), message.ToByteArray());
    }

    [Fact]
    public void A_released_message_keeps_unknown_fields_for_its_next_renter()
    {
        for (var i = 0; i < 3; i++)
        {
            using (var discards = Zoo.Rent().WithDiscardUnknownFields(true)) discards.Parse(wire);
            using var message = Zoo.Rent();
            message.Parse(wire);
            Assert.Equal(0, message.DiscardedFieldCount);
            Assert.Equal(Gpb.Zoo.Parser.ParseFrom(wire), Gpb.Zoo.Parser.ParseFrom(message.ToByteArray()));
            Assert.Throws<ObjectDisposedException>(() => new Message<Zoo>().WithDiscardUnknownFields(true));
            Assert.Throws<ObjectDisposedException>(() => new Message<Zoo>().DiscardedFieldCount);
        }
    }

    /// <summary>A message without strings reads its input in place, and would copy unknown fields.</summary>
    [Fact]
    public void A_message_that_does_not_keep_its_input_discards_them()
    {
        using var message = Packed.Rent().WithDiscardUnknownFields(true);
        message.Parse([0xA2, 0x06, 3, 7, 8, 9, 0xA0, 0x06, 2]);
        Assert.Equal((0, 2), (message.CalculateSize(), message.DiscardedFieldCount));
    }

    [Theory]
    [InlineData("A007", WireError.Truncated, 2)]
    [InlineData("A306A407", WireError.UnmatchedEndGroup, 2)]
    [InlineData("A306", WireError.Truncated, 2)]
    [InlineData("A606", WireError.InvalidTag, 0)]
    public void Unknown_fields_are_checked_all_the_same(string hex, WireError reason, int offset)
    {
        using var message = Zoo.Rent().WithDiscardUnknownFields(true);
        var refusal = Assert.Throws<WireFormatException>(() => message.Parse(Convert.FromHexString(hex)));
        Assert.Equal((reason, offset), (refusal.Reason, refusal.Offset));
        Assert.Equal(0, message.DiscardedFieldCount);
    }

    /// <summary>A message that another thread's stream was left with gets other memory.</summary>
    [Fact]
    public void The_setting_stays_when_a_message_is_cleared_during_a_read()
    {
        using var message = Zoo.Rent().WithDiscardUnknownFields(true);
        Assert.Throws<ObjectDisposedException>(() => message.Parse(new ClearingStream(message)));
        message.Parse(wire);
        Assert.Equal(count, message.DiscardedFieldCount);
    }

    static Func<Message<Zoo>, Task> Run(Action<Message<Zoo>> read) => message =>
    {
        read(message);
        return Task.CompletedTask;
    };

    static void With(Action<Message<Zoo>> use)
    {
        using var other = Zoo.Rent();
        other.Parse(wire);
        use(other);
    }

    static byte[] Delimited() => [(byte)(wire.Length | 0x80), (byte)(wire.Length >> 7), .. wire];

    sealed class ClearingStream(Message<Zoo> message) : MemoryStream([1, 2, 3])
    {
        public override int Read(Span<byte> buffer)
        {
            message.Clear();
            return 0;
        }
    }
}
