using System.Globalization;

namespace ProtoBench.Duet;

/// <summary>Figures of a duet as people read them.</summary>
static class DuetFigures
{
    static readonly (double Nanoseconds, string Name)[] times = [(1, "ns"), (1e3, "us"), (1e6, "ms"), (1e9, "s")];

    /// <summary>A ratio as a change: 1.05 is +5.00%; beyond a factor of 10 the factor itself.</summary>
    public static string Change(double ratio)
    {
        if (!double.IsFinite(ratio))
            return "?";
        return ratio is > 10
            ? ratio.ToString("F1", CultureInfo.InvariantCulture) + "x"
            : ((ratio - 1) * 100).ToString("+0.00;-0.00;0.00", CultureInfo.InvariantCulture) + "%";
    }

    public static string Interval(double? low, double? high) =>
        low is { } from && high is { } to && double.IsFinite(to) ? $"[{Change(from)}, {Change(to)}]" : "[?, ?]";

    public static string P(double? p) => p switch
    {
        null => "?",
        < 0.001 => "<0.001",
        { } value => "=" + value.ToString("F3", CultureInfo.InvariantCulture),
    };

    public static string Time(double nanoseconds)
    {
        var (size, name) = times.LastOrDefault(time => nanoseconds * 1.00005 >= time.Nanoseconds, times[0]);
        return (nanoseconds / size).ToString("G4", CultureInfo.InvariantCulture) + " " + name;
    }

    public static string Bytes(double bytes) => bytes.ToString("N0", CultureInfo.InvariantCulture);
}
