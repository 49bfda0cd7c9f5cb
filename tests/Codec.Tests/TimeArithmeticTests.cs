using Google.Protobuf;
using ProtoBench.Codec.WellKnownTypes;
using Google_ = Google.Protobuf.WellKnownTypes;

namespace ProtoBench.Codec.Tests;

/// <summary>The arithmetic of Timestamp and Duration, against Google's C#. Google's does not check the range, and ours refuses what is
/// outside of it.</summary>
public class TimeArithmeticTests
{
    const long firstSecond = -62_135_596_800, lastSecond = 253_402_300_799, longest = 315_576_000_000;

    [Theory]
    [InlineData(46_201)]
    public void Results_are_those_of_Google(int seed)
    {
        var random = new Random(seed);
        var (results, refusals) = (0, 0);
        using var time = Timestamp.Rent();
        using var secondTime = Timestamp.Rent();
        using var duration = Duration.Rent();
        using var second = Duration.Rent();
        for (var i = 0; i < 20_000; i++)
        {
            var place = $"seed {seed}, {i}";
            var (moment, other) = (Moment(random), Moment(random));
            var (length, more) = (Length(random), Length(random));
            var span = new TimeSpan(random.NextInt64(long.MinValue, long.MaxValue) >> random.Next(64));
            Fill();
            CheckTime(moment + length, () => time.Value.Add(duration.Value), $"{moment} + {length}");
            CheckTime(moment - length, () => time.Value.Subtract(duration.Value), $"{moment} - {length}");
            CheckTime(moment + Google_.Duration.FromTimeSpan(span), () => time.Value.Add(span), $"{moment} + {span}");
            CheckTime(moment - Google_.Duration.FromTimeSpan(span), () => time.Value.Subtract(span), $"{moment} - {span}");
            CheckLength(length + more, () => duration.Value.Add(second.Value), $"{length} + {more}");
            CheckLength(length - more, () => duration.Value.Subtract(second.Value), $"{length} - {more}");
            CheckLength(length + Google_.Duration.FromTimeSpan(span), () => duration.Value.Add(span), $"{length} + {span}");
            CheckLength(length - Google_.Duration.FromTimeSpan(span), () => duration.Value.Subtract(span), $"{length} - {span}");
            CheckLength(-length, () => duration.Value.Negate(), $"-{length}");
            CheckLength(length + length, () => duration.Value.Add(duration.Value), $"{length} doubled");
            CheckLength(new(), () => duration.Value.Subtract(duration.Value), "nothing");
            CheckLength(moment - other, () => duration.Value.SetDifference(time.Value, secondTime.Value), $"{moment} - {other}");
            Assert.Equal(moment.CompareTo(other), Math.Sign(time.Value.CompareTo(secondTime.Value)));
            Assert.Equal(moment < other, time.Value < secondTime.Value);
            Assert.Equal(moment > other, time.Value > secondTime.Value);
            Assert.Equal(moment <= other, time.Value <= secondTime.Value);
            Assert.Equal(moment >= other, time.Value >= secondTime.Value);
            var order = length.CompareTo(more);
            Assert.Equal(order, Math.Sign(duration.Value.CompareTo(second.Value)));
            Assert.Equal((order < 0, order > 0, order <= 0, order >= 0), (duration.Value < second.Value, duration.Value > second.Value,
                duration.Value <= second.Value, duration.Value >= second.Value));

            void Fill()
            {
                time.Parse(moment.ToByteArray());
                secondTime.Parse(other.ToByteArray());
                duration.Parse(length.ToByteArray());
                second.Parse(more.ToByteArray());
            }

            void CheckTime(Google_.Timestamp expected, Action calculate, string calculation) =>
                Check(expected, expected.Seconds is >= firstSecond and <= lastSecond, moment, time.ToByteArray, calculate, calculation);

            void CheckLength(Google_.Duration expected, Action calculate, string calculation) =>
                Check(expected, expected.Seconds is >= -longest and <= longest, length, duration.ToByteArray, calculate, calculation);

            void Check(IMessage expected, bool isInRange, IMessage before, Func<byte[]> written, Action calculate, string calculation)
            {
                try
                {
                    calculate();
                    Assert.True(isInRange, $"{place}: {calculation}");
                    results++;
                }
                catch (InvalidOperationException)
                {
                    Assert.False(isInRange, $"{place}: {calculation}");
                    expected = before;
                    refusals++;
                }

                Assert.True(expected.ToByteArray().AsSpan().SequenceEqual(written()), $"{place}: {calculation}");
                Fill();
            }
        }

        Assert.True(results > 100_000 && refusals > 10_000, $"{results} results, {refusals} refusals");
    }

    [Theory]
    [InlineData(firstSecond - 1, 0)]
    [InlineData(lastSecond + 1, 0)]
    [InlineData(long.MaxValue, 0)]
    [InlineData(0, -1)]
    [InlineData(0, 1_000_000_000)]
    [InlineData(0, int.MaxValue)]
    public void A_time_that_is_none_is_refused(long seconds, int nanos)
    {
        using var time = Timestamp.Rent();
        using var good = Timestamp.Rent();
        using var duration = Duration.Rent();
        time.Value.SetSeconds(seconds);
        time.Value.SetNanos(nanos);
        duration.Value.SetSeconds(1);
        Action[] calls = [() => time.Value.Add(duration.Value), () => time.Value.Subtract(duration.Value),
            () => time.Value.Add(TimeSpan.Zero), () => time.Value.Subtract(TimeSpan.Zero),
            () => duration.Value.SetDifference(time.Value, good.Value), () => duration.Value.SetDifference(good.Value, time.Value)];
        foreach (var call in calls) Assert.Throws<InvalidOperationException>(call);
        Assert.Equal((seconds, nanos, 1L), (time.Value.Seconds, time.Value.Nanos, duration.Value.Seconds));
    }

