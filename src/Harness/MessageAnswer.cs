using System.Reflection;
using BenchmarkDotNet.Attributes;
using ProtoBench.Harness.Duet;

namespace ProtoBench.Harness;

/// <summary>The answer of a benchmark project: what each library takes for the message and for calls with it, by duet, and what a service
/// pays at a given rate.</summary>
/// <param name="benchmarks">The class with the cells.</param>
/// <param name="method">The method whose calls are measured; null for none.</param>
/// <param name="libraries">The libraries, Google.Protobuf first.</param>
/// <param name="payloads">The payloads.</param>
sealed class MessageAnswer(Type benchmarks, MeasuredMethod? method, IReadOnlyList<ComparedLibrary> libraries, PayloadSet payloads)
{
    /// <summary>The parameter of cells with calls: how many there are at a time.</summary>
    public const string Callers = "Callers";

    // a run of calls takes tens of milliseconds
    const double secondsOfCalls = 2;

    static readonly (string Name, string Value) mix = ("Payloads", PayloadSet.Mix);

    // protobuf-net's runtime model has rows in the full table
    readonly Answer messages = new(Messages(benchmarks, [.. libraries.Skip(1).Where(library => library.Name != "PBNRuntime")]));

    readonly Answer? calls = method is null ? null : new(Calls(method, libraries));

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

    public void Write(DuetResult result, double rate, TextWriter output)
    {
        messages.Write(result, output);
        calls?.Write(result, output);
        WriteSizes(output);
        WriteRate(result, rate, output);
        output.WriteLine("""

            Each process alternates between both libraries and gives one ratio. The geometric mean of these ratios is
            shown, with its 95 % interval in brackets. One of 20 intervals is expected to be wrong; more
            processes, or duet, decide a small difference.
            All read ReadOnlyMemory<byte>. All write to an IBufferWriter<byte>, but protobuf-net writes to
            a MemoryStream, because there it writes lists of sub-messages faster. Its runtime model has
            rows in the table of --filter '*' only. The slab codec creates .NET strings only where the
            line says so; the others always do.
            """);
        Answer.WriteDoubts(result, output);
    }

    void WriteSizes(TextWriter output)
    {
        output.WriteLine("\nSize of a message (mean)");
        foreach (var format in libraries.GroupBy(library => library.FromProtobuf is null ? "protobuf" : library.Label))
        {
            var bytes = payloads.Of(PayloadSet.Mix).Average(payload => (format.First().FromProtobuf?.Invoke(payload) ?? payload).Length);
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"  {format.Key.PadRight(Width)}{bytes:N0} B"));
        }
    }

    void WriteRate(DuetResult result, double rate, TextWriter output)
    {
        var (read, write) = (Cell("DeserializeTouch", libraries[0]), Cell("Serialize", libraries[0]));
        if (read is null || write is null)
            return;
        result = result with { Duets = [.. result.Duets.Where(pair => pair.Low is not null)] }; // the others are not judged
        if (Answer.Of(result, read) is null || Answer.Of(result, write) is null)
            return;
        output.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"\nA service that reads every field of {rate:N0} messages a second and writes as many (--rate) pays"));
        foreach (var library in libraries)
        {
            if (Side("DeserializeTouch") is not { } reads || Side("Serialize") is not { } writes)
                continue;
            var (time, bytes) = (reads.NanosecondsPerOperation + writes.NanosecondsPerOperation,
                reads.AllocatedBytesPerOperation + writes.AllocatedBytesPerOperation);
            output.WriteLine(string.Create(CultureInfo.InvariantCulture,
                $"  {library.Label.PadRight(Width)}{Cores(time * rate / 1e9)}, and allocates {bytes * rate / 1e6:N2} MB a second"));

            DuetSide? Side(string verb) => Cell(verb, library) is { } cell ? Answer.Of(result, cell) : null;
        }
    }

    static string Cores(double share) =>
        share > 1 ? string.Create(CultureInfo.InvariantCulture, $"{share:N1} cores") : string.Create(CultureInfo.InvariantCulture, $"{share:P2} of a core");

    int Width => libraries.Max(library => library.Label.Length) + 2;

    AnswerCell? Cell(string verb, ComparedLibrary library) => Cell(benchmarks, verb, library, null);

    static ComparedWork[] Messages(Type benchmarks, IReadOnlyList<ComparedLibrary> others)
    {
        return
        [
            .. new[]
            {
                Work("Read", "Deserialize", others, null),
                Work("Read every field", "DeserializeTouch", others, null),
                Work("Read every field, with a .NET string for each string field", "DeserializeTouch",
                    [.. others.Where(library => library.Name == "Slab")], "Strings"),
                Work("Write", "Serialize", others, null),
            }.OfType<ComparedWork>(),
        ];

        ComparedWork? Work(string name, string verb, IReadOnlyList<ComparedLibrary> compared, string? form) =>
            Cell(benchmarks, verb, "Google", null) is not { } google ? null : new(name, google,
                [.. from library in compared
                    let cell = Cell(benchmarks, verb, library, form)
                    where cell is not null
                    select (library.Label, cell)]);
    }

    static ComparedWork[] Calls(MeasuredMethod method, IReadOnlyList<ComparedLibrary> libraries)
    {
        var property = method.Benchmarks.GetProperty(Callers)!;
        return
        [
            .. from number in property.GetCustomAttribute<ParamsAttribute>()!.Values
               let text = string.Create(CultureInfo.InvariantCulture, $"{number}")
               let google = Cell(method.Benchmarks, "Call", "Google", null)
               select new ComparedWork($"Call {method.Path}, {text} caller{(text == "1" ? "" : "s")}, both sides in one process",
                   google with { Parameter = (Callers, text) },
                   [.. from library in libraries.Skip(1)
                       where method.Libraries.ContainsKey(library.Name)
                       select (library.Label, Cell(method.Benchmarks, "Call", library, null)! with { Parameter = (Callers, text) })]),
        ];
    }

    static AnswerCell? Cell(Type type, string verb, ComparedLibrary library, string? form) => Cell(type, verb, library.Name, form);

    static AnswerCell? Cell(Type type, string verb, string library, string? form)
    {
        var found = type.GetMethods().FirstOrDefault(method => CellFactsExporter.LibraryOf(method) == library
            && method.GetCustomAttribute<BenchmarkCategoryAttribute>()?.Categories is [var category, ..] && category == verb
            && CellFactsExporter.FormOf(method) == form);
        return found is null ? null : new(found.Name, mix);
    }
}
