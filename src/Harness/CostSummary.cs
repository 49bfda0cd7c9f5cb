using System.Diagnostics;
using System.Globalization;
using System.Text;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Mathematics;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using ProtoBench.Results;

namespace ProtoBench.Harness;

/// <summary>Creates the summary in sentences: the cost of a message, the cost of a service at a given rate, and the losses of each
/// library.</summary>
/// <param name="payloads">The payloads.</param>
/// <param name="libraries">The libraries. The first is the baseline.</param>
/// <param name="rate">The number of messages per second.</param>
sealed class CostSummary(PayloadSet payloads, IReadOnlyList<ComparedLibrary> libraries, double rate)
{
    // Each side is one process, and code layout alone causes differences of up to 15 %. If the quartiles overlap, the machine was too busy
    // for an answer.
    const double faster = 0.85, slower = 1.15;

    static readonly (string Part, string Whole)[] parts = [("Deserialize", "DeserializeTouch"), ("Serialize", "MeasureSerialize")];

    readonly StringBuilder text = new();
    readonly Lazy<double> allocation = new(AllocationCost.NanosecondsPerByte);

    /// <summary>Returns the text. It runs loops of its own for a second for each library.</summary>
    public string Write(IReadOnlyList<SummaryCell> cells)
    {
        Line($"Summary ({payloads.Distribution})");
        if (cells.Count == 0)
            Line($"No cell of the mix ran.");
        else if (!cells.All(cell => cell.IsMeasurement))
            Line($"This run contains no measurements: it has fewer than 3 iterations of each cell, as a dry run does. It shows only that the cells run. Leave out --job for figures.");
        else
            Figures(cells);
        return text.ToString();
    }

    void Figures(IReadOnlyList<SummaryCell> cells)
    {
        foreach (var library in libraries)
            Describe(library, cells);
        foreach (var library in libraries)
            Contradictions(library, cells);
        // the last lines of the output are those of the last library, the slab codec, which is what most users ask for
        foreach (var library in libraries.Skip(1))
            Compare(libraries[0], library, cells);
    }

    void Describe(ComparedLibrary library, IReadOnlyList<SummaryCell> cells)
    {
        (string What, SummaryCell? Cell)[] rows =
        [
            ("read every field", Find(cells, library, "DeserializeTouch") ?? Find(cells, library, "Deserialize")),
            ("read it with strings", Find(cells, library, "DeserializeTouch", "Strings")),
            ("with pooled strings", Find(cells, library, "DeserializeTouch", "Pooled")),
            ("write", Find(cells, library, "Serialize")),
            ("measure and write", Find(cells, library, "MeasureSerialize")),
        ];
        SummaryCell[] calls = [.. cells.Where(cell => cell.Library == library.Name && cell.Calls is not null)];
        if (calls.Length == 0 && rows.All(row => row.Cell is null))
            return;
        Line($"\n{library.Package}");
        foreach (var (what, cell) in rows)
        {
            if (cell is null)
                continue;
            Line($"  {what,-22} {Time(cell.Nanoseconds),10} and {cell.Bytes,8:N0} B a message; at {rate:N0} messages/s {cell.Nanoseconds * rate / 1e9:P2} of a core and {cell.Bytes * rate / 1e6:N2} MB/s allocated");
            Line($"  {"",-22} {Shares(cell)}");
            if (cell.Fault is { } fault)
                Line($"  {"",-22} not to be believed, {fault}");
        }

        foreach (var cell in calls)
            Describe(cell, cell.Calls!.Value);
        if (rows.Any(row => row.Cell is not null))
            Line($"  reading and writing in a loop, garbage collections pause the process for {PauseShare(library):P1} of the time");
    }

    void Describe(SummaryCell cell, CallFigures calls)
    {
        var callers = string.Create(CultureInfo.InvariantCulture, $"{calls.Callers} caller{(calls.Callers == 1 ? "" : "s")}");
        Line($"  {"calls, " + callers,-22} {1e9 / cell.Nanoseconds,10:N0} calls/s, p50 {Time(calls.P50)}, p99 {Time(calls.P99)}, {cell.Bytes:N0} B a call on both sides together");
        if (cell.Fault is { } fault)
            Line($"  {"",-22} not to be believed, {fault}");
    }

    // A row that does more work than another one cannot take less time, so neither of the two is reliable. Rows whose quartiles overlap
    // take the same time.
    void Contradictions(ComparedLibrary library, IReadOnlyList<SummaryCell> cells)
    {
        foreach (var (part, whole) in parts)
        {
            if (Find(cells, library, part) is { } less && Find(cells, library, whole) is { } more
                && more.Nanoseconds < less.Nanoseconds && !more.Overlaps(less))
            {
                Line($"\nnoise: {part} of {library.Name} takes {Time(less.Nanoseconds)}, and {whole}, which includes it, only {Time(more.Nanoseconds)}. Differences of this size mean nothing in this run");
            }
        }
    }

