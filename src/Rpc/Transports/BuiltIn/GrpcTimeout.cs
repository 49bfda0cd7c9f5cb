using System.Globalization;

namespace ProtoBench.Rpc.Transports.BuiltIn;

/// <summary>The value of the <c>grpc-timeout</c> header: at most eight digits and a unit.</summary>
static class GrpcTimeout
{
    const long most = 99_999_999;

    /// <summary>The header for a time, in the finest unit that fits; never rounded down to nothing.</summary>
    public static string Format(TimeSpan timeout)
    {
        var ticks = Math.Max(1, timeout.Ticks);
        (long Ticks, char Name)[] units =
            [(10, 'u'), (TimeSpan.TicksPerMillisecond, 'm'), (TimeSpan.TicksPerSecond, 'S'), (TimeSpan.TicksPerMinute, 'M'),
                (TimeSpan.TicksPerHour, 'H')];
        if (ticks * 100 <= most)
            return (ticks * 100).ToString(CultureInfo.InvariantCulture) + 'n';
        foreach (var (size, name) in units)
        {
            var value = ticks / size + (ticks % size == 0 ? 0 : 1);
            if (value <= most)
                return value.ToString(CultureInfo.InvariantCulture) + name;
        }

        return "99999999H";
    }

    /// <summary>Reads a header; false for anything that is not one. A time
    /// beyond 24 days counts as 24 days, the most that a timer takes.</summary>
    public static bool TryParse(string text, out TimeSpan timeout)
    {
        timeout = default;
        if (text.Length is < 2 or > 9 || text.AsSpan(0, text.Length - 1).ContainsAnyExceptInRange('0', '9'))
            return false;
        var value = long.Parse(text.AsSpan(0, text.Length - 1), NumberStyles.None, CultureInfo.InvariantCulture);
        var ticks = text[^1] switch
        {
            'H' => value * TimeSpan.TicksPerHour,
            'M' => value * TimeSpan.TicksPerMinute,
            'S' => value * TimeSpan.TicksPerSecond,
            'm' => value * TimeSpan.TicksPerMillisecond,
            'u' => value * 10,
            'n' => (value + 99) / 100,
            _ => -1,
        };
        timeout = new(Math.Min(ticks, TimeSpan.FromDays(24).Ticks));
        return ticks >= 0;
    }
}
