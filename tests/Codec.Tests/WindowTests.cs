using System.Buffers;
using System.Text;
using Google.Protobuf;
using ProtoBench.SlabProtobuf;
using ProtoBench.SlabProtobuf.Sets;

namespace ProtoBench.Codec.Tests;

/// <summary>What is written into windows of any size is what Google writes. There are several ways to write a message: which one is taken
/// depends on its type, on its content, and on the room in the window.</summary>
public class WindowTests
{
    const byte kindTag = (3 << 3) | 2;
    const byte passengersTag = (11 << 3) | 2;

    // tag and length of an address, and four numbers of at most six bytes
    const int mostOfAddress = 1 + 1 + (4 * 6);

    static readonly int[] aroundOfRoom = [-3, -2, -1, 0, 1, 69, 70, 71, 500];

    /// <summary>Messages by the way in which they are written.</summary>
    static readonly Dictionary<string, Func<IEnumerable<Sample>>> shapes = new()
    {
        ["lists of numbers"] = () => Read<PackedNumbers>(Gpb.PackedNumbers.Parser, PackedFieldTests.Lists(100),
            _ => Enumerable.Range(1, 110).Concat([127, 144, 161, 178, 195, 212, 229, 246])),
        ["lists of few numbers, the longest"] = () => Read<Packed>(Gpb.Packed.Parser, LongestNumbers(), _ => [1_000]),
        ["message of a few numbers"] = () => Read<Small>(Gpb.Small.Parser, FewNumbers().Select(one => one.ToByteArray()), _ => UpTo(47)),
        ["message of a few numbers, built by setters"] = () => FewNumbers().SelectMany(one => Built<Small>(one, UpTo(47))),
        ["message of a few numbers with unknown fields"] = () => Read<Small>(Gpb.Small.Parser,
            [[.. new Gpb.Small { Id = 5, Value = 2.5, Flag = true }.ToByteArray(), 0xA0, 0x06, 1, 0xA2, 0x06, 2, 3, 4]], _ => UpTo(100)),
        ["messages of a few numbers in messages"] = () => Read<AccessLog>(Gpb.Sets.AccessLog.Parser, Addresses(),
            _ => UpTo(74 + (2 * mostOfAddress))),
        ["messages of a few numbers with unknown fields in messages"] = () => Read<AccessLog>(Gpb.Sets.AccessLog.Parser,
            [[0x0A, 8, 0x0A, 6, 0x08, 1, 0x98, 0x06, 0x96, 0x01]], _ => UpTo(100)), // lines { address { a: 1 99: 150 } }
        ["messages in messages"] = () => Read<GameUpdates>(Gpb.Sets.GameUpdates.Parser, Updates(), length => UpTo(length + 79)),
        ["message that is moved in a window of its own size"] = () => Read<SavedEntity>(Gpb.Sets.SavedEntity.Parser,
            [Passenger(Kind(500))], Around),
        ["messages with lengths around 127"] = () => Read<SavedEntity>(Gpb.Sets.SavedEntity.Parser,
            Enumerable.Range(100, 50).Select(Levels), Around),
        ["messages with lengths around 16,383"] = () => Read<SavedEntity>(Gpb.Sets.SavedEntity.Parser,
            Enumerable.Range(16_370, 20).Select(Levels), Around),
        ["as many levels as a reader accepts"] = () => Read<SavedEntity>(Gpb.Sets.SavedEntity.Parser,
            [Nested([], ParseLimits.MaxDepth)], _ => [1, 10_000]),

        // Where many levels would move the content, sizes are calculated after all. From level 15 on, a length of two bytes moves it.
        ["chains of large messages"] = () => Read<SavedEntity>(Gpb.Sets.SavedEntity.Parser,
            new[] { 200, 20_000 }.SelectMany(length => Enumerable.Range(1, 20).Select(depth => Nested(Kind(length), depth))),
            _ => [50_000]),

        // Each of 15 levels keeps four bytes for its length, because the first chain needs them. The second chain needs one, so each of its
        // levels is moved back by three bytes. So many bytes are moved only if the rest of the message, the root's string, is large. In the
        // message's memory, that string is behind the one of the second chain: a short copy writes its first bytes, too.
        ["levels that are moved back"] = () => Read<SavedEntity>(Gpb.Sets.SavedEntity.Parser,
            new[] { 1, 32, 33, 64 }.Select(length =>
                (byte[])[.. Nested(Kind(1 << 21), 15), .. Nested(Kind(length), 15), .. Kind(6_000_000)]), length => [length + 5_000]),
        ["delimited messages"] = Delimited,
        ["JSON"] = Json,
    };

