using System.CommandLine;
using System.Reflection;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Filters;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Running;
using Google.Protobuf;
using ProtoBench.Harness.Duet;

namespace ProtoBench.Harness;

/// <summary>Represents the program of a benchmark project. Without arguments it compares the libraries by duet, and answers in sentences.
/// It also has the verbs <c>duet</c>, <c>versions</c> and <c>compare</c>, and runs all cells with the options of BenchmarkDotNet.</summary>
public sealed class BenchmarkProgram
{
    const string results = "results";

    readonly Type benchmarks;
    readonly PayloadFormat format;
    readonly IReadOnlyList<ComparedLibrary> libraries;

    readonly Option<double> rate = Arguments.Option("--rate", "the messages a second for which the cost of a service is shown",
        result => Arguments.Read<double>(result, "a number of messages a second", "5000",
            text => Arguments.Number(text) is > 0 and < 1e12 and var number ? number : null), 1_000);

    readonly Option<int> processes = Arguments.Option(
        "--processes", "processes for each comparison, each one sample", Arguments.Between(3, 1000), 4);

    readonly Option<string?> saved = Saved();

    /// <summary>Creates the program of a message, whose payloads are in protobuf.</summary>
    /// <param name="benchmarks">The class with the cells.</param>
    /// <param name="parser">Google's parser of the message.</param>
    /// <param name="libraries">The libraries that are compared, Google.Protobuf first.</param>
    public BenchmarkProgram(Type benchmarks, MessageParser parser, IReadOnlyList<ComparedLibrary> libraries)
        : this(benchmarks, PayloadFormat.Protobuf(parser), libraries)
    {
    }

    /// <summary>Creates the program of a class without a .proto file, whose payloads are in JSON.</summary>
    /// <param name="benchmarks">The class with the cells.</param>
    /// <param name="className">The full name of the class that is measured.</param>
    /// <param name="libraries">The libraries that are compared, System.Text.Json first.</param>
    public BenchmarkProgram(Type benchmarks, string className, IReadOnlyList<ComparedLibrary> libraries)
        : this(benchmarks, PayloadFormat.Json(className), libraries)
    {
    }

    BenchmarkProgram(Type benchmarks, PayloadFormat format, IReadOnlyList<ComparedLibrary> libraries) =>
        (this.benchmarks, this.format, this.libraries) = (benchmarks, format, libraries);

    /// <summary>The method whose calls are also measured; null for none.</summary>
    public MeasuredMethod? Method { get; init; }

    /// <summary>Runs the program.</summary>
    /// <param name="args">The command line.</param>
    /// <param name="load">Reads the payloads.</param>
    /// <returns>The exit code: 0 for success, 1 if a cell failed or the libraries do not agree, 2 for wrong usage or if there are no
    /// payloads, and 130 if the run was stopped.</returns>
    public int Start(IReadOnlyList<string> args, Func<PayloadSet> load) => Start(args, load, new());

    /// <inheritdoc cref="Start(IReadOnlyList{string}, Func{PayloadSet})"/>
    /// <param name="console">Where verbs and answers write.</param>
    internal int Start(IReadOnlyList<string> args, Func<PayloadSet> load, InvocationConfiguration console)
    {
        ArgumentNullException.ThrowIfNull(args);
        ArgumentNullException.ThrowIfNull(load);
        var program = Program();
        var root = new RootCommand("Compares what the libraries take for this message. With --filter, the cells run with BenchmarkDotNet "
            + "and its options: --filter '*' runs all of them, --list names them. --allocations on|types counts objects, in twice the time, and "
            + "--verbose shows all that BenchmarkDotNet prints.")
        {
            rate, processes, saved, DuetVerb.Create(program), VersionsVerb.Create(program),
            CompareVerb.Create(Path.Combine(Home(program), results)),
        };
        root.SetAction((parsed, stop) => parsed.GetResult(saved) is null
            ? AnswerAsync(parsed, program, load, stop) : AnswerOfAsync(parsed, program, load));
        string[] own =
        [
            .. root.Options.SelectMany(option => option.Aliases.Append(option.Name)), .. root.Subcommands.Select(verb => verb.Name),
        ];
        if (args.Count > 0 && !own.Contains(args[0].Split('=')[0]))
            return Start([.. args], root.Subcommands.Select(verb => verb.Name), load);
        var parsed = root.Parse(args);
        if (parsed.Errors.Count == 0)
            return CommandRunner.RunAsync(parsed, output: console).GetAwaiter().GetResult();
        const string help = "--help shows the options";
        Console.Error.WriteLine(CommandRunner.Unmatched(parsed, help) ?? $"{parsed.Errors[0].Message} ({help})");
        return ExitCode.Usage;
    }

