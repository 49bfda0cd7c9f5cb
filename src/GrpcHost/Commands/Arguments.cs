using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;

namespace ProtoBench.GrpcHost.Commands;

/// <summary>Creates options and parses their values, such as 500ms, 30s and 2m.</summary>
static class Arguments
{
    /// <summary>Creates an option with one value.</summary>
    /// <param name="names">The name and its aliases, with spaces between.</param>
    /// <param name="description">The description in the help.</param>
    /// <param name="parser">Parses the value; null for the parser of the library.</param>
    /// <param name="byDefault">The value if the option is not given. The help does not show the default value of the type.</param>
    public static Option<T> Option<T>(string names, string description, Func<ArgumentResult, T>? parser = null, T? byDefault = default)
    {
        var all = names.Split(' ');
        var option = new Option<T>(all[0], all[1..]) { Description = description, CustomParser = parser };
        if (!EqualityComparer<T>.Default.Equals(byDefault, default))
            option.DefaultValueFactory = _ => byDefault!;
        return option;
    }

    /// <summary>Creates an option that takes any number of values.</summary>
    public static Option<string[]> Many(string names, string description)
    {
        var option = Option<string[]>(names, description);
        option.AllowMultipleArgumentsPerToken = true;
        return option;
    }

    /// <summary>Parses a time with its unit. The parser of the framework would read a number without unit as days.</summary>
    public static TimeSpan Duration(ArgumentResult result)
    {
        var text = result.Tokens.Single().Value;
        if (TryDuration(text) is { } duration)
            return duration;
        result.AddError($"'{text}' is not a duration for {Name(result)}: 500ms, 30s, 2m");
        return default;
    }

    /// <summary>Parses a time with its unit; null if the text is not a time.</summary>
    public static TimeSpan? TryDuration(string text)
    {
        (string Unit, double Seconds)[] units = [("ms", 1e-3), ("us", 1e-6), ("s", 1), ("m", 60), ("h", 3600)];
        foreach (var (unit, seconds) in units)
        {
            if (text.EndsWith(unit, StringComparison.Ordinal)
                && double.TryParse(text.AsSpan(0, text.Length - unit.Length), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture,
                    out var number)
                && number * seconds < 1e6)
                return TimeSpan.FromSeconds(number * seconds);
        }

        return null;
    }

    /// <summary>Parses a time with its unit, or none as <see cref="Timeout.InfiniteTimeSpan"/>, because parsers of the library must not
    /// return null.</summary>
    public static TimeSpan DurationOrNone(ArgumentResult result) =>
        result.Tokens.Single().Value == "none" ? Timeout.InfiniteTimeSpan : Duration(result);

    /// <summary>Parses a number above 0.</summary>
    public static double? Positive(ArgumentResult result)
    {
        var text = result.Tokens.Single().Value;
        if (double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var number) && number > 0
            && double.IsFinite(number))
            return number;
        result.AddError($"'{text}' is not a number above 0 for {Name(result)}");
        return null;
    }

    /// <summary>Parses an integer of at least 1.</summary>
    public static int AtLeast1(ArgumentResult result) => (int)Whole(result, 1, int.MaxValue);

    /// <inheritdoc cref="AtLeast1"/>
    public static long? AtLeast1Long(ArgumentResult result) => Whole(result, 1, long.MaxValue);

    /// <summary>Parses an integer of at least 0.</summary>
    public static int AtLeast0(ArgumentResult result) => (int)Whole(result, 0, int.MaxValue);

    /// <summary>Parses a number of bytes, at most 2 GiB: 4194304, 4096KB or 4MB, in units of 1,024.</summary>
    public static int Size(ArgumentResult result)
    {
        var text = result.Tokens.Single().Value;
        (string Unit, long Bytes)[] units = [("KB", 1 << 10), ("MB", 1 << 20), ("GB", 1 << 30), ("", 1)];
        var (unit, bytes) = units.First(one => text.EndsWith(one.Unit, StringComparison.OrdinalIgnoreCase));
        if (long.TryParse(text.AsSpan(0, text.Length - unit.Length), NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            && number > 0 && number <= int.MaxValue / bytes)
            return (int)(number * bytes);
        result.AddError($"'{text}' is not a number of bytes below 2 GB for {Name(result)}: 4194304, 64KB, 16MB");
        return default;
    }

    /// <summary>Parses a TCP port. 0 selects a free port.</summary>
    public static int Port(ArgumentResult result) => (int)Whole(result, 0, 65_535);

    /// <summary>Parses numbers from 0 to 100, separated by commas.</summary>
    public static double[] Percentiles(ArgumentResult result)
    {
        var text = result.Tokens.Single().Value;
        var numbers =
            text.Split(',')
                .Select(part => double.TryParse(part, NumberStyles.Float, CultureInfo.InvariantCulture, out var number)
                ? number : double.NaN).ToArray();
        if (!numbers.All(number => number is >= 0 and <= 100))
            result.AddError($"'{text}' is not a list of percentiles from 0 to 100: 50,90,99.9");
        return numbers;
    }

    /// <summary>Parses integers from 1 to <paramref name="most"/>, separated by commas.</summary>
    public static int[] Numbers(ArgumentResult result, int most)
    {
        var text = result.Tokens.Single().Value;
        var numbers =
            text.Split(',').Select(part => int.TryParse(part, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : 0)
                .Distinct().ToArray();
        if (!numbers.All(number => number >= 1 && number <= most))
            result.AddError(
                $"'{text}' is not a list of whole numbers from 1{(most == int.MaxValue ? "" : $" to {most}")} for {Name(result)}");
        return numbers;
    }

    /// <summary>Parses milliseconds from 0 to a minute, separated by commas.</summary>
    public static double[] Milliseconds(ArgumentResult result)
    {
        var text = result.Tokens.Single().Value;
        var numbers = text.Split(',')
            .Select(part => double.TryParse(part, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number)
                ? number : double.NaN).Distinct().ToArray();
        if (!numbers.All(number => number is >= 0 and <= 60_000))
            result.AddError($"'{text}' is not a list of milliseconds up to 60000 for {Name(result)}: 0,1,10");
        return numbers;
    }

    /// <summary>Parses names of a list, separated by commas.</summary>
    public static Func<ArgumentResult, string[]> Names(IReadOnlyList<string> choice) => result =>
    {
        var names = result.Tokens.Single().Value.Split(',');
        foreach (var name in names.Where(name => !choice.Contains(name)))
            result.AddError($"'{name}' is no value of {Name(result)} in this build: {string.Join(", ", choice)}");
        return names;
    };

    static long Whole(ArgumentResult result, long least, long most)
    {
        var text = result.Tokens.Single().Value;
        if (long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number >= least && number <= most)
            return number;
        result.AddError($"'{text}' is not a whole number from {least} on for {Name(result)}");
        return least;
    }

    static string Name(ArgumentResult result) => (result.Parent as OptionResult)?.Option.Name ?? "this option";
}
