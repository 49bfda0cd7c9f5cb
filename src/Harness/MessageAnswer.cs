using System.Reflection;
using BenchmarkDotNet.Attributes;
using ProtoBench.Harness.Duet;

namespace ProtoBench.Harness;

/// <summary>The answer of a benchmark project: what each library takes for the message and for calls with it, by duet, what a service
/// pays at a given rate, and which library is recommended.</summary>
/// <param name="benchmarks">The class with the cells.</param>
/// <param name="method">The method whose calls are measured; null for none.</param>
/// <param name="libraries">The libraries. The first is the baseline.</param>
/// <param name="payloads">The payloads.</param>
sealed class MessageAnswer(Type benchmarks, MeasuredMethod? method, IReadOnlyList<ComparedLibrary> libraries, PayloadSet payloads)
{
    /// <summary>The parameter of cells with calls: how many there are at a time.</summary>
    public const string Callers = "Callers";

    // a run of calls takes tens of milliseconds
    const double secondsOfCalls = 2;

    static readonly (string Name, string Value) mix = ("Payloads", PayloadSet.Mix);

    readonly Baseline baseline = Baseline.Of(libraries[0]);

    readonly Answer messages = new(Baseline.Of(libraries[0]), Messages(benchmarks, libraries[0], Compared(libraries)));

    readonly Answer? calls = method is null ? null : new(Baseline.Of(libraries[0]), Calls(method, libraries));

    public async Task<DuetResult> MeasureAsync(MeasuredProgram program, int processes, TextWriter progress, CancellationToken stop)
    {
        var result = await DuetRun.CompareAsync(program, messages, processes, 0.25, progress, stop);
        if (calls is null || result.Partial)
            return result;
        try
        {
            var more = await DuetRun.CompareAsync(program, calls, processes, secondsOfCalls, progress, stop);
            return result with
            {
                Partial = more.Partial,
                OtherCores = new[] { result.OtherCores, more.OtherCores }.Max(),
                Duets = [.. result.Duets, .. more.Duets],
                Failed = [.. result.Failed, .. more.Failed],
            };
        }
        catch (OperationCanceledException)
        {
            return result with { Partial = true };
        }
    }

    /// <summary>Returns whether a result has anything that this project measures.</summary>
    public bool IsIn(DuetResult result) => messages.IsIn(result) || calls?.IsIn(result) == true;

    /// <summary>Returns the answer. What a console prints and what a page shows are its lines.</summary>
    public DuetAnswer Of(DuetResult result, double rate, string message, IReadOnlyList<string> about)
    {
        var service = Service();
        return new()
        {
            Message = message,
            Baseline = baseline.Label,
            About = about,
            Works = [.. messages.Named(result), .. calls?.Named(result) ?? []],
            Lines = Lines(output => Write(result, rate, service, output)),
            Recommendation = Lines(output => service.WriteRecommendation(result, rate, output)),
        };

        static string[] Lines(Action<TextWriter> write)
        {
            using var output = new StringWriter { NewLine = "\n" };
            write(output);
            return output.ToString().ReplaceLineEndings("\n").TrimEnd('\n').Split('\n');
        }
    }

    public static void Write(DuetAnswer answer, TextWriter output)
    {
        foreach (var line in answer.Lines.Concat(answer.Recommendation))
            output.WriteLine(line);
    }

    void Write(DuetResult result, double rate, ServiceAnswer service, TextWriter output)
    {
        messages.Write(result, output);
        calls?.Write(result, output);
        WriteSizes(output);
        service.WriteCosts(result, rate, output);
        var destinations = !libraries.Any(library => library.Name == "PBN")
            ? "All read ReadOnlyMemory<byte>, and write to an IBufferWriter<byte>."
            : Work("", "Serialize")?.Others.Any(other => other.Destination is not null) == true
            ? """
                All read ReadOnlyMemory<byte>. All write to an IBufferWriter<byte>. protobuf-net also writes to a
                MemoryStream, and the faster of both is shown.
                """
            : """
                All read ReadOnlyMemory<byte>. All write to an IBufferWriter<byte>, but protobuf-net writes to
                a MemoryStream, because there it writes lists of sub-messages faster.
                """;
        var runtimeModel = libraries.Any(library => library.Name == "PBNRuntime")
            ? "\nIts runtime model has rows in the table of --filter '*' only." : "";
        var strings = libraries.Any(library => library.Name == "Slab")
            ? "\nThe slab codec creates .NET strings only where the line says so; the others always do." : "";
        var hasRest = Work("", "Make") is not null && HasSameFormat(Compared(libraries));
        var rest = hasRest && libraries.Any(library => library.FromPayload is not null)
            ? "\nServe and Write have rows of the other formats with --filter '*' only." : "";
        output.WriteLine($"""

            Each process alternates between both libraries and gives one ratio. The geometric mean of these ratios is
            shown, with its 95 % interval in brackets. At most one of 20 intervals is expected to be wrong; more
            processes, or duet, decide a small difference.
            {destinations}{runtimeModel}{rest}{strings}
            """);
        Answer.WriteDoubts(result, output);
    }

