using System.Reflection;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Filters;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Running;
using Google.Protobuf;

namespace ProtoBench.Harness;

/// <summary>Represents the program of a benchmark project: the payloads, the check, the measurement, and the summary.</summary>
/// <param name="benchmarks">The class with the cells.</param>
/// <param name="parser">Google's parser of the message.</param>
/// <param name="libraries">The libraries that are compared, Google.Protobuf first.</param>
public sealed class BenchmarkProgram(Type benchmarks, MessageParser parser, IReadOnlyList<ComparedLibrary> libraries)
{
    /// <summary>The method whose calls are also measured; null for none.</summary>
    public MeasuredMethod? Method { get; init; }

    /// <summary>Runs the program.</summary>
    /// <param name="args">The command line: <c>--rate N</c> for the summary, <c>--verbose</c> for all output of BenchmarkDotNet, and the
    /// options of BenchmarkDotNet.</param>
    /// <param name="load">Reads the payloads.</param>
    /// <returns>The exit code: 0 for success, 1 if a cell failed or the libraries do not agree, and 2 for wrong usage or if there are no
    /// payloads.</returns>
    public int Start(IReadOnlyList<string> args, Func<PayloadSet> load)
    {
        ArgumentNullException.ThrowIfNull(args);
        try
        {
            var (rate, rest) = TakeRate(args);
            ArgumentNullException.ThrowIfNull(load);
            var payloads = load();
            Console.WriteLine($"// {payloads.Distribution}");
            if (Agreement.FirstDisagreement(parser, payloads, libraries.Where(library => !library.IsOptional)) is { } disagreement)
            {
                Console.Error.WriteLine($"Nothing was measured, because the libraries do not agree. {disagreement}");
                return 1;
            }

            var (measured, leftOut) = Agreement.Split(parser, payloads, libraries);
            foreach (var reason in leftOut)
                Console.WriteLine($"// Left out: {reason}");
            Console.WriteLine($"// All libraries agree: {string.Join(", ", measured.Select(library => library.Package))}");
            if (Method is not null)
            {
                var replies = Method.LoadReplies();
                Console.WriteLine($"// {Method.Path}, replies: {replies.Distribution}");
                if (Agreement.FirstDisagreementAsync(Method, parser, payloads, replies).GetAwaiter().GetResult() is { } difference)
                {
                    Console.Error.WriteLine($"Nothing was measured, because the calls do not agree. {difference}");
                    return 1;
                }

                Console.WriteLine($"// All calls of {Method.Path} agree: {string.Join(", ", Method.Libraries.Keys)}");
            }

            return Measure(rest, payloads, rate, measured, leftOut);
        }
        catch (InvalidDataException e)
        {
            Console.Error.WriteLine(e.Message);
            return 2;
        }
    }

    int Measure(string[] args, PayloadSet payloads, double rate, IReadOnlyList<ComparedLibrary> measured,
        IReadOnlyList<string> leftOut)
    {
        var hasJob = args.Any(arg => arg is "-j" or "--job" || arg.StartsWith("--job=", StringComparison.Ordinal));
        var verbose = args.Contains("--verbose");
        args = [.. args.Where(arg => arg != "--verbose")];
        var all = args.Any(arg => arg is "-f" or "--filter" or "--list" or "--help" or "--info" or "--version")
            ? args : [.. args, "--filter", "*"];
        Type[] types = Method is null ? [benchmarks] : [benchmarks, Method.Benchmarks];
        if (BenchmarkArguments.Parse(all, Config(), "--help") is not { } asked)
        {
            BenchmarkSwitcher.FromTypes(types).Run(all, Config());
            return 0;
        }

        var cells = types.SelectMany(type => BenchmarkConverter.TypeToBenchmarks(type, asked.Config).BenchmarksCases).Count();
        if (cells == 0)
        {
            throw new InvalidDataException(UnknownCell.Message("--filter", [.. asked.Options.Filters],
                types.SelectMany(type => type.GetMethods()).Where(method => method.IsDefined(typeof(BenchmarkAttribute)))
                    .Select(method => method.Name)));
        }

        Console.WriteLine($"// {cells} cells");
        var progress = new Progress(Console.Out, !Console.IsOutputRedirected, Console.IsOutputRedirected ? 0 : Console.WindowWidth);
        var summaries = BenchmarkSwitcher.FromTypes(types).Run(all, Config(verbose ? null : progress)).ToArray();
        if (summaries.Length == 0)
            return 1;
        if (!verbose)
            MarkdownExporter.Console.ExportToLog(summaries[0], ConsoleLogger.Unicode);
        Console.WriteLine();
        Console.WriteLine(new CostSummary(payloads, measured, rate).Write(SummaryCell.Of(summaries[0])));
        foreach (var reason in leftOut)
            Console.WriteLine($"Left out: {reason}");
        Console.WriteLine($"Results: {summaries[0].ResultsDirectoryPath}\nLog:     {summaries[0].LogFilePath}");
        return summaries.Any(summary => summary.HasCriticalValidationErrors
            || summary.Reports.Any(report => !report.Success || report.ResultStatistics is null)) ? 1 : 0;

        IConfig Config(Progress? progress = null) => HarnessConfig.Create(hasJob, progress).AddFilter(new SimpleFilter(IsMeasured));

        bool IsMeasured(BenchmarkCase cell) =>
            SummaryCell.LibraryOf(cell) is not { } library || measured.Any(one => one.Name == library);
    }

    static (double Rate, string[] Others) TakeRate(IReadOnlyList<string> args)
    {
        var at = args.ToList().IndexOf("--rate");
        if (at < 0)
            return (1_000, [.. args]);
        return at + 1 < args.Count && double.TryParse(args[at + 1], System.Globalization.CultureInfo.InvariantCulture, out var rate)
            && rate > 0
            ? (rate, [.. args.Take(at), .. args.Skip(at + 2)])
            : throw new InvalidDataException("--rate takes the number of messages a second, such as --rate 5000");
    }
}
