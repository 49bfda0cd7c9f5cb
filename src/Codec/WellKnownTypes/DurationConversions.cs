namespace ProtoBench.Codec.WellKnownTypes;

/// <summary>Provides conversions between <see cref="Duration"/> and the types of the framework.</summary>
public static class DurationConversions
{
    const int nanosecondsPerTick = 100;
    const int maxNanoseconds = 999_999_999;
    const long maxSeconds = 315_576_000_000;

    /// <summary>Converts the duration to a time span. Nanoseconds below 100 are dropped.</summary>
    /// <exception cref="InvalidOperationException">The duration is longer than the 10,000 years that protobuf allows, its nanoseconds are a
    /// second or more, or its seconds and nanoseconds have different signs.</exception>
    /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed again.</exception>
    public static TimeSpan ToTimeSpan(this Duration duration)
    {
        var (seconds, nanos) = (duration.Seconds, duration.Nanos);
        Check(seconds, nanos);
        return new((seconds * TimeSpan.TicksPerSecond) + (nanos / nanosecondsPerTick));
    }

    /// <summary>Sets the duration. The conversion is exact: a tick is 100 nanoseconds.</summary>
    /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed again.</exception>
    public static void Set(this Duration duration, TimeSpan value)
    {
        var (seconds, nanos) = Split(value);
        duration.SetSeconds(seconds);
        duration.SetNanos(nanos);
    }

    internal static (long Seconds, int Nanos) Split(TimeSpan value)
    {
        var (seconds, ticks) = Math.DivRem(value.Ticks, TimeSpan.TicksPerSecond);
        return (seconds, (int)ticks * nanosecondsPerTick);
    }

    internal static void Check(long seconds, int nanos)
    {
        if (seconds is < -maxSeconds or > maxSeconds || nanos is < -maxNanoseconds or > maxNanoseconds || (seconds < 0 && nanos > 0)
            || (seconds > 0 && nanos < 0))
            throw new InvalidOperationException($"{seconds} s and {nanos} ns are no duration.");
    }
}
