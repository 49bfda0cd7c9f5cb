using Google.Protobuf;
using ProtoBench.Codec.Generated;

namespace ProtoBench.Codec.Tests;

/// <summary>Sub-messages of a few numbers are written after one check of the room.</summary>
public class SmallWriteTests
{
    // tag and length of the address, and four numbers of at most six bytes
    const int mostBytes = 1 + 1 + (4 * 6);

    [Fact]
    public void They_are_what_Google_writes_in_windows_of_any_size()
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

            var expected = log.ToByteArray();
            using var message = SlabProtobuf.Sets.AccessLog.Rent();
            message.Parse(expected);
            Assert.Equal(expected, message.ToByteArray());
            for (var window = 1; window < 75 + (2 * mostBytes); window++)
            {
                var writer = new WindowWriter(window);
                message.WriteTo(writer);
                Assert.Equal(expected, writer.Written);
            }
        }

        uint Any() => values[random.Next(values.Length)];
    }

    [Fact]
    public void Their_unknown_fields_are_written()
    {
        byte[] wire = [0x0A, 8, 0x0A, 6, 0x08, 1, 0x98, 0x06, 0x96, 0x01]; // lines { address { a: 1 99: 150 } }
        using var message = SlabProtobuf.Sets.AccessLog.Rent();
        message.Parse(wire);
        for (var window = 1; window < 100; window++)
        {
            var writer = new WindowWriter(window);
            message.WriteTo(writer);
            Assert.Equal(wire, writer.Written);
        }
    }

    [Fact]
    public void The_size_of_a_leaf_that_was_stored_before_a_change_is_not_written()
    {
        var google = new Gpb.Sets.TileLayer { Name = "roads", Features = { new Gpb.Sets.TileFeature { Id = 1, Geometry = { 9, 8 } } } };
        using var message = SlabProtobuf.Sets.TileLayer.Rent();
        message.Parse(google.ToByteArray());
        Assert.Equal(google.ToByteArray(), message.ToByteArray()); // stores sizes
        google.Features[0].Geometry.Add(300);
        message.Value.Features[0].AddGeometry(300);
        var writer = new WindowWriter(1_000);
        message.WriteTo(writer);
        Assert.Equal(google.ToByteArray(), writer.Written);
    }

    [Fact]
    public void A_body_that_is_too_long_is_refused()
    {
        using var message = Message<Misusing>.Rent();
        for (var fields = 0; fields < 12; fields++)
        {
            Misusing.Misuse = (ref writer) =>
            {
                var body = writer.BeginSmall(10);
                for (var i = 0; i < fields; i++) body.WriteFixed64(9, 1);
                writer.EndSmall(body);
            };
            var writer = new PartWriter(500);
            var refused = Record.Exception(() => message.WriteTo(writer));
            Assert.Equal(fields <= 5, refused is null); // 5 * 9 of 49 bytes
            Assert.Equal(fields <= 5 ? 2 + (9 * fields) : 0, writer.Advanced);
        }
    }

    [Fact]
    public void No_misuse_of_the_steps_leaves_the_window()
    {
        Misuse[] all =
        [
            (ref writer) => writer.EndSmall(default),
            (ref writer) => writer.EndSmall(writer.BeginSmall(uint.MaxValue)),
            (ref writer) =>
            {
                var body = writer.BeginSmall(10);
                for (var i = 0; i < 20; i++) body.WriteFixed64(9, ulong.MaxValue);
                writer.EndSmall(body);
            },
            (ref writer) =>
            {
                var copy = writer;
                var body = copy.BeginSmall(10);
                body.WriteBool(8, true);
                writer.EndSmall(body);
            },
            (ref writer) =>
            {
                var body = writer.BeginSmall(10);
                for (var i = 0; i < 20; i++) writer.EndSmall(body);
            },
            (ref writer) =>
            {
                var body = writer.BeginSmall(10);
                for (var i = 0; i < 6; i++) body.WriteFixed64(9, 1);
                writer.EndSmall(body);
                writer.BeginSmall(10);
                writer.EndSmall(body);
            },
            (ref writer) =>
            {
                for (var i = 0; i < 100; i++) writer.BeginSmall(10);
            },
            (ref writer) => writer.EndMessage(0),
            (ref writer) => writer.EndMessage(100),
            (ref writer) => writer.EndMessage(int.MaxValue),
            (ref writer) =>
            {
                for (var i = 0; i < 1_000; i++) writer.BeginMessage(10, i, out _);
            },
            (ref writer) =>
            {
                writer.BeginMessage(10, 1, out var mark);
                for (var i = 0; i < 200; i++) writer.WriteVarint(8, 1);
                for (var i = 0; i < 200; i++) writer.EndMessage(mark);
                for (var i = 0; i < 200; i++) writer.WriteVarint(8, 1);
                if (mark >= 0) writer.EndMessage(mark + 1);
            },
            (ref writer) =>
            {
                var copy = writer;
                for (var i = 0; i < 30; i++) copy.WriteVarint(8, 1);
                copy.BeginMessage(10, 1, out var mark);
                writer.EndMessage(mark);
            },
        ];
        using var message = Message<Misusing>.Rent();
        foreach (var misuse in all)
        {
            for (var size = 0; size < 200; size++)
            {
                Misusing.Misuse = misuse;
                var writer = new PartWriter(size);
                try
                {
                    message.WriteTo(writer);
                }
                catch (Exception refused) when (refused is InvalidOperationException or NullReferenceException)
                {
                    // a window that is too small for the next step is refused after those before it
                    Assert.True(writer.Advanced == 0 || refused.Message.StartsWith("The buffer writer gave", StringComparison.Ordinal), refused.Message);
                }

                Assert.InRange(writer.Advanced, 0, size);
                Assert.All(writer.Around, left => Assert.Equal(0xEE, left));
            }
        }
    }

    delegate void Misuse(ref WireWriter writer);

    readonly struct Misusing : IHandWritten<Misusing>
    {
        static bool ISlabMessage<Misusing>.IsWrittenInOnePass => true;

        public static Misuse Misuse { get; set; } = null!;

        static void ISlabMessage<Misusing>.Write(ref WireWriter writer, Misusing message) => Misuse(ref writer);
    }
}
