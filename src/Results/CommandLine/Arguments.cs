using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;

namespace ProtoBench;

/// <summary>System.CommandLine itself uses the culture of the user for numbers, in which "0.5" may be 5.</summary>
public static class Arguments
{
    /// <param name="names">The name and its aliases, with spaces between.</param>
    /// <param name="byDefault">The value if the option is not given. The help does not show the default value of the type.</param>
    public static Option<T> Option<T>(string names, string description, Func<ArgumentResult, T>? parser = null, T? byDefault = default)
    {
        var all = names.Split(' ');
        var option = new Option<T>(all[0], all[1..]) { Description = description, CustomParser = parser };
        if (!EqualityComparer<T>.Default.Equals(byDefault, default))
            option.DefaultValueFactory = _ => byDefault!;
        return option;
    }

    /// <summary>Quotes an argument for a shell, which would otherwise replace '*' by the names of files.</summary>
    public static string Quoted(string argument) =>
        argument.Length > 0 && argument.All(c => char.IsLetterOrDigit(c) || "-_=./,:@%+".Contains(c, StringComparison.Ordinal))
        ? argument : $"'{argument.Replace("'", @"'\''", StringComparison.Ordinal)}'";

    /// <summary>The arguments of this program, as they are typed.</summary>
    public static string ThisCommandLine => string.Join(' ', Environment.GetCommandLineArgs().Skip(1).Select(Quoted));

    public static Option<string[]> Many(string names, string description, bool required = false)
    {
        var option = Option<string[]>(names, description);
        option.AllowMultipleArgumentsPerToken = true;
        option.Required = required;
        option.Validators.Add(result => RefuseOptions(result, result.Tokens));
        return option;
    }

    public static Argument<string[]> Files(string name, string description)
    {
        var files = new Argument<string[]>(name) { Arity = ArgumentArity.OneOrMore, Description = description };
        files.Validators.Add(result => RefuseOptions(result, result.Tokens));
        return files;
    }

    // a list would take a misspelled option, or one of another program, for a value
    static void RefuseOptions(SymbolResult result, IEnumerable<Token> values)
    {
        foreach (var option in values.Select(token => token.Value).Where(text => text.Length > 1 && text[0] == '-'))
        {
            var meant = SimilarNames.Meant(option, NamesOf(result));
            result.AddError($"'{option}' is not an option here{(meant is null ? "" : ", " + meant)}");
        }
    }

    /// <summary>The commands and options that can stand here, by name.</summary>
    internal static IEnumerable<string> NamesOf(SymbolResult? result)
    {
        while (result is not (null or CommandResult))
            result = result.Parent;
        for (var command = (CommandResult?)result; command is not null; command = command.Parent as CommandResult)
        {
            foreach (var option in command.Command.Options.Where(option => !option.Hidden && (command == result || option.Recursive)))
                yield return option.Name;
            foreach (var inner in command == result ? command.Command.Subcommands : [])
                yield return inner.Name;
        }
    }

    /// <summary>Divides a command line into these options with their values, and the arguments for another parser.</summary>
    public static (List<string> Own, List<string> Others) Divide(string[] args, IList<Option> options)
    {
        var (own, rest) = (new List<string>(), new List<string>());
        for (var i = 0; i < args.Length; i++)
        {
            // --option=value is the same as --option value
            var name = args[i].Split('=')[0];
            var option = options.FirstOrDefault(option => option.Name == name || option.Aliases.Contains(name));
            (option is null ? rest : own).Add(args[i]);
            var values = option is null ? 0 : option.Arity.MaximumNumberOfValues - (name == args[i] ? 0 : 1);
            for (; values > 0 && i + 1 < args.Length && !args[i + 1].StartsWith('-'); values--)
                own.Add(args[++i]);
        }

        return (own, rest);
    }

    /// <param name="wanted">What the text has to be, such as "a number above 0".</param>
    /// <param name="read">Returns the value; null for another text.</param>
    public static T Read<T>(ArgumentResult result, string wanted, string examples, Func<string, T?> read)
        where T : struct
    {
        var text = result.Tokens[^1].Value;
        return read(text) is { } value ? value : Refuse<T>(result, text, wanted, examples);
    }

    /// <summary>Parses a time with its unit. The parser of the framework would read a number without unit as days.</summary>
    public static TimeSpan Duration(ArgumentResult result) => Read(result, "a duration", "500ms, 30s, 2m", TryDuration);

    /// <summary>Also parses several, as Go writes them: 1m30s.</summary>
    public static TimeSpan? TryDuration(string text)
    {
        (string Unit, double Seconds)[] units = [("ms", 1e-3), ("us", 1e-6), ("s", 1), ("m", 60), ("h", 3600)];
        var time = 0.0;
        do
        {
            var digits = text.TakeWhile(c => char.IsAsciiDigit(c) || c == '.').Count();
            var (unit, seconds) = units.FirstOrDefault(one => text[digits..].StartsWith(one.Unit, StringComparison.Ordinal));
            if (unit is null || Number(text[..digits]) is not { } number)
                return null;
            time += number * seconds;
            text = text[(digits + unit.Length)..];
        }
        while (text.Length > 0);
        return time < 1e6 ? TimeSpan.FromSeconds(time) : null;
    }

