using System.CommandLine;
using System.Text.RegularExpressions;
using ProtoBench.Harness.Duet;
using ProtoBench.Payloads;
using ProtoBench.Results;

namespace ProtoBench;

static class QuickVerb
{
    static readonly Option<int> processes = Arguments.Option(
        "--processes", "processes for each comparison, each one sample", Arguments.Between(3, 1000), 4);

    // messages a second, for which the recommendation has its figures
    const double rate = 1_000;

    static readonly Option<bool> save =
        Arguments.Option<bool>("--save", "keep the answer and its figures as results/<cpu>/Quick.json");

    static readonly ComparedWork readStrings = new("Read, with a .NET string for each string field", new("DeserializeStringsRequestGoogle_ROM"),
        [new("protobuf-net", new("DeserializeStringsRequestPBN_ROM")), new("slab", new("DeserializeStringsRequestSlab_ROM"))]);

    static readonly ComparedWork readFields = new("Read every field", new("DeserializeTouchRequestGoogle_ROM"),
        [new("slab", new("DeserializeTouchRequestSlab_ROM"))]);

    static readonly ComparedWork make = OfHive("Make a message and write it", "Make");

    static readonly ComparedWork write = new("Write a message that exists", new("SerializeRequestGoogle_BW"),
        [
            new("protobuf-net", new("SerializeRequestPBN_MS"), "to a stream"),
            new("protobuf-net", new("SerializeRequestPBN_BW"), "to a buffer writer"), new("slab", new("SerializeRequestSlab_BW")),
        ]);

    static readonly Answer answer = new(Baseline.Google,
    [
        new("Read", new("DeserializeRequestGoogle_ROM"),
            [new("protobuf-net", new("DeserializeRequestPBN_ROM")), new("slab", new("DeserializeRequestSlab_ROM"))]),
        readFields, readStrings, make,
        OfHive("Serve: read a message and a third of its fields, make a reply and write it", "Serve"), write,
    ]);

    // a library that reads strings as .NET strings reads the same fields in both kinds of work
    static readonly ServiceAnswer service = new(Baseline.Google,
        [
            new("protobuf-net", "protobuf-net", readStrings), new("slab", "slab", readFields, IsUtf8: true),
            new("slab with .NET strings", "slab", readStrings),
        ],
        [("makes and writes", make), ("writes", write)]);

    static ComparedWork OfHive(string name, string verb)
    {
        return new(name, Cell("Google"),
        [
            new("protobuf-net", Cell("PBN"), "to a stream"), new("protobuf-net", Cell("PBN_BW"), "to a buffer writer"),
            new("slab", Cell("Slab")),
        ]);

        AnswerCell Cell(string library) => new($"{verb}Set{library}", ("DataSet", "Hive"));
    }

    public static Command Create()
    {
        var command = new Command("quick", "How fast Google.Protobuf, protobuf-net and the slab codec read, make and serve the hive, in about two minutes")
        {
            processes, save,
        };
        command.SetAction((parsed, stop) =>
            RunAsync(parsed, parsed.InvocationConfiguration.Output, parsed.InvocationConfiguration.Error, stop));
        return command;
    }

    static async Task<int> RunAsync(ParseResult parsed, TextWriter output, TextWriter error, CancellationToken stop)
    {
        BuildFacts.Program.RequireRelease("quick");
        if (parsed.GetValue(save))
            Saved.Check();
        try
        {
            LibraryValidation.Check(MeasuredLibraries.All);
        }
        catch (ValidationException e)
        {
            await error.WriteLineAsync($"ProtoBench: nothing was measured, because the libraries do not agree. {e.Message}");
            return ExitCode.Failed;
        }

        var result = await DuetRun.CompareAsync(BuildFacts.Program, answer, parsed.GetValue(processes), 0.25, error, stop);
        result.RequireAny();
        Write(result, output);
        if (parsed.GetValue(save) && !result.Partial)
            await output.WriteLineAsync($"\nSaved: {Saved.Write("Quick", result, answer.Table(result))}");
        return result.Partial ? throw new StoppedException(measured: true, file: null)
            : result.Failed.Count > 0 ? ExitCode.Failed : ExitCode.Done;
    }

    /// <summary>Returns what is said about the kinds of work whose names match.</summary>
    internal static string Lines(DuetResult result, string works)
    {
        using var output = new StringWriter { NewLine = "\n" };
        answer.Only(work => Regex.IsMatch(work, works)).Write(result, output);
        return output.ToString().TrimStart('\n');
    }

    internal static void Write(DuetResult result, TextWriter output)
    {
        var packages = string.Join(", ", MeasuredLibraries.All.Select(library => library.PackageAndVersion).Distinct());
        output.WriteLine($"One request of {Hive.RequestBytes:N0} bytes with {Hive.Items:N0} sub-items; {packages}");
        answer.Write(result, output);
        output.WriteLine("""

            Each process alternates between both libraries and gives one ratio. The geometric mean of these ratios is
            shown, with its 95 % interval in brackets.
            All read ReadOnlyMemory<byte> (ROM in the names of rows), which is faster than byte[] (BA) with
            Google.Protobuf. All write to an IBufferWriter<byte> (BW). protobuf-net also writes to a MemoryStream
            (MS), and the faster of both is shown. The content of the messages is the same.
            """);
        Answer.WriteDoubts(result, output);
        service.WriteRecommendation(result, rate, output);
        output.WriteLine("""

            Next, each after: dotnet run -c Release --project src/ProtoBench --
              new ../my-bench --proto FILE.proto --message NAME --synthesize 100   your own message
              --filter '*Request*'                                                 every library and buffer
              report BenchmarkDotNet.Artifacts/results                             a page of such a run
            """);
    }
}
