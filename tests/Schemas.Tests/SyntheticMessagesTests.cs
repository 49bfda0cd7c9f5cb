using Google.Protobuf.WellKnownTypes;

namespace ProtoBench.Schemas.Tests;

public class SyntheticMessagesTests(TestSchema schema) : IClassFixture<TestSchema>
{
    [Fact]
    public void Each_is_a_message_of_the_type_and_the_seed_repeats_it()
    {
        for (var seed = 1; seed <= 300; seed++)
        {
            var message = new SyntheticMessages(schema.Order, new() { Seed = seed }).Next();
            Assert.True(WireWalk.Of(schema.Order, message).Error is null, $"seed {seed}: {WireWalk.Of(schema.Order, message).Error}");
            Assert.Equal(message, new SyntheticMessages(schema.Order, new() { Seed = seed }).Next());
        }
    }

    [Fact]
    public void Counts_and_lengths_are_those_that_were_asked_for()
    {
        var item = schema.Schema.Message("acme.Item");
        var options = new SynthesisOptions { ShortestString = 10, LongestString = 10, SetShare = 1, MaxDepth = 0 };
        var message = new SyntheticMessages(item, options).Next();
        Assert.Equal(10, message[1]);
        var order = new SyntheticMessages(schema.Order, options with { FewestElements = 3, MostElements = 3 }).Next();
        var read = 0;
        for (var at = 0; at < order.Length;)
        {
            var tag = WireWalk.Varint(order, ref at)!.Value;
            if (tag == ((6 << 3) | 2))
                read++;
            at = SkipTo(order, at, tag);
        }

        Assert.Equal(3, read);
    }

    /// <summary>The ranges are those of the well-known types' own documentation, so that every library can hold the value.</summary>
    [Fact]
    public void Timestamps_and_durations_are_valid()
    {
        for (var seed = 1; seed <= 300; seed++)
        {
            var options = new SynthesisOptions { Seed = seed };
            var at = Timestamp.Parser.ParseFrom(new SyntheticMessages(schema.Schema.Message("google.protobuf.Timestamp"), options).Next());
            Assert.InRange(at.ToDateTime().Year, 2000, 2039);
            Assert.True(at.Nanos % 1_000 == 0, $"seed {seed}: {at.Nanos}");
            var took = Duration.Parser.ParseFrom(new SyntheticMessages(schema.Schema.Message("google.protobuf.Duration"), options).Next());
            Assert.True(took.ToTimeSpan() >= TimeSpan.Zero, $"seed {seed}: {took}");
        }
    }

    static int SkipTo(byte[] wire, int at, ulong tag)
    {
        switch (tag & 7)
        {
            case 0:
                WireWalk.Varint(wire, ref at);
                return at;
            case 1:
                return at + 8;
            case 5:
                return at + 4;
            default:
                var length = (int)WireWalk.Varint(wire, ref at)!.Value;
                return at + length;
        }
    }
}