    public static TheoryData<string> Shapes => [.. shapes.Keys];

    [Theory]
    [MemberData(nameof(Shapes))]
    public void What_is_written_into_windows_of_any_size_is_what_Google_writes(string shape)
    {
        var count = 0;
        foreach (var sample in shapes[shape]())
        {
            count++;
            foreach (var window in sample.Windows)
            {
                var writer = new WindowWriter(window);
                sample.Write(writer);
                var same = sample.Expected.AsSpan().CommonPrefixLength(writer.Written);
                if (same == sample.Expected.Length && same == writer.Written.Length) continue;
                Assert.Fail($"message {count}, {sample.How}, windows of {window}: {writer.Written.Length} bytes instead of "
                    + $"{sample.Expected.Length}, equal up to {same}");
            }
        }

        Assert.NotEqual(0, count);
    }

    /// <summary>Google's bytes, read in both ways. The size and the array are Google's, too.</summary>
    static IEnumerable<Sample> Read<T>(MessageParser google, IEnumerable<byte[]> wires, Func<int, IEnumerable<int>> windows)
        where T : struct, ISlabMessage<T>
    {
        using var message = Message<T>.Rent();
        foreach (var wire in wires)
        {
            var expected = google.ParseFrom(wire).ToByteArray();
            message.Parse(wire);
            yield return Sample.Of("read", message, expected, windows(expected.Length));
            message.ParseAlias(wire);
            yield return Sample.Of("aliased", message, expected, windows(expected.Length));
        }
    }

    static IEnumerable<Sample> Built<T>(IMessage google, IEnumerable<int> windows)
        where T : struct, ISlabMessage<T>
    {
        using var message = Message<T>.Rent();
        MessageCopier.Of(typeof(T), google.Descriptor).Build(message.Value, google);
        yield return Sample.Of("built", message, google.ToByteArray(), windows);
    }

    static IEnumerable<Sample> Delimited()
    {
        foreach (var length in new[] { 0, 1, 125, 126, 127, 128, 400 })
        {
            var google = new Gpb.Echo { Body = ByteString.CopyFrom([.. Enumerable.Range(0, length).Select(i => (byte)i)]) };
            var expected = new MemoryStream();
            google.WriteDelimitedTo(expected);
            using var message = Echo.Rent();
            message.Parse(google.ToByteArray());
            yield return new("delimited", expected.ToArray(), message.WriteDelimitedTo, UpTo(450));
        }
    }

    static IEnumerable<Sample> Json()
    {
        const int seed = 44_002;
        var random = new Random(seed);
        string[] pieces = ["plain ascii", "\"", "\\", "\n", "<b>", "\u00E9", "\u732b", "\U0001F418", "\u2028", "x"];
        using var message = Zoo.Rent();
        for (var i = 0; i < 200; i++)
        {
            var text = string.Concat(random.GetItems(pieces, random.Next(random.Next(12) == 0 ? 200 : 8)));
            var bytes = new byte[random.Next(random.Next(12) == 0 ? 2_000 : 20)];
            random.NextBytes(bytes);
            message.Value.MutableUnpacked().AddStringValues(text);
            message.Value.MutableUnpacked().AddBytesValues(bytes);
            message.Value.SetVisitors(text, i);
            message.Value.MutablePacked().AddDoubleValues(random.NextDouble());
        }

        var json = message.Value.ToJson();
        Assert.Equal(Gpb.Zoo.Parser.ParseFrom(message.ToByteArray()), JsonParser.Default.Parse<Gpb.Zoo>(json));
        yield return new($"seed {seed}", Encoding.UTF8.GetBytes(json), writer => message.Value.WriteJson(writer), [256, 257, 300, 777, 5_000]);
        foreach (var indentation in new[] { "\t", new string(' ', 1_000) })
        {
            var options = new ProtoJsonOptions { Indentation = indentation, PreserveProtoFieldNames = true };
            json = new JsonFormatter(JsonFormatter.Settings.Default.WithPreserveProtoFieldNames(true)).Format(
                Gpb.Zoo.Parser.ParseFrom(message.ToByteArray()));
            var text = message.Value.ToJson(options);
            GoogleJson.AssertEqual(json, text);
            yield return new($"seed {seed}, indented by {indentation.Length}", Encoding.UTF8.GetBytes(text),
                writer => message.Value.WriteJson(writer, options), [256, 257, 300, 777, 5_000]);
        }
    }