    void WriteSizes(TextWriter output)
    {
        output.WriteLine("\nSize of a message (mean)");
        var width = libraries.Max(library => library.Label.Length) + 2;
        foreach (var format in libraries.GroupBy(library => library.FromPayload is null ? "protobuf" : library.Label))
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"  {format.Key.PadRight(width)}{Bytes(format.First()):N0} B"));
    }

    double Bytes(ComparedLibrary library) =>
        payloads.Of(PayloadSet.Mix).Average(payload => (library.FromPayload?.Invoke(payload) ?? payload).Length);

    // A service makes what it writes. A message that exists already is written where nothing makes one.
    ServiceAnswer Service()
    {
        var bytes = Math.Max(1, Bytes(libraries[0]));
        return new(
            baseline,
            [
                .. from library in Compared(libraries)
                   from read in Reads(library)
                   select read with { Size = library.FromPayload is null ? null : Bytes(library) / bytes },
            ],
            [.. Writes("makes and writes", "Make"), .. Writes("writes", "Serialize")]);

        IEnumerable<Alternative> Reads(ComparedLibrary library)
        {
            var strings = Work("", "DeserializeTouch", "Strings") is { } work && work.Libraries.Contains(library.Label)
                ? new Alternative($"{library.Label} with .NET strings", library.Label, work) : null;
            if (Work("", "DeserializeTouch") is { } all)
                yield return new(library.Label, library.Label, all, IsUtf8: strings is not null);
            if (strings is not null)
                yield return strings;
        }

        IEnumerable<(string, ComparedWork)> Writes(string does, string verb) => Work(does, verb) is { } work ? [(does, work)] : [];
    }

    ComparedWork? Work(string name, string verb, string? form = null) =>
        WorkOf(benchmarks, name, verb, libraries[0], Compared(libraries), form);

    // protobuf-net's runtime model has rows in the full table
    static ComparedLibrary[] Compared(IEnumerable<ComparedLibrary> libraries) =>
        [.. libraries.Skip(1).Where(library => library.Name != "PBNRuntime")];

    // What a service pays and the recommendation need reading, and making or writing. The rest of the other formats' rows would make the
    // answer a third longer: 34 pairs instead of 24.
    static ComparedWork[] Messages(Type benchmarks, ComparedLibrary baseline, IReadOnlyList<ComparedLibrary> others)
    {
        var made = Work("Make a message and write it", "Make", others);
        var rest = made is null || !HasSameFormat(others) ? others : [.. others.Where(library => library.FromPayload is null)];
        return
        [
            .. new[]
            {
                Work("Read every field", "DeserializeTouch", others),
                Work("Read every field, with a .NET string for each string field", "DeserializeTouch",
                    [.. others.Where(library => library.Name == "Slab")], "Strings"),
                made,
                Work("Serve: read a message and a third of its fields, make a reply and write it", "Serve", rest),
                Work("Write a message that exists", "Serialize", rest),
            }.OfType<ComparedWork>(),
        ];

        ComparedWork? Work(string name, string verb, IReadOnlyList<ComparedLibrary> compared, string? form = null) =>
            WorkOf(benchmarks, name, verb, baseline, compared, form);
    }

    static bool HasSameFormat(IEnumerable<ComparedLibrary> others) => others.Any(library => library.FromPayload is null);

    /// <summary>Returns the cells of a category and form; null if the baseline has none. Its ordinary cell is compared with a form
    /// that it does not have.</summary>
    static ComparedWork? WorkOf(Type benchmarks, string name, string verb, ComparedLibrary baseline, IReadOnlyList<ComparedLibrary> others,
        string? form) =>
        (Cell(benchmarks, verb, baseline.Name, form) ?? Cell(benchmarks, verb, baseline.Name, null)) is not { } cell ? null
            : new(name, cell, [.. others.SelectMany(library => Cells(benchmarks, verb, library, form))]);

    // a cell that differs from another one by its destination only has the name of that cell and this ending
    static IEnumerable<ComparedCell> Cells(Type benchmarks, string verb, ComparedLibrary library, string? form)
    {
        if (Cell(benchmarks, verb, library.Name, form) is not { } cell)
            return [];
        return benchmarks.GetMethod(cell.Method + "_BW") is { } other
            ? [new(library.Label, cell, "to a stream"), new(library.Label, new(other.Name, mix), "to a buffer writer")]
            : [new(library.Label, cell)];
    }

    static ComparedWork[] Calls(MeasuredMethod method, IReadOnlyList<ComparedLibrary> libraries)
    {
        var property = method.Benchmarks.GetProperty(Callers)!;
        return
        [
            .. from number in property.GetCustomAttribute<ParamsAttribute>()!.Values
               let text = string.Create(CultureInfo.InvariantCulture, $"{number}")
               let google = Cell(method.Benchmarks, "Call", "Google", null)!
               select new ComparedWork($"Call {method.Path}, {text} caller{(text == "1" ? "" : "s")}, both sides in one process",
                   google with { Parameter = (Callers, text) },
                   [.. from library in libraries.Skip(1)
                       where method.Libraries.ContainsKey(library.Name)
                       let cell = Cell(method.Benchmarks, "Call", library.Name, null)!
                       select new ComparedCell(library.Label, cell with { Parameter = (Callers, text) })]),
        ];
    }

    static AnswerCell? Cell(Type type, string verb, string library, string? form)
    {
        var found = type.GetMethods().FirstOrDefault(method => CellFactsExporter.LibraryOf(method) == library
            && method.GetCustomAttribute<BenchmarkCategoryAttribute>()?.Categories is [var category, ..] && category == verb
            && CellFactsExporter.FormOf(method) == form);
        return found is null ? null : new(found.Name, mix);
    }
}
