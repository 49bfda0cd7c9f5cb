using Google.Protobuf;
using ProtoBench.Codec.Generator.Tests.Schemas;
using ProtoBench.Codec.WellKnownTypes;
using Google_ = Google.Protobuf.WellKnownTypes;

namespace ProtoBench.Codec.Generator.Tests;

/// <summary>Conversions of the well-known types, against Google.Protobuf's.</summary>
public class WellKnownTypeTests
{
    [Fact]
    public void Moments_are_those_of_Google()
    {
        var random = new Random(15);
        var moments = Enumerable.Range(0, 1_000).Select(_ => new DateTime(random.NextInt64(DateTime.MaxValue.Ticks), DateTimeKind.Utc))
            .Concat([DateTime.UnixEpoch, DateTime.UnixEpoch.AddTicks(-1), DateTime.SpecifyKind(DateTime.MinValue, DateTimeKind.Utc),
                DateTime.SpecifyKind(DateTime.MaxValue, DateTimeKind.Utc)]);
        using var message = Timestamp.Rent();
        foreach (var moment in moments)
        {
            message.Value.Set(moment);
            Assert.Equal(Google_.Timestamp.FromDateTime(moment).ToByteArray(), message.ToByteArray());
            Assert.Equal(moment, message.Value.ToDateTime());
            Assert.Equal(new DateTimeOffset(moment), message.Value.ToDateTimeOffset());
        }

        message.Value.Set(new DateTimeOffset(2026, 1, 2, 3, 0, 0, TimeSpan.FromHours(3)));
        Assert.Equal(new DateTime(2026, 1, 2, 0, 0, 0, DateTimeKind.Utc), message.Value.ToDateTime());
        Assert.Throws<ArgumentException>(() => message.Value.Set(DateTime.SpecifyKind(DateTime.UnixEpoch, DateTimeKind.Local)));
        message.Value.SetNanos(1_000_000_000);
        Assert.Throws<InvalidOperationException>(() => message.Value.ToDateTime());
    }

    [Fact]
    public void Durations_are_those_of_Google()
    {
        var random = new Random(15);
        using var message = Duration.Rent();
        foreach (var span in Enumerable.Range(0, 1_000)
            .Select(_ => new TimeSpan(random.NextInt64(-3_000_000_000_000_000_000, 3_000_000_000_000_000_000)))
                .Concat([TimeSpan.Zero, new(-1), new(1)]))
        {
            message.Value.Set(span);
            Assert.Equal(Google_.Duration.FromTimeSpan(span).ToByteArray(), message.ToByteArray());
            Assert.Equal(span, message.Value.ToTimeSpan());
        }

        message.Value.SetSeconds(1);
        message.Value.SetNanos(-1);
        Assert.Throws<InvalidOperationException>(() => message.Value.ToTimeSpan());
        message.Value.SetNanos(0);
        message.Value.SetSeconds(315_576_000_000);
        Assert.Equal(new TimeSpan(315_576_000_000 * TimeSpan.TicksPerSecond), message.Value.ToTimeSpan());
        message.Value.SetSeconds(315_576_000_001);
        Assert.Throws<InvalidOperationException>(() => message.Value.ToTimeSpan());
    }

    [Theory]
    [InlineData("type.googleapis.com")]
    [InlineData("type.googleapis.com/")]
    [InlineData("")]
    [InlineData("a/b")]
    public void An_Any_has_what_Google_packs(string prefix)
    {
        var google = new Google_.Field { Name = "n", Options = { new Google_.Option { Name = "o" } } };
        using var field = Field.Rent();
        field.Parse(google.ToByteArray());
        using var message = Any.Rent();
        var any = message.Value;
        any.Pack(field.Value, prefix);
        Assert.Equal(Google_.Any.Pack(google, prefix).ToByteArray(), message.ToByteArray());

        // what was there is replaced, and a part of a message is packed as a message is
        any.Pack(field.Value.Options[0]);
        Assert.Equal(Google_.Any.Pack(google.Options[0]).ToByteArray(), message.ToByteArray());
        any.Pack(field, prefix);
        Assert.Equal(Google_.Any.Pack(google, prefix).ToByteArray(), message.ToByteArray());
    }

