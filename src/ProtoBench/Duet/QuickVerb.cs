using System.CommandLine;
using System.Globalization;
using ProtoBench.DuetRunner;
using ProtoBench.Libraries;
using ProtoBench.Payloads;
using ProtoBench.Results;

namespace ProtoBench.Duet;

static class QuickVerb
{
    // above this half-width of an interval, the machine was too busy for figures with two digits
    const double wide = 0.15;

    static readonly Option<int> processes = Arguments.Option(
        "--processes", "processes for each comparison, each one sample", Arguments.Between(3, 1000), 4);

    static readonly (string Work, string Google, (string Library, string Cell)[] Others)[] comparisons =
    [
        ("Read", "DeserializeRequestGoogle_ROM", [("protobuf-net", "DeserializeRequestPBN_ROM"), ("slab", "DeserializeRequestSlab_ROM")]),
        ("Read, with a .NET string for each string field", "DeserializeStringsRequestGoogle_ROM",
            [("protobuf-net", "DeserializeStringsRequestPBN_ROM"), ("slab", "DeserializeStringsRequestSlab_ROM")]),
        ("Write", "SerializeRequestGoogle_BW", [("protobuf-net", "SerializeRequestPBN_MS"), ("slab", "SerializeRequestSlab_BW")]),
    ];

    public static Command Create()
    {
        var command = new Command("quick", "How fast Google.Protobuf, protobuf-net and the slab codec read and write the hive, in a minute")
        {
            processes,
        };
        command.SetAction((parsed, stop) =>
            RunAsync(parsed, parsed.InvocationConfiguration.Output, parsed.InvocationConfiguration.Error, stop));
        return command;
    }

    static async Task<int> RunAsync(ParseResult parsed, TextWriter output, TextWriter error, CancellationToken stop)
    {
        if (!string.Equals(BuildFacts.Configuration, "Release", StringComparison.Ordinal))
            throw new UsageException("quick: this is a Debug build; build with -c Release");
        try
        {
            LibraryValidation.Check(MeasuredLibraries.All);
        }
        catch (ValidationException e)
        {
            await error.WriteLineAsync($"ProtoBench: nothing was measured, because the libraries do not agree. {e.Message}");
            return ExitCode.Failed;
        }

        var settings = DuetOptions.Defaults(isTwoProcesses: false, parsed.GetValue(processes)) with { SecondsPerProcess = 0.25 };
        var request = new DuetRequest([], null, [], null, settings, PairsPerProcess: 1, null, "text", null);
        var result = await new DuetRun(Build.Current, Build.Current, request, error).RunAsync((_, cells) => Pairs(cells), stop);
        Write(result, output);
        return result.Partial ? throw new OperationCanceledException(stop)
            : result.Failed.Count > 0 ? ExitCode.Failed : ExitCode.Done;
    }

    static CellPair[] Pairs(IReadOnlyList<RunnerCell> cells) =>
    [
        .. from comparison in comparisons
           from other in comparison.Others
           select new CellPair(Find(cells, comparison.Google), Find(cells, other.Cell)),
    ];

    static RunnerCell Find(IReadOnlyList<RunnerCell> cells, string method) =>
        cells.FirstOrDefault(cell => cell.Method == method) ?? throw new UsageException($"quick: this build has no cell {method}");

    internal static void Write(DuetResult result, TextWriter output)
    {
        var packages = string.Join(", ", MeasuredLibraries.All.Select(library => library.PackageAndVersion).Distinct());
        output.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"One request of {Hive.RequestBytes:N0} bytes with {Hive.Items:N0} sub-items; {packages}"));
        foreach (var (work, google, others) in comparisons)
        {
            output.WriteLine($"\n{work} (Google.Protobuf: {Time(result, google)})");
            foreach (var (library, cell) in others)
            {
                var failed = result.Failed.FirstOrDefault(failure => IsCell(failure.New, cell));
                if (result.Duets.FirstOrDefault(pair => IsCell(pair.New.Cell, cell)) is { } pair)
                    output.WriteLine($"  {library,-13}{Sentence(pair)}");
                else
                    output.WriteLine($"  {library,-13}not measured: {failed?.Reason ?? "the run was stopped"}");
            }
        }

        if (result.Duets.Any(pair => pair.High - pair.Ratio > wide * pair.Ratio))
            output.WriteLine("\nThe machine was busy: some intervals are wide. More processes make them narrower: --processes 10.");
        output.WriteLine("""

            Brackets are 95 % intervals over processes; every ratio was measured in turns in one process.
            All read ReadOnlyMemory<byte> (ROM in the names of rows), which is faster than byte[] (BA) with
            Google.Protobuf. Google and slab write to an IBufferWriter<byte> (BW), and protobuf-net to a
            MemoryStream (MS), which is faster for it. The content of the messages is the same.

            Next, each after: dotnet run -c Release --project src/ProtoBench --
              new ../my-bench --proto FILE.proto --message NAME --synthesize 100   your own message
              --filter '*Request*'                                                 every library and buffer
              report BenchmarkDotNet.Artifacts/results                             a page of such a run
            """);
    }

    static string Sentence(DuetPair pair)
    {
        var change = string.Create(CultureInfo.InvariantCulture,
            $"takes {pair.Ratio:0.00} of Google's time [{pair.Low:0.00} to {pair.High:0.00}]");
        var bytes = pair.New.AllocatedBytesPerOperation < 1 && pair.Old.AllocatedBytesPerOperation < 1 ? ""
            : $", and allocates {DuetFigures.Bytes(pair.New.AllocatedBytesPerOperation)} B instead of "
                + $"{DuetFigures.Bytes(pair.Old.AllocatedBytesPerOperation)} B";
        return change + bytes;
    }

    static string Time(DuetResult result, string cell) =>
        result.Duets.FirstOrDefault(pair => IsCell(pair.Old.Cell, cell)) is { } pair
            ? Figures.Nanoseconds(pair.Old.NanosecondsPerOperation) : "-";

    static bool IsCell(string name, string method) =>
        name == method || name.EndsWith("." + method, StringComparison.Ordinal);
}