    string Shares(SummaryCell cell)
    {
        if (cell.Bytes < 1)
            return "all of it is codec: nothing is allocated";
        var alone = cell.Bytes * allocation.Value;
        var share = alone / cell.Nanoseconds;
        if (share > 1) // other programs used the processor, or objects are larger than those of the loop
        {
            return string.Create(CultureInfo.InvariantCulture,
                $"no estimate of allocation: a loop that only allocates as many bytes, in objects of {AllocationCost.ObjectBytes} B, takes {Time(alone)}");
        }

        return string.Create(CultureInfo.InvariantCulture,
            $"about {share:P0} allocation, {1 - share:P0} codec: a loop that only allocates as many bytes, in objects of {AllocationCost.ObjectBytes} B, takes {Time(alone)}");
    }

    void Compare(ComparedLibrary first, ComparedLibrary other, IReadOnlyList<SummaryCell> cells)
    {
        (SummaryCell One, SummaryCell Two)[] pairs =
        [
            .. from cell in cells
               where cell.Library == other.Name
               let baseline = Find(cells, first, cell.Verb)
               where baseline is not null
               select (baseline, cell),
        ];
        if (pairs.Length > 0)
            Line($"\n{other.Name} against {first.Name} (time; below 1.00 is faster)");
        foreach (var (one, two) in pairs)
        {
            var ratio = two.Nanoseconds / one.Nanoseconds;
            var words = (one.Fault ?? two.Fault) is { } fault ? $", no verdict, {fault}" : ratio is >= faster and <= slower || one.Overlaps(two)
                ? ", no difference that this run can show" : ratio < 1 ? "" : $", {other.Name} LOSES here";
            Line($"  {two.Verb + (two.Form is null ? "" : $", {two.Form}"),-26} {ratio:F2}, {one.Bytes:N0} B to {two.Bytes:N0} B{words}");
        }
    }

    void Line(FormattableString line) => text.AppendLine(line.ToString(CultureInfo.InvariantCulture));

    static SummaryCell? Find(IEnumerable<SummaryCell> cells, ComparedLibrary library, string verb, string? form = null) =>
        cells.FirstOrDefault(cell => cell.Verb == verb && cell.Library == library.Name && cell.Form == form);

    static string Time(double? nanoseconds) => nanoseconds is { } known ? Time(known) : "unknown (too few calls)";

    static string Time(double nanoseconds) => nanoseconds < 1_000
        ? nanoseconds.ToString("F1", CultureInfo.InvariantCulture) + " ns"
        : (nanoseconds / 1_000).ToString("N2", CultureInfo.InvariantCulture) + " μs";

    /// <summary>Returns the share of a second of round trips in which collections stop the process.</summary>
    double PauseShare(ComparedLibrary library)
    {
        var all = payloads.Of(PayloadSet.Mix);
        var wires = new Cycle<byte[]>(library.FromProtobuf is { } convert ? [.. all.Select(convert)] : all);
        var (began, before) = (Stopwatch.GetTimestamp(), GC.GetTotalPauseDuration());
        while (Stopwatch.GetElapsedTime(began) < TimeSpan.FromSeconds(1))
        {
            for (var i = 0; i < 100; i++)
                GC.KeepAlive(library.RoundTrip(wires.Next));
        }

        return (GC.GetTotalPauseDuration() - before) / Stopwatch.GetElapsedTime(began);
    }
}

