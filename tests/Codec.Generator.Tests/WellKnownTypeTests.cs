using Google.Protobuf;
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
}