    // None is Timeout.InfiniteTimeSpan, because parsers of the library must not return null.
    public static TimeSpan DurationOrNone(ArgumentResult result) =>
        result.Tokens.Single().Value == "none" ? Timeout.InfiniteTimeSpan : Duration(result);

    public static TimeSpan DurationOrZero(ArgumentResult result) =>
        result.Tokens[^1].Value is "0" or "none" ? TimeSpan.Zero : Duration(result);

    public static double? Seconds(ArgumentResult result) =>
        Read<double>(result, "a duration above 0", "0.5s, 500ms", text => TryDuration(text)?.TotalSeconds is > 0 and var time ? time : null);

    public static double Percent(ArgumentResult result) => Read(result, "a percentage", "5%", TryPercent);

    /// <summary>Parses a percentage above 0 as a share.</summary>
    public static double PositivePercent(ArgumentResult result) =>
        Read<double>(result, "a percentage above 0", "5%", text => TryPercent(text) is > 0 and var share ? share : null);

    public static double? Number(string text) =>
        double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number) && double.IsFinite(number)
            ? number : null;

    public static int AtLeast1(ArgumentResult result) => (int)Whole(result, 1, int.MaxValue, "from 1 on");

    public static long? AtLeast1Long(ArgumentResult result) => Whole(result, 1, long.MaxValue, "from 1 on");

    public static int AtLeast0(ArgumentResult result) => (int)Whole(result, 0, int.MaxValue, "from 0 on");

    public static Func<ArgumentResult, int> Between(int least, int most) =>
        result => (int)Whole(result, least, most, $"from {least} to {most}");

    /// <summary>Parses a TCP port. 0 selects a free port.</summary>
    public static int Port(ArgumentResult result) => (int)Whole(result, 0, 65_535, "from 0 on");

    /// <summary>Parses a number of bytes, at most 2 GiB: 4194304, 4096KB or 4MB, in units of 1,024.</summary>
    public static int Size(ArgumentResult result) => Read<int>(result, "a number of bytes below 2 GB", "4194304, 64KB, 16MB", text =>
    {
        (string Unit, long Bytes)[] units = [("KB", 1 << 10), ("MB", 1 << 20), ("GB", 1 << 30), ("", 1)];
        var (unit, bytes) = units.First(one => text.EndsWith(one.Unit, StringComparison.OrdinalIgnoreCase));
        return TryWhole(text[..^unit.Length]) is > 0 and var number && number <= int.MaxValue / bytes ? (int)(number * bytes) : null;
    });

    public static double[] Percentiles(ArgumentResult result) =>
        List<double>(result, "a list of percentiles from 0 to 100", "50,90,99.9", text => Number(text) is <= 100 and var number ? number : null);

    public static int[] Numbers(ArgumentResult result, int most) =>
        List<int>(result, $"a list of whole numbers from 1{(most == int.MaxValue ? "" : $" to {most}")}", "",
            text => TryWhole(text) is >= 1 and var number && number <= most ? (int)number : null);

    public static double[] Milliseconds(ArgumentResult result) =>
        List<double>(result, "a list of milliseconds up to 60000", "0,1,10", text => Number(text) is <= 60_000 and var number ? number : null);

    public static Func<ArgumentResult, string[]> Names(IReadOnlyList<string> choice) => result =>
    {
        var names = result.Tokens.Single().Value.Split(',');
        foreach (var name in names.Where(name => !choice.Contains(name)))
            result.AddError($"'{name}' is no value of {Name(result)} in this build: {string.Join(", ", choice)}");
        return names;
    };

    public static Func<ArgumentResult, T> OneOf<T>(params (string Name, T Value)[] known) => result =>
    {
        var text = result.Tokens is [var token] ? token.Value : "";
        var at = Array.FindIndex(known, one => string.Equals(one.Name, text, StringComparison.OrdinalIgnoreCase));
        if (at >= 0)
            return known[at].Value;
        result.AddError($"{Name(result)}: '{text}' is none of {string.Join(", ", known.Select(one => one.Name))}");
        return known[0].Value;
    };

    public static string Name(ArgumentResult result) => (result.Parent as OptionResult)?.Option.Name ?? "this option";

    static T[] List<T>(ArgumentResult result, string wanted, string examples, Func<string, T?> read)
        where T : struct
    {
        var text = result.Tokens.Single().Value;
        var values = text.Split(',').Select(read).ToArray();
        return Array.TrueForAll(values, value => value is not null)
            ? [.. values.Select(value => value!.Value).Distinct()] : Refuse<T[]>(result, text, wanted, examples) ?? [];
    }

    static long Whole(ArgumentResult result, long least, long most, string range) => Read<long>(result, $"a whole number {range}", "",
        text => TryWhole(text) is { } number && number >= least && number <= most ? number : null);

    /// <summary>Parses a number without a sign.</summary>
    public static long? TryWhole(string text) =>
        long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : null;

    static double? TryPercent(string text) => text.EndsWith('%') && Number(text[..^1]) is < 1e6 and var percent ? percent / 100 : null;

    static T? Refuse<T>(ArgumentResult result, string text, string wanted, string examples)
    {
        result.AddError($"'{text}' is not {wanted} for {Name(result)}{(examples.Length == 0 ? "" : ": " + examples)}");
        return default;
    }
}
