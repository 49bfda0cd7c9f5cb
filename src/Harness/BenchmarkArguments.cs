using System.Reflection;
using System.Text.RegularExpressions;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.ConsoleArguments;
using BenchmarkDotNet.ConsoleArguments.ListBenchmarks;
using BenchmarkDotNet.Loggers;
using CommandLine;

namespace ProtoBench.Harness;

/// <summary>Parses a command line like BenchmarkDotNet before it runs.</summary>
static class BenchmarkArguments
{
    /// <summary>Parses the arguments. For a wrong argument, BenchmarkDotNet would print its whole help text.</summary>
    /// <param name="help">The option that prints the list of options.</param>
    /// <param name="own">The options of this program, beside those of BenchmarkDotNet.</param>
    /// <returns>The options, and the configuration with them; null if the arguments request information instead of a run.</returns>
    /// <exception cref="InvalidDataException">Thrown when an argument is wrong.</exception>
    public static (IConfig Config, CommandLineOptions Options)? Parse(string[] args, IConfig config, string help,
        IEnumerable<string>? own = null)
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
        var meant = Regex.Match(error ?? "", "^Option '(?<name>.+)' is unknown") is { Success: true } unknown
            && SimilarNames.Meant(unknown.Groups["name"].Value, [.. own ?? [], .. Names]) is { } similar ? $" D{similar[1..]}" : "";
        throw new InvalidDataException($"{error}{meant} ({help} lists all options)");
    }

    static IEnumerable<string> Names => typeof(CommandLineOptions).GetProperties()
        .Select(property => property.GetCustomAttribute<OptionAttribute>()?.LongName).OfType<string>().Select(name => "--" + name);
}

static class UnknownVerb
{
    /// <exception cref="UsageException">Thrown when a command line begins with neither a verb nor an option.</exception>
    public static void Refuse(string first, IEnumerable<string> verbs)
    {
        if (first.StartsWith('-') && first != "--")
            return;
        var meant = SimilarNames.Meant(first, verbs) is { } similar ? $"D{similar[1..]} " : "";
        throw new UsageException(
            $"'{first}' is not a verb; there are: {string.Join(", ", verbs)}. {meant}Cells are chosen with --filter.");
    }
}

/// <summary>Creates the message for a pattern that matches no cell.</summary>
static class UnknownCell
{
    /// <summary>Returns a message with up to three cells whose names are similar to the pattern.</summary>
    public static string Message(string option, IReadOnlyCollection<string> patterns, IEnumerable<string> methods) =>
        $"{option} {string.Join(' ', patterns)} matches no cell; "
            + (SimilarNames.OfCells(patterns, methods) is { Length: > 0 } close ? $"similar names are {string.Join(", ", close)}; " : "")
            + "--list shows all of them";
}
