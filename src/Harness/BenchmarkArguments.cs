using BenchmarkDotNet.Configs;
using BenchmarkDotNet.ConsoleArguments;
using BenchmarkDotNet.ConsoleArguments.ListBenchmarks;
using BenchmarkDotNet.Loggers;

namespace ProtoBench.Harness;

/// <summary>Parses a command line like BenchmarkDotNet before it runs.</summary>
static class BenchmarkArguments
{
    /// <summary>Parses the arguments. For a wrong argument, BenchmarkDotNet would print its whole help text.</summary>
    /// <param name="help">The option that prints the list of options.</param>
    /// <returns>The options, and the configuration with them; null if the arguments request information instead of a run.</returns>
    /// <exception cref="InvalidDataException">Thrown when an argument is wrong.</exception>
    public static (IConfig Config, CommandLineOptions Options)? Parse(string[] args, IConfig config, string help)
    {
        var said = new AccumulationLogger();
        var (success, parsed, options) = ConfigParser.Parse(args, said, config);
        if (success && options is not null)
            return options.PrintInformation || options.ListBenchmarkCaseMode != ListBenchmarkCaseMode.Disabled ? null : (parsed!, options);
        if (args.Contains("--version") || args.Contains("--help"))
            return null;

        // The errors follow the line "ERROR(S):", one on each line, within the help text.
        var lines = said.GetLog().Split('\n', StringSplitOptions.TrimEntries);
        var error = lines.SkipWhile(line => !line.StartsWith("ERROR", StringComparison.Ordinal)).Skip(1)
            .FirstOrDefault(line => line.Length > 0) ?? lines.FirstOrDefault(line => line.Length > 0);
        throw new InvalidDataException($"{error} ({help} lists all options)");
    }
}

static class UnknownVerb
{
    /// <exception cref="UsageException">Thrown when a command line begins with neither a verb nor an option.</exception>
    public static void Refuse(string first, IEnumerable<string> verbs)
    {
        if (!first.StartsWith('-'))
            throw new UsageException(
                $"'{first}' is not a verb; there are: {string.Join(", ", verbs)}. Cells are chosen with --filter.");
    }
}

/// <summary>Creates the message for a pattern that matches no cell.</summary>
static class UnknownCell
{
    // a name with a smaller share of common trigrams is not similar to the pattern, unless it contains half of the pattern's, as it does
    // where a short pattern has one wrong letter
    const double fewest = 0.3;

    /// <summary>Returns a message with up to three cells whose names are similar to the pattern.</summary>
    public static string Message(string option, IReadOnlyCollection<string> patterns, IEnumerable<string> methods)
    {
        var asked = patterns.Select(pattern => Trigrams(pattern.Split('(')[0].Split('.')[^1].Replace("*", "", StringComparison.Ordinal)))
            .ToArray();
        string[] close =
        [
            .. methods.Distinct()
                .Select(name => (Name: name, Likeness: asked.Max(trigrams => Likeness(trigrams, Trigrams(name)))))
                .Where(cell => cell.Likeness >= fewest || asked.Any(trigrams => ContainsHalf(Trigrams(cell.Name), trigrams)))
                .OrderByDescending(cell => cell.Likeness).ThenBy(cell => cell.Name, StringComparer.Ordinal)
                .Select(cell => cell.Name).Take(3),
        ];
        return $"{option} {string.Join(' ', patterns)} matches no cell; "
            + (close.Length == 0 ? "" : $"similar names are {string.Join(", ", close)}; ") + "--list shows all of them";
    }

    static double Likeness(HashSet<string> asked, HashSet<string> name) =>
        asked.Count == 0 ? 0 : (double)asked.Count(name.Contains) / asked.Union(name).Count();

    static bool ContainsHalf(HashSet<string> name, HashSet<string> asked) =>
        asked.Count(name.Contains) is >= 2 and var common && common * 2 >= asked.Count;

    static HashSet<string> Trigrams(string text) =>
        [.. Enumerable.Range(0, Math.Max(0, text.Length - 2)).Select(start => text.Substring(start, 3).ToUpperInvariant())];
}
