using Google.Protobuf;
using ProtoBench.Codec.Runtime;

namespace ProtoBench.Codec.Tests;

/// <summary>Sub-messages of a few numbers are written after one check of the room.</summary>
public class SmallWriteTests
{
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
                Assert.False(writer.IsTouchedAround);
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