    MeasuredProgram Program()
    {
        var name = benchmarks.Assembly.GetName().Name!;
        var file = name + ".csproj";
        // sources in a folder whose name begins with a dot are ignored
        return new(name, MeasuredProgram.FolderWith(file), Project: "", VersionsFile: file, Builds: ".builds",
            MeasuredProgram.ConfigurationOf(benchmarks.Assembly), [.. libraries.Select(library => library.Label)])
        {
            FactsOf = method => Types().Select(type => type.GetMethod(method)).OfType<MethodInfo>().Select(CellFactsExporter.FactsOf)
                .FirstOrDefault(),
        };
    }

    static string Home(MeasuredProgram program) => program.Root ?? Directory.GetCurrentDirectory();

    Type[] Types() => Method is null ? [benchmarks] : [benchmarks, Method.Benchmarks];

    async Task<int> AnswerAsync(ParseResult parsed, MeasuredProgram program, Func<PayloadSet> load, CancellationToken stop)
    {
        var (output, error) = (parsed.InvocationConfiguration.Output, parsed.InvocationConfiguration.Error);
        program.RequireRelease("a comparison");
        var folder = Path.Combine(Home(program), results);
        ResultPath.CheckFolder(folder, results);
        var agreed = await CheckAsync(load, output);
        var answer = new MessageAnswer(benchmarks, Method, agreed.Libraries, agreed.Payloads);
        var result = await answer.MeasureAsync(program, parsed.GetValue(processes), error, stop);
        result.RequireAny();
        result = result with { Answer = answer.Of(result, parsed.GetValue(rate), agreed.Message, agreed.About) };
        MessageAnswer.Write(result.Answer, output);
        var file = FileOf(folder, result.StartedAt);
        DuetResultFile.Write(file, result);
        var kept = Path.GetRelativePath(Directory.GetCurrentDirectory(), file);
        if (result.Partial)
            throw new StoppedException(measured: true, kept);
        await output.WriteLineAsync($"""

            Saved as {kept}. Next, each after: dotnet run -c Release --
              --saved --rate 5000  this answer again, for another rate, without a measurement
              compare              the last two of these files
              --processes 10       narrower intervals
              --filter '*'         every cell with BenchmarkDotNet: a table, and times of one process each
              duet --help          compare two cells, or this build with another one
            """);
        return result.Failed.Count > 0 ? ExitCode.Failed : ExitCode.Done;
    }

    static Option<string?> Saved()
    {
        var option = Arguments.Option<string?>("--saved",
            $"print a saved answer again, for this --rate, and measure nothing: a file; without one, the last in {results}");
        option.Arity = ArgumentArity.ZeroOrOne;
        option.HelpName = "FILE";
        return option;
    }

    /// <summary>Prints a saved answer as its run did. The sizes of messages are those of the payloads that are there now.</summary>
    async Task<int> AnswerOfAsync(ParseResult parsed, MeasuredProgram program, Func<PayloadSet> load)
    {
        var output = parsed.InvocationConfiguration.Output;
        if (parsed.GetResult(processes) is { Implicit: false })
            throw new UsageException("--saved measures nothing, so it has no --processes");
        var folder = Path.Combine(Home(program), results);
        var file = parsed.GetValue(saved) ?? CompareVerb.Saved(folder).LastOrDefault()
            ?? throw new UsageException($"--saved: {folder} has no answer; a run without options measures one");
        var result = DuetResultFile.Parse(ResultText.Read(file), file);
        var agreed = await MessagesAsync(load, output);
        var answer = new MessageAnswer(benchmarks, Method, agreed.Libraries, agreed.Payloads);
        if (!answer.IsIn(result))
        {
            var message = result.Duets.Select(pair => pair.New.Facts?.Message).FirstOrDefault(one => one is not null);
            throw new UsageException($"{file}: no answer of this project: it has no pair of {benchmarks.Name}"
                + (message is null ? "" : $", but of {ResultText.Clean(message)}"));
        }

        await output.WriteLineAsync(string.Create(CultureInfo.InvariantCulture,
            $"// {Path.GetRelativePath(Directory.GetCurrentDirectory(), file)}, measured on {result.StartedAt:yyyy-MM-dd HH:mm}"));
        MessageAnswer.Write(answer.Of(result, parsed.GetValue(rate), agreed.Message, agreed.About), output);
        return ExitCode.Done;
    }

