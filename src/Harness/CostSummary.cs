using System.Diagnostics;
using System.Globalization;
using System.Text;

namespace ProtoBench.Harness;

/// <summary>The result in words: what a message costs, what a service pays at a given rate, and where a library loses.</summary>
/// <param name="payloads">What was measured.</param>
/// <param name="libraries">The libraries, the baseline first.</param>
/// <param name="rate">Messages a second.</param>
sealed class CostSummary(PayloadSet payloads, IReadOnlyList<MeasuredLibrary> libraries, double rate)
{
    // One process a side: differences below 15 % are within what code layout alone
    // does. Where the quartiles overlap, the machine was too busy for an answer.
    const double faster = 0.85, slower = 1.15;

    readonly StringBuilder text = new();
    readonly Lazy<double> allocation = new(AllocationCost.NanosecondsPerByte);

    /// <summary>The text. It runs some loops of its own, a second for each library.</summary>
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
        for (var first = 0; first < libraries.Count; first++)
        {
            foreach (var library in libraries.Skip(first + 1))
                Compare(libraries[first], library, cells);
        }
    }

    void Describe(MeasuredLibrary library, IReadOnlyList<SummaryCell> cells)
    {
        (string What, SummaryCell? Cell)[] rows =
        [
            ("read every field", Find(cells, library, "DeserializeTouch") ?? Find(cells, library, "Deserialize")),
            ("read it with strings", Find(cells, library, "DeserializeStrings")),
            ("measure and write", Find(cells, library, "MeasureSerialize")),
        ];
        if (rows.All(row => row.Cell is null))
            return;
        Line($"\n{library.Package}");
        foreach (var (what, cell) in rows)
        {
            if (cell is null)
                continue;
            Line($"  {what,-22} {Time(cell.Nanoseconds),10} and {cell.Bytes,8:N0} B a message; at {rate:N0} messages/s {cell.Nanoseconds * rate / 1e9:P2} of a core and {cell.Bytes * rate / 1e6:N2} MB/s allocated");
            Line($"  {"",-22} {Shares(cell)}");
        }

        Line($"  reading and writing in a loop, garbage collections pause the process for {PauseShare(library):P1} of the time");
    }

    string Shares(SummaryCell cell)
    {
        if (cell.Bytes < 1)
            return "all of it is codec: nothing is allocated";
        var alone = cell.Bytes * allocation.Value;
        var share = alone / cell.Nanoseconds;
        if (share > 1) // other programs, or objects larger than those of the loop
        {
            return string.Create(CultureInfo.InvariantCulture,
                $"no estimate of allocation: a loop that only allocates as many bytes, in objects of {AllocationCost.ObjectBytes} B, takes {Time(alone)}");
        }

        return string.Create(CultureInfo.InvariantCulture,
            $"about {share:P0} allocation, {1 - share:P0} codec: a loop that only allocates as many bytes, in objects of {AllocationCost.ObjectBytes} B, takes {Time(alone)}");
    }

    void Compare(MeasuredLibrary first, MeasuredLibrary other, IReadOnlyList<SummaryCell> cells)
    {
        Line($"\n{other.Name} against {first.Name} (time; below 1.00 is faster)");
        foreach (var verb in cells.Select(cell => cell.Verb).Distinct())
        {
            if (Find(cells, first, verb) is not { } one || Find(cells, other, verb) is not { } two)
                continue;
            var ratio = two.Nanoseconds / one.Nanoseconds;
            var words = ratio is >= faster and <= slower || one.Overlaps(two)
                ? ", no difference that this run can show" : ratio < 1 ? "" : $", {other.Name} LOSES here";
            Line($"  {verb,-22} {ratio:F2}, {one.Bytes:N0} B to {two.Bytes:N0} B{words}");
        }
    }

    void Line(FormattableString line) => text.AppendLine(line.ToString(CultureInfo.InvariantCulture));

    static SummaryCell? Find(IEnumerable<SummaryCell> cells, MeasuredLibrary library, string verb) =>
        cells.FirstOrDefault(cell => cell.Verb == verb && cell.Library == library.Name);

    static string Time(double nanoseconds) => nanoseconds < 1_000
        ? nanoseconds.ToString("F1", CultureInfo.InvariantCulture) + " ns"
        : (nanoseconds / 1_000).ToString("N2", CultureInfo.InvariantCulture) + " us";

    /// <summary>The share of a second of round trips in which collections stop the process.</summary>
    double PauseShare(MeasuredLibrary library)
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
}
