using BenchmarkDotNet.Configs;
using BenchmarkDotNet.ConsoleArguments;
using BenchmarkDotNet.Running;
using ProtoBench.Benchmarks;
using ProtoBench.Diagnosers;
using ProtoBench.Libraries;
using ProtoBench.Results;
using ProtoBench.Stacks;

namespace ProtoBench;

/// <summary>Runs cells: checks the arguments, opens the gate, says what will happen, lets BenchmarkDotNet work, and turns its answer into an exit code.</summary>
static class BenchmarkRun
{
    public static int Start(string[] args, IEnumerable<string> verbs)
    {
        try
        {
            if (!args[0].StartsWith('-'))
                throw new UsageException($"'{args[0]}' is not a verb; there are: {string.Join(", ", verbs)}. Cells are chosen with --filter.");
            return Run(OwnOptions.Parse(args));
        }
        catch (UsageException e)
        {
            Console.Error.WriteLine($"ProtoBench: {e.Message}");
            return ExitCode.Usage;
        }
        catch (GateException e)
        {
            Console.Error.WriteLine($"ProtoBench: nothing was measured, because the libraries do not agree. {e.Message}");
            return ExitCode.Failed;
        }
    }

    static int Run(OwnOptions own)
    {
        // checked here, because BenchmarkDotNet would show the exception with its stack
        _ = RpcStackBenchmarks.ReadConcurrencies(Environment.GetEnvironmentVariable(RpcStackBenchmarks.ConcurrencyVariable));
        var ownJob = !own.Rest.Any(arg => arg is "-j" or "--job" || arg.StartsWith("--job=", StringComparison.Ordinal));
        var config = Config.Create(ownJob, own.Note, own.Allocations);
        if (Checked(own.Rest, config) is not { } asked)
        {
            BenchmarkSwitcher.FromTypes([.. BenchmarkClasses.All]).Run(own.Rest, config); // --list, --info, --help, --version: an answer, not a run
            return ExitCode.Done;
        }

        Checkout.Enter();
        var args = asked.Options.Filters.Any() ? own.Rest : [.. own.Rest, "--filter", "*"]; // else BenchmarkDotNet asks on the console and waits
        var classes = BenchmarkClasses.MeantBy(asked.Options.Filters);
        var cells = Select(classes, asked.Config, asked.Options);
        Announce(cells, ownJob, own.Allocations);
        Gate.Check(HiveLibraries.All);
        if (cells.Any(cell => cell.Descriptor.Type == typeof(RpcStackBenchmarks)))
            StackGate.CheckAsync().GetAwaiter().GetResult();
        Console.WriteLine($"// All libraries agree: {string.Join(", ", HiveLibraries.All.Select(library => library.PackageAndVersion).Distinct())}");
        foreach (var reason in BuildFacts.LeftOut)
            Console.WriteLine($"// Left out: {reason}");

        var summaries = BenchmarkSwitcher.FromTypes(classes).Run(args, config).ToArray();
        foreach (var reason in BuildFacts.LeftOut)
            Console.WriteLine($"Left out of this table: {reason}");
        var map = own.Map && summaries is [var mapped, ..] ? BreakEvenTable.Of(mapped) : null;
        if (map is not null)
            Console.WriteLine($"\n{map}");
        if (own.Save && summaries is [var summary, ..])
            Console.WriteLine($"Saved: {SavedTable.Write(summary, own.Name, own.Note, map)}");
        var failed = summaries.Length == 0 || summaries.Any(s => s.HasCriticalValidationErrors || s.Reports.Any(report => !report.Success || report.ResultStatistics is null));
        return failed ? ExitCode.Failed : ExitCode.Done;
    }

    /// <summary>What BenchmarkDotNet makes of the arguments; null where they ask for information instead of a run.</summary>
    static (IConfig Config, CommandLineOptions Options)? Checked(string[] args, IConfig config)
    {
        var said = new TextLogger();
        var (success, parsed, options) = ConfigParser.Parse(args, said, config);
        if (success && options is not null)
            return options.PrintInformation || options.ListBenchmarkCaseMode != BenchmarkDotNet.ConsoleArguments.ListBenchmarks.ListBenchmarkCaseMode.Disabled ? null : (ManualConfig.Union(config, parsed!), options);
        if (args.Any(arg => arg is "--help" or "-h" or "-?" or "--version"))
            return null;

        // Below "ERROR(S):" come the errors, a line each; around them the whole help text.
        var lines = said.ToString().Split('\n', StringSplitOptions.TrimEntries);
        var error = lines.SkipWhile(line => !line.StartsWith("ERROR", StringComparison.Ordinal)).Skip(1).FirstOrDefault(line => line.Length > 0) ?? lines.FirstOrDefault(line => line.Length > 0);
        throw new UsageException($"{error} (--help lists all options)");
    }

    static BenchmarkCase[] Select(Type[] classes, IConfig config, CommandLineOptions options)
    {
        BenchmarkCase[] cases = [.. classes.SelectMany(type => BenchmarkConverter.TypeToBenchmarks(type, config).BenchmarksCases)];
        if (cases.Length > 0)
            return cases;
        var filter = string.Join(' ', options.Filters);
        var files = options.Filters.Any(value => File.Exists(value) || Directory.Exists(value));
        throw new UsageException(files
            ? $"--filter {filter} matches no cell, but files of this folder: the shell has replaced the star. Quote it: --filter '*Request*'"
            : $"--filter {filter} matches no cell; --list flat shows their names");
    }

    static void Announce(BenchmarkCase[] cases, bool ownJob, AllocationCounting allocations)
    {
        var runs = cases.Length + cases.Count(cell => AllocationsDiagnoser.Counts(allocations, cell));
        var estimate = ownJob ? $", about {Math.Ceiling(runs * Config.SecondsPerCell / 60)} min" : "";
        Console.WriteLine($"// {cases.Length} cells{estimate}");
    }
}
