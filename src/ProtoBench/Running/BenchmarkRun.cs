using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.ConsoleArguments;
using BenchmarkDotNet.EventProcessors;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Running;
using ProtoBench.Benchmarks;
using ProtoBench.Diagnosers;
using ProtoBench.Harness;
using ProtoBench.Libraries;
using ProtoBench.Results;
using ProtoBench.Saving;
using ProtoBench.Stacks;
using ProtoBench.Validation;

namespace ProtoBench.Running;

/// <summary>Runs cells: it checks the arguments, validates the libraries, announces the cells, starts BenchmarkDotNet, and returns an exit
/// code.</summary>
static class BenchmarkRun
{
    /// <summary>The classes that WideValidation checks.</summary>
    static readonly Type[] wideCells = [typeof(WideBenchmarks), typeof(SmallBenchmarks), typeof(DeepBenchmarks)];

    public static int Start(string[] args, IEnumerable<string> verbs)
    {
        try
        {
            if (!args[0].StartsWith('-'))
                throw new UsageException(
                    $"'{args[0]}' is not a verb; there are: {string.Join(", ", verbs)}. Cells are chosen with --filter.");
            return Run(OwnOptions.Parse(args));
        }
        catch (UsageException e)
        {
            Console.Error.WriteLine($"ProtoBench: {e.Message}");
            return ExitCode.Usage;
        }
        catch (ValidationException e)
        {
            Console.Error.WriteLine($"ProtoBench: nothing was measured, because the libraries do not agree. {e.Message}");
            return ExitCode.Failed;
        }
    }

    static int Run(OwnOptions own)
    {
        // checked here, because BenchmarkDotNet would show the exception with its stack
        _ = RpcStackBenchmarks.ReadConcurrencies(Environment.GetEnvironmentVariable(RpcStackBenchmarks.ConcurrencyVariable));
        Config.Named = own.Job;
        if (Checked(own) is not { } asked)
        {
            // --list, --info and --version run no cells
            BenchmarkSwitcher.FromTypes([.. BenchmarkClasses.All]).Run(own.Rest, Config.Create(own));
            return ExitCode.Done;
        }

        Config.Given = asked.Options;
        var prebuilt = Config.RunsPrebuilt(asked.Options);
        // without a filter, BenchmarkDotNet asks on the console and waits
        var args = asked.Options.Filters.Any() ? own.Rest : [.. own.Rest, "--filter", "*"];
        var classes = BenchmarkClasses.MeantBy(asked.Options.Filters);
        var cells = Select(classes, ManualConfig.Union(Config.Create(own, prebuilt), asked.Config), asked.Options);
        Announce(cells, own);
        LibraryValidation.Check(MeasuredLibraries.All);
        if (cells.Any(cell => wideCells.Contains(cell.Descriptor.Type)))
            WideValidation.Check();
        if (cells.Any(cell => cell.Descriptor.Type == typeof(PackedBenchmarks)))
            WideValidation.CheckPacked();
        if (cells.Any(cell => cell.Descriptor.Type == typeof(RpcStackBenchmarks)))
            StackValidation.CheckAsync().GetAwaiter().GetResult();
        foreach (var set in cells.Select(cell => cell.Descriptor.Type).Distinct().Where(typeof(IDataSetCells).IsAssignableFrom))
            ((IDataSetCells)Activator.CreateInstance(set)!).Check();
        Console.WriteLine(
            $"// All libraries agree: {string.Join(", ", MeasuredLibraries.All.Select(library => library.PackageAndVersion).Distinct())}");
        var exporter = new ResultExporter(own.Note);
        var config = Config.Create(own, prebuilt,
            own.Verbose ? null
            : new Progress(Console.Out, !Console.IsOutputRedirected, Console.IsOutputRedirected ? 0 : Console.WindowWidth, cells.Length),
            exporter);
        if (!prebuilt)
            Checkout.Enter();
        var summaries = BenchmarkSwitcher.FromTypes(classes).Run(args, config).ToArray();
        if (summaries is [{ HasCriticalValidationErrors: false } summary, ..] && exporter.Record is { } record)
        {
            ResultTable.Print(summary, own.Wide, ConsoleLogger.Unicode);
            foreach (var diagnoser in config.GetDiagnosers())
                diagnoser.DisplayResults(ConsoleLogger.Unicode);
            if (own.Map && record.Cells is var measured && BreakEvenTable.Of(measured) is { } map)
                Console.WriteLine($"\n{map}\n{BreakEvenTable.Legend(measured)}");
            Console.WriteLine($"Results: {summary.ResultsDirectoryPath}\nLog:     {summary.LogFilePath}");
            if (own.Save)
                Console.WriteLine($"Saved:   {record.Save(own.Name)}");
        }

        var failed = summaries.Length == 0
            || summaries.Any(s => s.HasCriticalValidationErrors
            || s.Reports.Any(report => !report.Success || report.ResultStatistics is null));
        return failed ? ExitCode.Failed : ExitCode.Done;
    }

