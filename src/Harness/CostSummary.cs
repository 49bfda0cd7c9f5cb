using System.Diagnostics;
using System.Globalization;
using System.Text;
using BenchmarkDotNet.Reports;

namespace ProtoBench.Harness;

/// <summary>The result in words: what a message costs, what a service pays at a given rate, and where a library loses.</summary>
static class CostSummary
{
    public static string Write(Summary summary, PayloadSet payloads, IReadOnlyList<MeasuredLibrary> libraries, double rate)
    {
        Cell[] cells = [.. summary.Reports.Where(report => report.ResultStatistics is not null).Select(Cell.Of).OfType<Cell>().Where(cell => cell.Class is "" or PayloadSet.Mix)];
        var text = new StringBuilder();
        text.AppendLine(CultureInfo.InvariantCulture, $"Summary ({payloads.Distribution})");
        if (cells.Length == 0)
            return text.AppendLine("No cell of the mix was measured.").ToString();
        foreach (var library in libraries)
            Describe(text, library, cells, payloads, rate);
        foreach (var library in libraries.Skip(1))
            Compare(text, libraries[0], library, cells);
        return text.ToString();
    }

    static void Describe(StringBuilder text, MeasuredLibrary library, Cell[] cells, PayloadSet payloads, double rate)
    {
        var (read, strings, write) = (Find(cells, library, "DeserializeTouch") ?? Find(cells, library, "Deserialize"), Find(cells, library, "DeserializeStrings"), Find(cells, library, "MeasureSerialize"));
        if (read is null && write is null)
            return;
        text.AppendLine(CultureInfo.InvariantCulture, $"\n{library.Package}");
        foreach (var (what, cell) in new[] { ("read every field", read), ("read it with strings", strings), ("measure and write", write) })
        {
            if (cell is not null)
                text.AppendLine(CultureInfo.InvariantCulture, $"  {what,-22} {Time(cell.Nanoseconds),10} and {cell.Bytes,8:N0} B a message; at {rate:N0} messages/s {Core(cell, rate)} of a core and {Megabytes(cell, rate)} MB/s allocated");
        }

        text.AppendLine(CultureInfo.InvariantCulture, $"  reading and writing in a loop, garbage collections pause the process for {PauseShare(library, payloads):P1} of the time");
    }

    static void Compare(StringBuilder text, MeasuredLibrary first, MeasuredLibrary other, Cell[] cells)
    {
        text.AppendLine(CultureInfo.InvariantCulture, $"\n{other.Name} against {first.Name} (time; below 1.00 is faster)");
        foreach (var verb in cells.Select(cell => cell.Verb).Distinct())
        {
            if (Find(cells, first, verb) is not { } one || Find(cells, other, verb) is not { } two)
                continue;
            var ratio = two.Nanoseconds / one.Nanoseconds;
            // One process a side: differences below 15 % are within what code layout alone does.
            var words = ratio < 0.85 ? "" : ratio <= 1.15 ? ", no difference that one run can show" : $", {other.Name} LOSES here";
            text.AppendLine(CultureInfo.InvariantCulture, $"  {verb,-22} {ratio:F2}, {one.Bytes:N0} B to {two.Bytes:N0} B{words}");
        }
    }

    static Cell? Find(Cell[] cells, MeasuredLibrary library, string verb) => cells.FirstOrDefault(cell => cell.Verb == verb && cell.Library == library.Name);

    static string Time(double nanoseconds) => nanoseconds < 1_000
        ? nanoseconds.ToString("F1", CultureInfo.InvariantCulture) + " ns"
        : (nanoseconds / 1_000).ToString("N2", CultureInfo.InvariantCulture) + " us";

    static string Core(Cell cell, double rate) => (cell.Nanoseconds * rate / 1e9).ToString("P2", CultureInfo.InvariantCulture);

    static string Megabytes(Cell cell, double rate) => (cell.Bytes * rate / 1e6).ToString("N2", CultureInfo.InvariantCulture);

    /// <summary>The share of a second of round trips in which collections stop the process.</summary>
    static double PauseShare(MeasuredLibrary library, PayloadSet payloads)
    {
        var wires = new Cycle<byte[]>(payloads.Of(PayloadSet.Mix));
        var (began, before) = (Stopwatch.GetTimestamp(), GC.GetTotalPauseDuration());
        while (Stopwatch.GetElapsedTime(began) < TimeSpan.FromSeconds(1))
        {
            for (var i = 0; i < 100; i++)
                GC.KeepAlive(library.RoundTrip(wires.Next));
        }

        return (GC.GetTotalPauseDuration() - before) / Stopwatch.GetElapsedTime(began);
    }

    /// <summary>One measured cell.</summary>
    sealed record Cell(string Verb, string Library, string Class, double Nanoseconds, double Bytes)
    {
        static readonly string[] verbs = ["DeserializeStrings", "DeserializeTouch", "Deserialize", "MeasureSerialize", "Measure", "Serialize"];

        public static Cell? Of(BenchmarkReport report)
        {
            var name = report.BenchmarkCase.Descriptor.WorkloadMethod.Name;
            var verb = verbs.FirstOrDefault(verb => name.StartsWith(verb, StringComparison.Ordinal));
            var library = report.BenchmarkCase.Descriptor.WorkloadMethod.GetCustomAttributes(typeof(MeasuresAttribute), false).OfType<MeasuresAttribute>().FirstOrDefault()?.Library;
            if (verb is null || library is null)
                return null;
            var size = report.BenchmarkCase.Parameters.Items.FirstOrDefault(item => item.Name == "Payloads")?.Value as string ?? "";
            return new(verb, library, size, report.ResultStatistics!.Median, report.GcStats.GetBytesAllocatedPerOperation(report.BenchmarkCase) ?? 0);
        }
    }
}