/// <summary>Represents a measured cell in the summary.</summary>
/// <param name="Verb">The cell's category, such as DeserializeTouch.</param>
/// <param name="Library">The name of a <see cref="ComparedLibrary"/>.</param>
/// <param name="Iterations">The number of iterations.</param>
/// <param name="Nanoseconds">The median time of an operation.</param>
/// <param name="Quartiles">The first and the third quartile of that time.</param>
/// <param name="Bytes">The bytes allocated by an operation.</param>
/// <param name="Fault">The reason why the times are not reliable; null if they are.</param>
/// <param name="Form">The form of the cell, if the library has several cells for a verb; null for its ordinary one.</param>
/// <param name="Calls">The figures of calls; null for other cells.</param>
sealed record SummaryCell(string Verb, string Library, int Iterations, double Nanoseconds, (double Low, double High) Quartiles,
    double Bytes, string? Fault = null, string? Form = null, CallFigures? Calls = null)
{
    // a dry run has one iteration, which includes the first call of everything
    const int fewestIterations = 3;

    /// <summary>Gets whether the figures are a measurement and not those of a dry run.</summary>
    public bool IsMeasurement => Iterations >= fewestIterations;

    /// <summary>Returns whether the interquartile ranges of both cells overlap.</summary>
    public bool Overlaps(SummaryCell other) => Quartiles.Low <= other.Quartiles.High && other.Quartiles.Low <= Quartiles.High;

    /// <summary>Returns the cells of the mix that ran.</summary>
    public static SummaryCell[] Of(Summary summary) =>
        [.. summary.Reports.Where(report => report.ResultStatistics is not null && IsOfMix(report)).Select(Of).OfType<SummaryCell>()];

    /// <summary>Returns the library that a cell measures; null for a cell without the attribute.</summary>
    public static string? LibraryOf(BenchmarkCase cell) =>
        cell.Descriptor.WorkloadMethod.GetCustomAttributes(typeof(MeasuresAttribute), inherit: false).OfType<MeasuresAttribute>()
            .FirstOrDefault()?.Library;

    /// <summary>Returns what follows the library in a cell's name; null for a library's ordinary cell.</summary>
    public static string? FormOf(BenchmarkCase cell) => cell.Descriptor.WorkloadMethod.Name.Split('_') is [_, .., var form] ? form : null;

    static bool IsOfMix(BenchmarkReport report) =>
        report.BenchmarkCase.Parameters.Items.FirstOrDefault(item => item.Name == "Payloads")?.Value is null or PayloadSet.Mix;

    internal static SummaryCell? Of(BenchmarkReport report)
    {
        var descriptor = report.BenchmarkCase.Descriptor;
        var library = LibraryOf(report.BenchmarkCase);
        if (library is null || descriptor.Categories is not [var verb, ..])
            return null;
        CallFigures? calls = null;
        if (report.BenchmarkCase.Parameters.Items.FirstOrDefault(item => item.Name == "Callers")?.Value is int callers)
        {
            var (p50, p99) = CallLatencies.Of(report);
            calls = new(callers, p50, p99);
            verb = string.Create(CultureInfo.InvariantCulture, $"{verb}, {callers} caller{(callers == 1 ? "" : "s")}");
        }

        var (times, fault) = Believed(report);
        return new(verb, library, times.N, times.Median, (times.Q1, times.Q3),
            report.GcStats.GetBytesAllocatedPerOperation(report.BenchmarkCase) ?? 0, fault, FormOf(report.BenchmarkCase), calls);
    }

    // The iterations of the reliable launches. If there are none, all of them with the fault of the first.
    static (Statistics Times, string? Fault) Believed(BenchmarkReport report)
    {
        var asked = LaunchCheck.Asked(report.BenchmarkCase.Job.DisplayInfo);
        var faults = report.AllMeasurements
            .Where(one => one is { IterationMode: IterationMode.Workload, IterationStage: IterationStage.Actual })
            .GroupBy(one => one.LaunchIndex)
            .ToDictionary(launch => launch.Key,
                launch => LaunchCheck.Fault([.. launch.Select(one => (one.Operations, one.Nanoseconds))], asked));
        double[] believed =
        [
            .. report.AllMeasurements
                .Where(one => one is { IterationMode: IterationMode.Workload, IterationStage: IterationStage.Result })
                .Where(one => faults.GetValueOrDefault(one.LaunchIndex) is null)
                .Select(one => one.Nanoseconds / one.Operations),
        ];
        return believed.Length > 0
            ? (new(believed), null) : (report.ResultStatistics!, faults.Values.FirstOrDefault(fault => fault != null));
    }
}

/// <summary>Represents the figures of calls.</summary>
/// <param name="Callers">The number of concurrent calls.</param>
/// <param name="P50">The median of their times in nanoseconds; null for too few calls.</param>
/// <param name="P99">The 99th percentile.</param>
readonly record struct CallFigures(int Callers, double? P50, double? P99);

/// <summary>Measures the cost of allocations alone on this machine, with a loop that allocates arrays and does not use them.</summary>
static class AllocationCost
{
    /// <summary>The size of each object of the loop in bytes, which is about the mean of a message with short strings.</summary>
    public const int ObjectBytes = 48;

    // header, type and length of an array on a 64-bit runtime
    const int overhead = 24;
    const int batch = 10_000;
    const int kept = 64;

    // the number of slices of the median, because another program may disturb one of them
    const int slices = 5;
    static readonly TimeSpan slice = TimeSpan.FromMilliseconds(50);

    /// <summary>Returns the nanoseconds per byte, including collections. Takes less than a second.</summary>
    public static double NanosecondsPerByte()
    {
        var ring = new byte[kept][];
        Allocate(ring);
        return Enumerable.Range(0, slices).Select(_ => Slice(ring)).Order().ElementAt(slices / 2);
    }

    static double Slice(byte[][] ring)
    {
        var (began, batches) = (Stopwatch.GetTimestamp(), 0L);
        for (; Stopwatch.GetElapsedTime(began) < slice; batches++)
            Allocate(ring);
        return Stopwatch.GetElapsedTime(began).TotalNanoseconds / (batches * batch * ObjectBytes);
    }

    // The last arrays stay reachable for some time, so that the compiler cannot remove the allocation.
    static void Allocate(byte[][] ring)
    {
        for (var i = 0; i < batch; i++)
            ring[i % kept] = new byte[ObjectBytes - overhead];
    }
}
