namespace ProtoBench.Codec.WellKnownTypes;

/// <summary>Provides conversions between <see cref="Timestamp"/> and the types of the framework.</summary>
public static class TimestampConversions
{
    const long ticksPerSecond = TimeSpan.TicksPerSecond;
    const int nanosecondsPerTick = 100;
    const int maxNanoseconds = 999_999_999;

    /// <summary>Gets the time of the timestamp, in UTC. Nanoseconds below 100 are dropped.</summary>
    /// <exception cref="InvalidOperationException">The seconds are not in the years 1 to 9999, or the nanoseconds are negative, or a second
    /// or more.</exception>
    /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed again.</exception>
    public static DateTime ToDateTime(this Timestamp timestamp) => ToDateTime(timestamp.Seconds, timestamp.Nanos);

    /// <inheritdoc cref="ToDateTime(Timestamp)"/>
    public static DateTimeOffset ToDateTimeOffset(this Timestamp timestamp) => new(timestamp.ToDateTime(), TimeSpan.Zero);

    /// <summary>Sets the timestamp. The conversion is exact: a tick is 100 nanoseconds.</summary>
    /// <exception cref="ArgumentException"><paramref name="value"/> is not in UTC.</exception>
    /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed again.</exception>
    public static void Set(this Timestamp timestamp, DateTime value)
    {
        if (value.Kind != DateTimeKind.Utc) throw new ArgumentException("A timestamp is in UTC.", nameof(value));
        var (seconds, ticks) = Math.DivRem(value.Ticks, ticksPerSecond);
        timestamp.SetSeconds(seconds - (DateTime.UnixEpoch.Ticks / ticksPerSecond));
        timestamp.SetNanos((int)ticks * nanosecondsPerTick);
    }

    /// <summary>Sets the timestamp. The offset of the value is not stored.</summary>
    /// <exception cref="ObjectDisposedException">The message was released, cleared or parsed again.</exception>
    public static void Set(this Timestamp timestamp, DateTimeOffset value) => timestamp.Set(value.UtcDateTime);

    internal static DateTime ToDateTime(long seconds, int nanos)
    {
        Check(seconds, nanos);
        return DateTime.UnixEpoch.AddTicks((seconds * ticksPerSecond) + (nanos / nanosecondsPerTick));
    }

    internal static void Check(long seconds, int nanos)
    {
        var first = -DateTime.UnixEpoch.Ticks / ticksPerSecond;
        var last = (DateTime.MaxValue.Ticks - DateTime.UnixEpoch.Ticks) / ticksPerSecond;
        if (seconds < first || seconds > last || nanos is < 0 or > maxNanoseconds)
            throw new InvalidOperationException($"{seconds} s and {nanos} ns are no timestamp.");
    }
}
