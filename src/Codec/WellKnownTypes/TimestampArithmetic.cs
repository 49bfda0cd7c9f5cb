namespace ProtoBench.Codec.WellKnownTypes;

/// <summary>Provides the arithmetic of <see cref="Timestamp"/>, which is exact in nanoseconds.</summary>
public static class TimestampArithmetic
{
    const int second = 1_000_000_000;

    /// <summary>Adds a duration to the timestamp.</summary>
    /// <param name="timestamp">The timestamp. It is unchanged if this method throws.</param>
    /// <param name="duration">The duration, which may be negative.</param>
    /// <exception cref="InvalidOperationException">The timestamp or the result is not in the years 1 to 9999, or the duration is longer than
    /// 10,000 years, or the nanoseconds of one of them are none. Or the timestamp was not set in the field that the view was taken
    /// from.</exception>
    /// <exception cref="ObjectDisposedException">A message was released, cleared or parsed again.</exception>
    public static void Add(this Timestamp timestamp, Duration duration)
    {
        var (seconds, nanos) = (duration.Seconds, duration.Nanos);
        DurationConversions.Check(seconds, nanos);
        Move(timestamp, seconds, nanos);
    }

    /// <summary>Adds a time span to the timestamp.</summary>
    /// <param name="timestamp">The timestamp. It is unchanged if this method throws.</param>
    /// <param name="span">The time span, which may be negative.</param>
    /// <exception cref="InvalidOperationException">The timestamp or the result is not in the years 1 to 9999, or the nanoseconds of the
    /// timestamp are none. Or the timestamp was not set in the field that the view was taken from.</exception>
    /// <exception cref="ObjectDisposedException">A message was released, cleared or parsed again.</exception>
    public static void Add(this Timestamp timestamp, TimeSpan span)
    {
        var (seconds, nanos) = DurationConversions.Split(span);
        Move(timestamp, seconds, nanos);
    }

    /// <summary>Subtracts a duration from the timestamp.</summary>
    /// <inheritdoc cref="Add(Timestamp, Duration)"/>
    public static void Subtract(this Timestamp timestamp, Duration duration)
    {
        var (seconds, nanos) = (duration.Seconds, duration.Nanos);
        DurationConversions.Check(seconds, nanos);
        Move(timestamp, -seconds, -nanos);
    }

    /// <summary>Subtracts a time span from the timestamp.</summary>
    /// <inheritdoc cref="Add(Timestamp, TimeSpan)"/>
    public static void Subtract(this Timestamp timestamp, TimeSpan span)
    {
        var (seconds, nanos) = DurationConversions.Split(span);
        Move(timestamp, -seconds, -nanos);
    }

    /// <summary>Determines whether a timestamp is before another one (less than 0), the same (0), or after it (more than 0). Seconds are
    /// compared first, also those of timestamps that are not valid.</summary>
    /// <exception cref="ObjectDisposedException">A message was released, cleared or parsed again.</exception>
    public static int CompareTo(this Timestamp timestamp, Timestamp other)
    {
        var order = timestamp.Seconds.CompareTo(other.Seconds);
        return order != 0 ? order : timestamp.Nanos.CompareTo(other.Nanos);
    }

#pragma warning disable CA1034, CA2225 // the analyzers take the block for a type, and do not find the method beside it
    extension(Timestamp)
    {
        /// <summary>Determines whether a timestamp is before another one.</summary>
        /// <inheritdoc cref="CompareTo" path="/exception"/>
        public static bool operator <(Timestamp left, Timestamp right) => left.CompareTo(right) < 0;

        /// <summary>Determines whether a timestamp is after another one.</summary>
        /// <inheritdoc cref="CompareTo" path="/exception"/>
        public static bool operator >(Timestamp left, Timestamp right) => left.CompareTo(right) > 0;

        /// <summary>Determines whether a timestamp is before another one, or the same.</summary>
        /// <inheritdoc cref="CompareTo" path="/exception"/>
        public static bool operator <=(Timestamp left, Timestamp right) => left.CompareTo(right) <= 0;

        /// <summary>Determines whether a timestamp is after another one, or the same.</summary>
        /// <inheritdoc cref="CompareTo" path="/exception"/>
        public static bool operator >=(Timestamp left, Timestamp right) => left.CompareTo(right) >= 0;
    }
#pragma warning restore CA1034, CA2225

    static void Move(Timestamp timestamp, long seconds, int nanos)
    {
        TimestampConversions.Check(timestamp.Seconds, timestamp.Nanos);
        seconds += timestamp.Seconds;
        nanos += timestamp.Nanos;
        if (nanos < 0) (seconds, nanos) = (seconds - 1, nanos + second);
        else if (nanos >= second) (seconds, nanos) = (seconds + 1, nanos - second);
        TimestampConversions.Check(seconds, nanos);
        timestamp.SetSeconds(seconds);
        timestamp.SetNanos(nanos);
    }
}