    [Theory]
    [InlineData(-longest - 1, 0)]
    [InlineData(longest + 1, 0)]
    [InlineData(long.MinValue, 0)]
    [InlineData(0, -1_000_000_000)]
    [InlineData(0, 1_000_000_000)]
    [InlineData(0, int.MinValue)]
    [InlineData(1, -1)]
    [InlineData(-1, 1)]
    public void A_duration_that_is_none_is_refused(long seconds, int nanos)
    {
        using var time = Timestamp.Rent();
        using var good = Duration.Rent();
        using var duration = Duration.Rent();
        duration.Value.SetSeconds(seconds);
        duration.Value.SetNanos(nanos);
        Action[] calls = [() => time.Value.Add(duration.Value), () => time.Value.Subtract(duration.Value),
            () => duration.Value.Add(good.Value), () => good.Value.Add(duration.Value),
            () => duration.Value.Subtract(good.Value), () => good.Value.Subtract(duration.Value),
            () => duration.Value.Add(TimeSpan.Zero), () => duration.Value.Subtract(TimeSpan.Zero), () => duration.Value.Negate()];
        foreach (var call in calls) Assert.Throws<InvalidOperationException>(call);
        Assert.Equal((seconds, nanos, 0, 0), (duration.Value.Seconds, duration.Value.Nanos, time.CalculateSize(), good.CalculateSize()));
    }

    [Fact]
    public void Borders_are_reached_and_not_crossed()
    {
        using var time = Timestamp.Rent();
        time.Value.SetSeconds(lastSecond);
        time.Value.SetNanos(999_999_900);
        Assert.Throws<InvalidOperationException>(() => time.Value.Add(new TimeSpan(1)));
        time.Value.Subtract(new TimeSpan(DateTime.MaxValue.Ticks));
        Assert.Equal((firstSecond, 0), (time.Value.Seconds, time.Value.Nanos));
        Assert.Throws<InvalidOperationException>(() => time.Value.Subtract(new TimeSpan(1)));
        Assert.Throws<InvalidOperationException>(() => time.Value.Subtract(TimeSpan.MinValue));
        Assert.Throws<InvalidOperationException>(() => time.Value.Add(TimeSpan.MaxValue));
        using var duration = Duration.Rent();
        duration.Value.SetSeconds(longest);
        Assert.Throws<InvalidOperationException>(() => duration.Value.Add(TimeSpan.FromSeconds(1)));
        duration.Value.Negate();
        Assert.Equal(-longest, duration.Value.Seconds);
        Assert.Throws<InvalidOperationException>(() => duration.Value.Subtract(TimeSpan.FromSeconds(1)));
        Assert.Throws<InvalidOperationException>(() => duration.Value.Add(duration.Value));
    }

    [Fact]
    public void Messages_that_were_released_are_refused_and_nothing_is_allocated()
    {
        using var time = Timestamp.Rent();
        using var duration = Duration.Rent();
        duration.Value.SetNanos(-600_000_000);
        Calculate();
        Assert.Equal(0, AllocatedBytes.Of(Calculate));
        var (released, ended) = (time.Value, duration.Value);
        time.Clear();
        duration.Clear();
        Action[] calls = [() => released.Add(TimeSpan.Zero), () => released.CompareTo(time.Value), () => time.Value.Add(ended),
            () => ended.Negate(), () => ended.Add(TimeSpan.Zero), () => duration.Value.Add(ended),
            () => duration.Value.SetDifference(time.Value, released)];
        foreach (var call in calls) Assert.Throws<ObjectDisposedException>(call);

        void Calculate()
        {
            time.Value.Add(duration.Value);
            time.Value.Subtract(TimeSpan.FromTicks(1));
            duration.Value.Subtract(duration.Value);
            Assert.True(time.Value <= time.Value && time.Value.CompareTo(time.Value) == 0);
        }
    }

    static Google_.Timestamp Moment(Random random) => new()
    {
        Seconds = random.Next(6) switch
        {
            0 => firstSecond + random.Next(3),
            1 => lastSecond - random.Next(3),
            2 => random.Next(-2, 3),
            _ => random.NextInt64(firstSecond, lastSecond + 1),
        },
        Nanos = Nanos(random),
    };

    static int Nanos(Random random) =>
        random.Next(4) switch { 0 => 0, 1 => random.Next(3), 2 => 999_999_999 - random.Next(3), _ => random.Next(1_000_000_000) };

    static Google_.Duration Length(Random random)
    {
        var sign = random.Next(2) == 0 ? 1 : -1;
        var seconds = random.Next(4) switch
        {
            0 => random.Next(3),
            1 => longest - random.Next(3),
            _ => random.NextInt64(longest >> random.Next(38)),
        };
        return new() { Seconds = sign * seconds, Nanos = sign * Nanos(random) };
    }
}
