using BenchmarkDotNet.Configs;
using BenchmarkDotNet.ConsoleArguments;
using BenchmarkDotNet.ConsoleArguments.ListBenchmarks;
using BenchmarkDotNet.Loggers;

namespace ProtoBench.Harness;

/// <summary>Reads a command line as BenchmarkDotNet does, before it runs.</summary>
public static class BenchmarkArguments
{
    /// <summary>Reads the arguments. BenchmarkDotNet would answer a wrong one with its whole help text.</summary>
    /// <param name="args">The arguments.</param>
    /// <param name="config">What they are added to.</param>
    /// <param name="help">The option that lists the options.</param>
    /// <returns>The options, and the configuration with them; null where the arguments ask for information instead of a run.</returns>
    /// <exception cref="InvalidDataException">An argument is wrong.</exception>
    public static (IConfig Config, CommandLineOptions Options)? Parse(string[] args, IConfig config, string help)
    {
        var said = new AccumulationLogger();
        var (success, parsed, options) = ConfigParser.Parse(args, said, config);
        if (success && options is not null)
            return options.PrintInformation || options.ListBenchmarkCaseMode != ListBenchmarkCaseMode.Disabled ? null : (parsed!, options);
        if (args.Contains("--version") || args.Contains("--help"))
            return null;

        // Below "ERROR(S):" come the errors, a line each; around them the whole help text.
        var lines = said.GetLog().Split('\n', StringSplitOptions.TrimEntries);
        var error = lines.SkipWhile(line => !line.StartsWith("ERROR", StringComparison.Ordinal)).Skip(1)
            .FirstOrDefault(line => line.Length > 0) ?? lines.FirstOrDefault(line => line.Length > 0);
        throw new InvalidDataException($"{error} ({help} lists all options)");
    }
}