    static (IConfig Config, CommandLineOptions Options)? Checked(OwnOptions own)
    {
        try
        {
            return BenchmarkArguments.Parse(own.Rest, Config.Create(own), "--help all");
        }
        catch (InvalidDataException e)
        {
            throw new UsageException(e.Message, e);
        }
    }

    static BenchmarkCase[] Select(Type[] classes, IConfig config, CommandLineOptions options)
    {
        BenchmarkCase[] cases = [.. classes.SelectMany(type => BenchmarkConverter.TypeToBenchmarks(type, config).BenchmarksCases)];
        if (cases.Length > 0)
            return cases;
        string[] categories = [.. options.AllCategories, .. options.AnyCategories];
        if (categories.Length > 0)
        {
            var known = classes.SelectMany(type =>
                BenchmarkConverter.TypeToBenchmarks(type, Config.Create(new OwnOptions())).BenchmarksCases)
                    .SelectMany(cell => cell.Descriptor.Categories).Distinct().Order(StringComparer.Ordinal);
            throw new UsageException($"no cell has the category {string.Join(' ', categories)}; there are: {string.Join(", ", known)}");
        }

        var filter = string.Join(' ', options.Filters);
        var files = options.Filters.Any(value => File.Exists(value) || Directory.Exists(value));
        throw new UsageException(files
            ? $"--filter {filter} matches no cell, but files of this folder: the shell has replaced the star. Quote it: --filter "
                + $"'*Request*'"
            : UnknownCell.Message("--filter", [.. options.Filters], BenchmarkClasses.All.SelectMany(type => type.GetMethods())
                .Where(method => method.IsDefined(typeof(BenchmarkAttribute), inherit: true)).Select(method => method.Name)));
    }

    static void Announce(BenchmarkCase[] cases, OwnOptions own)
    {
        var seconds =
            cases.Sum(cell => cell.Descriptor.Type == typeof(BreakEvenBenchmarks) ? Config.SecondsPerMapCell : Config.SecondsPerCell)
            + (Config.SecondsPerCell * cases.Count(cell => AllocationsDiagnoser.Counts(own.Allocations, cell)));
        Console.WriteLine($"// {cases.Length} cells{(own.Job is null ? $", about {Math.Ceiling(seconds / 60)} min" : "")}");
    }
}

/// <summary>Lists the classes of this program with cells.</summary>
public static class BenchmarkClasses
{
    /// <summary>Gets all classes by name.</summary>
    public static IReadOnlyList<Type> All { get; } =
    [
        .. typeof(BenchmarkClasses).Assembly.GetTypes()
            .Where(type => type is { IsPublic: true, IsAbstract: false }
                && type.GetMethods().Any(method => method.IsDefined(typeof(BenchmarkAttribute), inherit: false)))
            .OrderBy(type => type.Name, StringComparer.Ordinal),
    ];

    /// <summary>Returns the classes that <paramref name="filters"/> select. A class that runs only when named is left out unless a filter
    /// contains its name.</summary>
    public static Type[] MeantBy(IEnumerable<string> filters) =>
        [.. All.Where(type => !type.IsDefined(typeof(OnlyWhenNamedAttribute), inherit: false)
        || filters.Any(filter =>
            filter.Contains(type.Name.Replace("Benchmarks", "", StringComparison.Ordinal), StringComparison.OrdinalIgnoreCase)))];
}

/// <summary>Pauses the run after the measured programs are built and before the first cell runs. Compiling native code takes minutes on all
/// cores. The user can build it while the machine is busy, and measure when it is idle.</summary>
/// <param name="console">Receives the message that the run waits.</param>
/// <param name="input">The run continues after a line of this reader, or at its end.</param>
sealed class Pause(TextWriter console, TextReader input) : EventProcessor
{
    public override void OnEndBuildStage()
    {
        console.WriteLine("// Everything is built. Press Enter to measure.");
        console.Flush();
        _ = input.ReadLine();
    }
}