    static string FileOf(string folder, DateTimeOffset time)
    {
        var name = Path.Combine(folder, time.ToString("yyyy-MM-dd-HHmm", CultureInfo.InvariantCulture));
        for (var number = 1; ; number++)
        {
            var file = number == 1 ? name + ".json" : string.Create(CultureInfo.InvariantCulture, $"{name}-{number}.json");
            if (!File.Exists(file))
                return file;
        }
    }

    /// <summary>Checks that all libraries, and all calls, agree.</summary>
    /// <exception cref="RunException">Thrown when nothing can be measured.</exception>
    async Task<Agreed> CheckAsync(Func<PayloadSet> load, TextWriter output)
    {
        var agreed = await MessagesAsync(load, output);
        if (Method is null)
            return agreed;
        var replies = Readable(Method.LoadReplies);
        await agreed.SayAsync($"{Method.Path}, replies: {replies.Distribution}", output);
        if (await Agreement.FirstDisagreementAsync(Method, format, agreed.Payloads, replies) is { } difference)
            throw new RunException(ExitCode.Failed, $"Nothing was measured, because the calls do not agree. {difference}");
        await agreed.SayAsync($"All calls of {Method.Path} agree: {string.Join(", ", Method.Libraries.Keys)}", output);
        return agreed;
    }

    /// <summary>Reads the payloads, and leaves out the libraries that do not keep them.</summary>
    async Task<Agreed> MessagesAsync(Func<PayloadSet> load, TextWriter output)
    {
        var payloads = Readable(load);
        var agreed = new Agreed(payloads);
        await agreed.SayAsync(payloads.Distribution, output);
        var agreement = new Agreement(format, payloads, libraries[0]);
        if (agreement.FirstDisagreement(libraries.Where((library, i) => i == 0 || !library.IsOptional)) is { } disagreement)
            throw new RunException(ExitCode.Failed, $"Nothing was measured, because the libraries do not agree. {disagreement}");
        var (measured, leftOut) = agreement.Split(libraries);
        foreach (var reason in leftOut)
            await agreed.SayAsync($"Left out: {reason}", output);
        await agreed.SayAsync($"All libraries agree: {string.Join(", ", measured.Select(library => library.Package))}", output);
        return agreed with
        {
            Libraries = measured,
            Message = format.NameOf(payloads.All[0].Bytes),
        };
    }

    /// <summary>What the libraries agree about, and what was said about it.</summary>
    sealed record Agreed(PayloadSet Payloads)
    {
        public IReadOnlyList<ComparedLibrary> Libraries { get; init; } = [];

        public string Message { get; init; } = "";

        public List<string> About { get; } = [];

        public Task SayAsync(string line, TextWriter output)
        {
            About.Add(line);
            return output.WriteLineAsync("// " + line);
        }
    }

    static PayloadSet Readable(Func<PayloadSet> load)
    {
        try
        {
            return load();
        }
        catch (InvalidDataException e)
        {
            throw new UsageException(e.Message, e);
        }
    }

    int Start(string[] args, IEnumerable<string> verbs, Func<PayloadSet> load)
    {
        try
        {
            UnknownVerb.Refuse(args[0], verbs);
            return Run(args, load);
        }
        catch (Exception e) when (e is RunException or InvalidDataException)
        {
            Console.Error.WriteLine(e.Message);
            return (e as RunException)?.ExitCode ?? ExitCode.Usage;
        }
    }

