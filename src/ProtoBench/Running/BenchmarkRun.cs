using System.CommandLine;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.ConsoleArguments;
using BenchmarkDotNet.EventProcessors;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Running;
using ProtoBench.Benchmarks;
using ProtoBench.Harness;
using ProtoBench.Results;

namespace ProtoBench;

static class BenchmarkRun
{
    static readonly Type[] wideCells = [typeof(WideBenchmarks), typeof(SmallBenchmarks), typeof(ShapeBenchmarks), typeof(DeepBenchmarks)];

    public static int Start(string[] args, IEnumerable<string> verbs, InvocationConfiguration output)
    {
        try
        {
            UnknownVerb.Refuse(args[0], verbs);
            return Run(OwnOptions.Parse(args), output.Output);
        }
        catch (RunException e)
        {
            output.Error.WriteLine(e is StoppedException ? e.Message : $"ProtoBench: {e.Message}");
            return e.ExitCode;
        }
        catch (ValidationException e)
        {
            output.Error.WriteLine($"ProtoBench: nothing was measured, because the libraries do not agree. {e.Message}");
            return ExitCode.Failed;
        }
    }

    static int Run(OwnOptions own, TextWriter answers)
    {
        // checked here, because BenchmarkDotNet would show the exception with its stack
        _ = RpcStackBenchmarks.ReadConcurrencies(Environment.GetEnvironmentVariable(RpcStackBenchmarks.ConcurrencyVariable));
        var exporter = new ResultExporter(own.Note);
        using var run = new StoppableRun();
        exporter.Load = run.Load;
        var progress = own.Verbose
            ? null : new Progress(Console.Out, Console.IsOutputRedirected ? 0 : Console.WindowWidth) { Run = run };
        var config = Config.Create(own, prebuilt: true, progress, exporter).AddEventProcessor(run);
        if (Checked(own, config) is not { } asked)
        {
            // --list, --info and --version run no cells, and their answer is what the progress would hide
            if (!CellList.Write(own.Rest, Config.Create(own), BenchmarkClasses.All, answers))
                BenchmarkSwitcher.FromTypes([.. BenchmarkClasses.All]).Run(own.Rest, Config.Create(own));
            return ExitCode.Done;
        }

        if (own.Save)
            Saved.Check();
        var prebuilt = Config.RunsPrebuilt(asked.Options);
        if (!prebuilt)
            config = Config.Create(own, prebuilt, progress, exporter).AddEventProcessor(run);
        var all = ManualConfig.Union(config, asked.Config);
        var classes = Select(all, new(own, asked.Options), asked.Options);
        BenchmarkCase[] cells = [.. classes.SelectMany(type => type.BenchmarksCases)];
        PlannedCell[] plan = [];
        if (own.Shard is { } shard)
        {
            plan = [.. shard.Deal([.. cells]).Select(cell => new PlannedCell(cell.Cell.DisplayInfo, cell.Shard))];
            if (ShardFiles.PathOf(shard, own.Name!) is var path && ShardFiles.IsThere(path, plan))
            {
                Console.WriteLine($"// shard {shard} of {own.Name} is there already");
                return ExitCode.Done;
            }

            var mine = plan.Where(cell => cell.Shard == shard.Number).Select(cell => cell.Cell).ToHashSet();
            if (plan.Length > 0 && mine.Count == 0)
            {
                Console.WriteLine($"// shard {shard} of {own.Name} has no cells, because there are fewer categories than shards");
                return ExitCode.Done;
            }

            classes = [.. classes.Select(type => With(type, cell => type.Type == Shard.Control || mine.Contains(cell.DisplayInfo)))
                .Where(type => type.BenchmarksCases.Length > 0)];
            cells = [.. classes.SelectMany(type => type.BenchmarksCases)];
        }

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
        if (!prebuilt)
            Checkout.Enter();
        var summaries = run.Run(all, () => BenchmarkRunner.Run(classes));
        if (summaries is [{ HasCriticalValidationErrors: false } summary, ..])
        {
            var record = exporter.RecordOf(summary);
            ResultTable.Print(summary, own.Wide, ConsoleLogger.Unicode);
            foreach (var diagnoser in config.GetDiagnosers())
                diagnoser.DisplayResults(ConsoleLogger.Unicode);
            if (own.Map && BreakEvenTable.Map(record.Result) is { } map)
                Console.WriteLine($"\n{BreakEvenTable.Of(map)}\n{BreakEvenTable.Legend(map)}");
            MachineLoad.Write(Console.Out, run.Load.Busy);
            if (summary.ResultsDirectoryPath is { Length: > 0 } folder)
                Console.WriteLine($"Results: {folder}");
            if (summary.LogFilePath is { Length: > 0 } log)
                Console.WriteLine($"Log:     {log}");
            run.ThrowIfPartial();
            if (own.Save)
                Console.WriteLine($"Saved:   {(own.Shard is { } part ? record.Save(part, own.Name!, plan) : record.Save(own.Name))}");
        }

        var failed = summaries.Length == 0
            || summaries.Any(s => s.HasCriticalValidationErrors
            || s.Reports.Any(report => !report.Success || report.ResultStatistics is null));
        return failed ? ExitCode.Failed : ExitCode.Done;
    }