    [Theory]
    [InlineData("type.googleapis.com/google.protobuf.Duration", true)]
    [InlineData("/google.protobuf.Duration", true)]
    [InlineData("a/b/google.protobuf.Duration", true)]
    [InlineData("google.protobuf.Duration", false)]
    [InlineData("type.googleapis.com/google.protobuf.Duration/", false)]
    [InlineData("type.googleapis.com/google.protobuf.Durations", false)]
    [InlineData("type.googleapis.com/google.protobuf.duration", false)]
    [InlineData("type.googleapis.com/protobuf.Duration", false)]
    [InlineData("/google.protobuf.Duration\u00E9", false)]
    [InlineData("", false)]
    public void An_Any_is_unpacked_by_the_name_behind_the_last_slash_of_its_type(string type, bool isDuration)
    {
        var google = new Google_.Any { TypeUrl = type, Value = new Google_.Duration { Seconds = 7 }.ToByteString() };
        Assert.Equal(google.Is(Google_.Duration.Descriptor), isDuration);
        using var message = Any.Rent();
        var any = message.Parse(google.ToByteArray());
        using var target = Duration.Rent();
        target.Value.SetNanos(3);
        Assert.Equal(isDuration, any.Is<Duration>());
        Assert.Equal(isDuration, any.TryUnpack(target));
        Assert.Equal(isDuration ? (7, 0) : (0, 3), (target.Value.Seconds, target.Value.Nanos));
        if (isDuration)
        {
            Assert.Equal(7, any.Unpack(target).Seconds);
            return;
        }

        var refusal = Assert.Throws<InvalidOperationException>(() => any.Unpack(target));
        Assert.Contains($"'{type}'", refusal.Message, StringComparison.Ordinal);
        Assert.Contains("google.protobuf.Duration was asked for", refusal.Message, StringComparison.Ordinal);
        Assert.Equal(3, target.Value.Nanos);
    }

    /// <summary>The merge copies the result by a member that such a message has under another name.</summary>
    [Fact]
    public void A_mask_merges_a_message_with_the_name_of_a_member()
    {
        using var workshop = new Workshop("names.proto", """
            syntax = "proto3";
            package names;
            message CopyFrom { string text = 1; int32 number = 2; }
            """);
        workshop.GenerateAll();
        workshop.AddSource("""
            using ProtoBench.Codec;
            using ProtoBench.Codec.WellKnownTypes;
            #pragma warning disable CS1591

            public static class Masks
            {
                public static string Merge()
                {
                    using var source = Names.CopyFrom.Rent();
                    using var destination = Names.CopyFrom.Rent();
                    using var mask = FieldMask.Rent();
                    source.Value.SetText("new");
                    destination.Value.SetText("old");
                    destination.Value.SetNumber(5);
                    mask.Value.Set("text");
                    mask.Value.Merge(source.Value, destination.Value);
                    return destination.Value.ToJson();
                }
            }
            """);
        var merge = workshop.Compile().GetType("Masks")!.GetMethod("Merge")!.CreateDelegate<Func<string>>();
        Assert.Equal("""{"text":"new","number":5}""", merge());
    }

    [Fact]
    public void An_Any_that_holds_something_else_than_it_says_is_refused()
    {
        using var message = Any.Rent();
        var any = message.Parse(new Google_.Any { TypeUrl = "/google.protobuf.Duration", Value = ByteString.CopyFrom(8) }.ToByteArray());
        using var target = Duration.Rent();
        Assert.Equal((WireError.Truncated, 1), Offset(Assert.Throws<WireFormatException>(() => any.TryUnpack(target))));
        Assert.Equal(0, target.CalculateSize());

        // an Any in an Any: into the same message it cannot be unpacked, which would empty it before it is read
        using var inner = Any.Rent();
        inner.Value.SetTypeUrl("x");
        any.Pack(inner.Value);
        Assert.Throws<ArgumentException>(() => any.TryUnpack(message));
        Assert.Equal("x", any.Unpack(inner).TypeUrl.ToString());
        message.Clear();
        Assert.Throws<ObjectDisposedException>(() => any.Is<Duration>());
        Assert.Throws<ArgumentNullException>(() => message.Value.Pack(inner.Value, null!));

        static (WireError Reason, int Offset) Offset(WireFormatException refusal) => (refusal.Reason, refusal.Offset);
    }
}