    // with BenchmarkDotNet
    int Run(string[] args, Func<PayloadSet> load)
    {
        var hasJob = args.Any(arg => arg is "-j" or "--job" || arg.StartsWith("--job=", StringComparison.Ordinal));
        var (counting, verbose) = (AllocationOption.Create(), Arguments.Option<bool>("--verbose", ""));
        verbose.Arity = ArgumentArity.Zero;
        var command = new Command("run") { counting, verbose };
        var (own, rest) = Arguments.Divide(args, command.Options);
        var options = command.Parse(own, new() { ResponseFileTokenReplacer = null });
        if (options.Errors is [var error, ..])
            throw new UsageException(error.Message);
        var allocations = options.GetValue(counting);
        args = [.. rest];
        var all = args.Any(arg => arg is "-f" or "--filter" or "--list" or "--info" or "--version") ? args : [.. args, "--filter", "*"];
        var types = Types();
        // a wrong option is refused before the payloads are read
        var parsed = BenchmarkArguments.Parse(CellList.Rest(all) ?? all, HarnessConfig.Create(hasJob, allocations), "--help",
            [counting.Name, verbose.Name, processes.Name, rate.Name, saved.Name]);
        var measured = CheckAsync(load, Console.Out).GetAwaiter().GetResult().Libraries;
        if (CellList.Write(all, Config(), types, Console.Out))
            return ExitCode.Done;
        if (parsed is not { } asked)
        {
            BenchmarkSwitcher.FromTypes(types).Run(all, Config());
            return ExitCode.Done;
        }

        var cells = types.SelectMany(type =>
            BenchmarkConverter.TypeToBenchmarks(type, ManualConfig.Union(Config(), asked.Config)).BenchmarksCases).Count();
        if (cells == 0)
        {
            throw new InvalidDataException(UnknownCell.Message("--filter", [.. asked.Options.Filters],
                types.SelectMany(type => type.GetMethods()).Where(method => method.IsDefined(typeof(BenchmarkAttribute)))
                    .Select(method => method.Name)));
        }

        var seconds = cells * HarnessConfig.SecondsPerCell * (allocations is AllocationCounting.All or AllocationCounting.Types ? 2 : 1);
        Console.WriteLine($"// {cells} cells{(hasJob ? "" : $", about {Math.Ceiling(seconds / 60)} min")}");
        using var run = new StoppableRun();
        var progress = new Progress(Console.Out, Console.IsOutputRedirected ? 0 : Console.WindowWidth) { Run = run };
        var config = Config(options.GetValue(verbose) ? null : progress, () => run.Load.Busy).AddEventProcessor(run);
        var summaries = run.Run(ManualConfig.Union(config, asked.Config), () => [.. BenchmarkSwitcher.FromTypes(types).Run(all, config)]);
        if (summaries.Length == 0)
            return ExitCode.Failed;
        if (!options.GetValue(verbose))
        {
            MarkdownExporter.Console.ExportToLog(summaries[0], ConsoleLogger.Unicode);
            foreach (var diagnoser in config.GetDiagnosers())
                diagnoser.DisplayResults(ConsoleLogger.Unicode);
        }

        if (summaries[0].ResultsDirectoryPath is { Length: > 0 } folder)
            Console.WriteLine($"\nResults: {folder}");
        if (summaries[0].LogFilePath is { Length: > 0 } log)
            Console.WriteLine($"Log:     {log}");
        MachineLoad.Write(Console.Out, run.Load.Busy);
        run.ThrowIfPartial();
        return summaries.Any(summary => summary.HasCriticalValidationErrors
            || summary.Reports.Any(report => !report.Success || report.ResultStatistics is null)) ? ExitCode.Failed : ExitCode.Done;

        IConfig Config(Progress? progress = null, Func<double?>? otherCores = null) =>
            HarnessConfig.Create(hasJob, allocations, progress, parsed is not { } chosen || HarnessConfig.RunsPrebuilt(chosen.Options),
                    otherCores)
                .AddFilter(new SimpleFilter(IsMeasured));

        bool IsMeasured(BenchmarkCase cell) =>
            CellFactsExporter.LibraryOf(cell.Descriptor.WorkloadMethod) is not { } library || measured.Any(one => one.Name == library);
    }
}