    // Ten bytes each: the length of a few elements has one byte up to 127 bytes.
    static IEnumerable<byte[]> LongestNumbers()
    {
        var google = new Gpb.Packed();
        for (var count = 1; count <= 20; count++)
        {
            google.Int64Values.Add(-count);
            yield return google.ToByteArray();
        }
    }

    static IEnumerable<Gpb.Small> FewNumbers() =>
        from id in new[] { 0, 1, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152, int.MaxValue, -1, int.MinValue }
        from number in new[] { 0, 2.5, double.NaN, double.Epsilon }
        select new Gpb.Small { Id = id, Value = number, Flag = id % 2 == 0 };

    static IEnumerable<byte[]> Addresses()
    {
        var random = new Random(20261126);
        uint[] values = [0, 1, 0x7F, 0x80, 0x3FFF, 0x4000, 0x1FFFFF, 0x200000, 0xFFFFFFF, 0x10000000, uint.MaxValue];
        for (var round = 0; round < 40; round++)
        {
            var log = new Gpb.Sets.AccessLog();
            for (var i = 0; i < 4; i++)
            {
                log.Lines.Add(new Gpb.Sets.LogLine
                {
                    Address = new() { A = Any(), B = Any(), C = Any(), D = Any() },
                    User = new string('u', random.Next(4)),
                    Status = Any(),
                });
            }

            yield return log.ToByteArray();
        }

        uint Any() => values[random.Next(values.Length)];
    }

    static IEnumerable<byte[]> Updates()
    {
        var random = new Random(20261127);
        for (var round = 0; round < 12; round++)
        {
            var updates = new Gpb.Sets.GameUpdates();
            for (var i = random.Next(3); i >= 0; i--)
            {
                var alias = new string('t', random.Next(200));
                var update = new Gpb.Sets.GameUpdate { Players = { new Gpb.Sets.GamePlayer { Alias = alias } } };
                for (var j = random.Next(4); j > 0; j--)
                    update.Contacts.Add(new Gpb.Sets.GameContact { Guidance = new(), Transform = new(), Turrets = { random.Next(), j } });
                updates.Updates.Add(update);
            }

            yield return updates.ToByteArray();
        }
    }

    static IEnumerable<int> UpTo(int last) => Enumerable.Range(1, last);

    static IEnumerable<int> Around(int length) => aroundOfRoom.Select(more => length + more).Append(3 * length);

    /// <summary>Two levels of messages, and another message behind each.</summary>
    static byte[] Levels(int length) =>
        [.. Passenger([.. Passenger(Kind(length)), .. Passenger([])]), .. Passenger(Kind(length)), .. Passenger([])];

    static byte[] Nested(byte[] wire, int depth)
    {
        for (var level = 0; level < depth; level++) wire = Passenger(wire);
        return wire;
    }

    static byte[] Kind(int length)
    {
        var text = new byte[length];
        Array.Fill(text, (byte)'a');
        return [kindTag, .. Varint(length), .. text];
    }

    static byte[] Passenger(byte[] body) => [passengersTag, .. Varint(body.Length), .. body];

    static byte[] Varint(int value)
    {
        var bytes = new List<byte>();
        for (; value >= 0x80; value >>= 7) bytes.Add((byte)(value | 0x80));
        return [.. bytes, (byte)value];
    }

    /// <summary>A message as it is in its memory, and what is to be written.</summary>
    sealed record Sample(string How, byte[] Expected, Action<IBufferWriter<byte>> Write, IEnumerable<int> Windows)
    {
        public static Sample Of<T>(string how, Message<T> message, byte[] expected, IEnumerable<int> windows)
            where T : struct, ISlabMessage<T>
        {
            Assert.Equal(expected.Length, message.CalculateSize());
            Assert.Equal((ReadOnlySpan<byte>)expected, message.ToByteArray());
            return new(how, expected, message.WriteTo, windows);
        }
    }
}
