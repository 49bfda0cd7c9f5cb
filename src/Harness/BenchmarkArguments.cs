using BenchmarkDotNet.Configs;
using BenchmarkDotNet.ConsoleArguments;
using BenchmarkDotNet.ConsoleArguments.ListBenchmarks;
using BenchmarkDotNet.Loggers;

namespace ProtoBench.Harness;

/// <summary>Parses a command line like BenchmarkDotNet before it runs.</summary>
public static class BenchmarkArguments
{
    /// <summary>Parses the arguments. For a wrong argument, BenchmarkDotNet would print its whole help text.</summary>
    /// <param name="args">The arguments.</param>
    /// <param name="config">The configuration to which they are added.</param>
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