    static BenchmarkRunInfo With(BenchmarkRunInfo type, Func<BenchmarkCase, bool> isMeasured) =>
        new([.. type.BenchmarksCases.Where(isMeasured)], type.Type, type.Config);

    static (IConfig Config, CommandLineOptions Options)? Checked(OwnOptions own, IConfig config)
    {
        try
        {
            return BenchmarkArguments.Parse(own.Rest, config, "--help all", own.Names);
        }
        catch (InvalidDataException e)
        {
            throw new UsageException(e.Message, e);
        }
    }

    static BenchmarkRunInfo[] Select(ManualConfig config, RunJobs jobs, CommandLineOptions options)
    {
        if (config.Options.HasFlag(ConfigOptions.ApplesToApples))
            throw new UsageException("--apples: the jobs of a run are rows of one table here; the verbs duet and compare compare programs");
        var classes = BenchmarkClasses.MeantBy(options.Filters);
        BenchmarkRunInfo[] selected =
            [.. classes.Select(type => Config.Cells(type, config, jobs)).Where(type => type.BenchmarksCases.Length > 0)];
        if (selected.Length > 0)
            return selected;
        string[] categories = [.. options.AllCategories, .. options.AnyCategories];
        if (categories.Length > 0)
        {
            var unfiltered = Config.Create(new OwnOptions());
            var known = classes.SelectMany(type => Config.Cells(type, unfiltered, jobs).BenchmarksCases)
                .SelectMany(cell => cell.Descriptor.Categories).Distinct().Order(StringComparer.Ordinal);
            throw new UsageException($"no cell has the category {string.Join(' ', categories)}; there are: {string.Join(", ", known)}");
        }

        var filter = string.Join(' ', options.Filters);
        if (BenchmarkClasses.All.Except(classes)
            .FirstOrDefault(type => Config.Cells(type, config, jobs).BenchmarksCases.Length > 0) is { } other)
        {
            throw new UsageException($"--filter {filter} matches only cells of {other.Name}, which run only when the class is named: "
                + $"--filter '*{other.Name}*'");
        }

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
            cases.Sum(cell => cell.Descriptor.Type == typeof(BreakEvenBenchmarks) ? Config.SecondsPerMapCell : HarnessConfig.SecondsPerCell)
            + (HarnessConfig.SecondsPerCell * cases.Count(cell => CostColumns.Counts(own.Allocations, cell)));
        Console.WriteLine($"// {cases.Length} cells{(own.Job is null ? $", about {Math.Ceiling(seconds / 60)} min" : "")}");
    }
}

public static class BenchmarkClasses
{
    public static IReadOnlyList<Type> All { get; } =
    [
        .. typeof(BenchmarkClasses).Assembly.GetTypes()
            .Where(type => type is { IsPublic: true, IsAbstract: false }
                && type.GetMethods().Any(method => method.IsDefined(typeof(BenchmarkAttribute), inherit: false)))
            .OrderBy(type => type.Name, StringComparer.Ordinal),
    ];

    /// <summary>A class that runs only when named is left out unless a filter contains its name.</summary>
    public static Type[] MeantBy(IEnumerable<string> filters) =>
        [.. All.Where(type => !type.IsDefined(typeof(OnlyWhenNamedAttribute), inherit: false)
        || filters.Any(filter =>
            filter.Contains(type.Name.Replace("Benchmarks", "", StringComparison.Ordinal), StringComparison.OrdinalIgnoreCase)))];
}

/// <summary>Waits before the first cell runs: native code, which takes minutes on all cores, can be built on a busy machine.</summary>
sealed class Pause(TextWriter console, TextReader input) : EventProcessor
{
    public override void OnEndBuildStage()
    {
        console.WriteLine("// Everything is built. Press Enter to measure.");
        console.Flush();
        _ = input.ReadLine();
    }
}
