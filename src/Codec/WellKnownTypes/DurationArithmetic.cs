namespace ProtoBench.Codec.WellKnownTypes;

/// <summary>Provides the arithmetic of <see cref="Duration"/>, which is exact in nanoseconds.</summary>
public static class DurationArithmetic
{
    const int second = 1_000_000_000;

    /// <summary>Sets the duration to the time from one timestamp to another one. It is negative if the first argument is the earlier
    /// one.</summary>
    /// <param name="duration">The duration. It is unchanged if this method throws.</param>
    /// <param name="later">The timestamp at the end.</param>
    /// <param name="earlier">The timestamp at the beginning.</param>
    /// <exception cref="InvalidOperationException">A timestamp is not in the years 1 to 9999, or its nanoseconds are negative, or a second
    /// or more. Or the duration was not set in the field that the view was taken from.</exception>
    /// <exception cref="ObjectDisposedException">A message was released, cleared or parsed again.</exception>
    public static void SetDifference(this Duration duration, Timestamp later, Timestamp earlier)
    {
        var (to, from) = ((later.Seconds, later.Nanos), (earlier.Seconds, earlier.Nanos));
        TimestampConversions.Check(to.Seconds, to.Nanos);
        TimestampConversions.Check(from.Seconds, from.Nanos);
        Store(duration, to.Seconds - from.Seconds, to.Nanos - from.Nanos);
    }

    /// <summary>Adds another duration, which may be the same one, to the duration.</summary>
    /// <param name="duration">The duration. It is unchanged if this method throws.</param>
    /// <param name="other">The other duration.</param>
    /// <exception cref="InvalidOperationException">One of the durations, or the result, is longer than 10,000 years, or its nanoseconds are a
    /// second or more, or its seconds and nanoseconds have different signs. Or the duration was not set in the field that the view was
    /// taken from.</exception>
    /// <exception cref="ObjectDisposedException">A message was released, cleared or parsed again.</exception>
    public static void Add(this Duration duration, Duration other)
    {
        var (seconds, nanos) = (other.Seconds, other.Nanos);
        DurationConversions.Check(seconds, nanos);
        Extend(duration, seconds, nanos);
    }

    /// <summary>Adds a time span to the duration.</summary>
    /// <param name="duration">The duration. It is unchanged if this method throws.</param>
    /// <param name="span">The time span.</param>
    /// <inheritdoc cref="Add(Duration, Duration)" path="/exception"/>
    public static void Add(this Duration duration, TimeSpan span)
    {
        var (seconds, nanos) = DurationConversions.Split(span);
        Extend(duration, seconds, nanos);
    }

    /// <summary>Subtracts another duration, which may be the same one, from the duration.</summary>
    /// <inheritdoc cref="Add(Duration, Duration)"/>
    public static void Subtract(this Duration duration, Duration other)
    {
        var (seconds, nanos) = (other.Seconds, other.Nanos);
        DurationConversions.Check(seconds, nanos);
        Extend(duration, -seconds, -nanos);
    }

    /// <summary>Subtracts a time span from the duration.</summary>
    /// <inheritdoc cref="Add(Duration, TimeSpan)"/>
    public static void Subtract(this Duration duration, TimeSpan span)
    {
        var (seconds, nanos) = DurationConversions.Split(span);
        Extend(duration, -seconds, -nanos);
    }

    /// <summary>Makes the duration negative, or positive if it is negative.</summary>
    /// <param name="duration">The duration. It is unchanged if this method throws.</param>
    /// <inheritdoc cref="Add(Duration, Duration)" path="/exception"/>
    public static void Negate(this Duration duration)
    {
        var (seconds, nanos) = (duration.Seconds, duration.Nanos);
        DurationConversions.Check(seconds, nanos);
        Store(duration, -seconds, -nanos);
    }

    /// <summary>Determines whether a duration is less than another one (less than 0), the same (0), or more (more than 0). A negative one
    /// is less than a positive one. Seconds are compared first, also those of durations that are not valid.</summary>
    /// <exception cref="ObjectDisposedException">A message was released, cleared or parsed again.</exception>
    public static int CompareTo(this Duration duration, Duration other)
    {
        var order = duration.Seconds.CompareTo(other.Seconds);
        return order != 0 ? order : duration.Nanos.CompareTo(other.Nanos);
    }

#pragma warning disable CA1034, CA2225 // the analyzers take the block for a type, and do not find the method beside it
    extension(Duration)
    {
        /// <summary>Determines whether a duration is less than another one.</summary>
        /// <inheritdoc cref="CompareTo" path="/exception"/>
        public static bool operator <(Duration left, Duration right) => left.CompareTo(right) < 0;

        /// <summary>Determines whether a duration is more than another one.</summary>
        /// <inheritdoc cref="CompareTo" path="/exception"/>
        public static bool operator >(Duration left, Duration right) => left.CompareTo(right) > 0;

        /// <summary>Determines whether a duration is less than another one, or the same.</summary>
        /// <inheritdoc cref="CompareTo" path="/exception"/>
        public static bool operator <=(Duration left, Duration right) => left.CompareTo(right) <= 0;

        /// <summary>Determines whether a duration is more than another one, or the same.</summary>
        /// <inheritdoc cref="CompareTo" path="/exception"/>
        public static bool operator >=(Duration left, Duration right) => left.CompareTo(right) >= 0;
    }
#pragma warning restore CA1034, CA2225

    static void Extend(Duration duration, long seconds, int nanos)
    {
        var (own, ownNanos) = (duration.Seconds, duration.Nanos);
        DurationConversions.Check(own, ownNanos);
        Store(duration, own + seconds, ownNanos + nanos);
    }

    /// <summary>Stores a sum, whose nanoseconds are less than two seconds.</summary>
    static void Store(Duration duration, long seconds, int nanos)
    {
        var carry = nanos / second;
        seconds += carry;
        nanos -= carry * second;
        if (seconds > 0 && nanos < 0) (seconds, nanos) = (seconds - 1, nanos + second);
        else if (seconds < 0 && nanos > 0) (seconds, nanos) = (seconds + 1, nanos - second);
        DurationConversions.Check(seconds, nanos);
        duration.SetSeconds(seconds);
        duration.SetNanos(nanos);
    }
}
