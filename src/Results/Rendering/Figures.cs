using System.Globalization;

namespace ProtoBench.Results;

/// <summary>Figures as people read them: four digits, and the unit that fits.</summary>
static class Figures
{
    static readonly (double Nanoseconds, string Name)[] times = [(1, "ns"), (1e3, "us"), (1e6, "ms"), (1e9, "s")];

    public static string Of(Unit unit, double value) => unit.Scale switch
    {
        Scale.Nanoseconds => Time(value),
        Scale.Microseconds => Time(value * 1e3),
        _ => Digits(value),
    };

    public static string Nanoseconds(double value) => Time(value);

    /// <summary>A factor as a relative change: 1.05 is "+5.00%", and what is not exactly 1 never looks as if it were.</summary>
    public static string Percent(double factor)
    {
        var percent = (factor - 1) * 100;
        if (!double.IsFinite(percent))
            return "?";
        return (percent < 0 ? "-" : percent > 0 ? "+" : "")
            + Math.Abs(percent).ToString(Math.Abs(percent) < 1000 ? "F2" : "N0", CultureInfo.InvariantCulture) + "%";
    }

    public static string Share(double share) => (share * 100).ToString(share < 0.1 ? "0.##" : "0", CultureInfo.InvariantCulture) + "%";

    public static string P(double p) => p < 0.001 ? "<0.001" : "=" + p.ToString("F3", CultureInfo.InvariantCulture);

    static string Time(double nanoseconds)
    {
        // 999.96 ns is printed as 1.000 us, so the choice of the unit rounds as the print does.
        var (size, name) = times.LastOrDefault(time => Math.Abs(nanoseconds) * 1.00005 >= time.Nanoseconds, times[0]);
        return $"{Digits(nanoseconds / size)} {name}";
    }

    static string Digits(double value) => value.ToString(
        Math.Abs(value) switch
        {
            >= 999.95 => "N0",
            _ when value == Math.Truncate(value) && Math.Abs(value) < 1000 && value != 0 => "0.###",
            >= 99.995 => "F1",
            >= 9.9995 => "F2",
            >= 0.9995 => "F3",
            0 => "0",
            _ => "G4",
        },
        CultureInfo.InvariantCulture);
}

/// <summary>The measured packages, as the line above a saved table has them.</summary>
public static class PackageList
{
    /// <summary>Name and version of each package, by name: "Google.Protobuf 3.25.1, protobuf-net 3.4.40".</summary>
    public static string Of(IReadOnlyDictionary<string, string> versions) => string.Join(", ",
        versions.OrderBy(version => version.Key, StringComparer.OrdinalIgnoreCase).Select(version => $"{version.Key} {version.Value}"));
}
