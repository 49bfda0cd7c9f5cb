namespace ProtoBench.Harness.Duet;

static class DuetTable
{
    public static IReadOnlyDictionary<string, Action<DuetResult, TextWriter>> Formats { get; } =
        new Dictionary<string, Action<DuetResult, TextWriter>>(StringComparer.Ordinal)
        {
            ["text"] = WriteText,
            ["md"] = (result, output) => output.Write(Of(result).ToMarkdown()),
            ["csv"] = WriteCsv,
            ["json"] = (result, output) => output.WriteLine(DuetResultFile.ToJson(result)),
        };

    /// <summary>Returns whether a form must be the only text on standard output.</summary>
    public static bool IsForPrograms(string format) => format is "csv" or "json";

    static void WriteText(DuetResult result, TextWriter output)
    {
        output.WriteLine(Heading(result));
        foreach (var (pair, verdict) in result.Duets.Zip(DuetVerdict.Of(result, result.Settings.Threshold)))
        {
            output.WriteLine();
            output.WriteLine(Name(pair));
            output.WriteLine((IsOfOneCell(pair)
                    ? $"  {Old(pair)} -> {New(pair)}, {DuetFigures.Change(pair.Ratio)} {DuetFigures.Interval(pair.Low, pair.High)}"
                    : $"  takes {DuetFigures.Ratio(pair.Ratio)} of the time {DuetFigures.Between(pair.Low, pair.High)}, {New(pair)} instead of {Old(pair)}")
                + $", {Word(verdict)} (p{DuetFigures.P(pair.CorrectedP)}, n={pair.Processes.Count}, {pair.Clock})");
            if (pair.Old.AllocatedBytesPerOperation > 0 || pair.New.AllocatedBytesPerOperation > 0)
                output.WriteLine((IsOfOneCell(pair)
                        ? $"  {OldBytes(pair)} -> {NewBytes(pair)}" : $"  {NewBytes(pair)} instead of {OldBytes(pair)}")
                    + $" B allocated, {pair.Old.Collections[0]} and "
                            + $"{pair.New.Collections[0]} collections");
            var pairs = pair.Processes.Sum(process => process.Pairs);
            output.WriteLine(
                $"  {pairs} pairs of slices, disturbed on one side: {pair.Processes.Sum(process => process.Disturbed.Collections)} by "
                    + $"a collection, {pair.Processes.Sum(process => process.Disturbed.ContextSwitches)} by another program");
            foreach (var note in pair.Notes)
                output.WriteLine($"  note: {note}");
        }

        foreach (var failure in result.Failed)
            output.WriteLine($"\n{failure.New}\n  failed: {failure.Reason}");
    }

    /// <summary>Returns a row for each pair. Two builds have an old and a new side; two cells of one build have not.</summary>
    public static SavedTable Of(DuetResult result) => result.Duets.All(IsOfOneCell)
        ? new(
            [], ["Pair", "Old", "New", "Change", "Interval", "p", "Verdict", "Processes", "B/op old", "B/op new"],
            Rows(result, pair =>
            [
                Old(pair), New(pair), DuetFigures.Change(pair.Ratio), DuetFigures.Interval(pair.Low, pair.High),
            ], pair => [OldBytes(pair), NewBytes(pair)]))
        : new(
            [], ["Pair", "Takes of the time", "Interval", "Time", "Time of the other", "p", "Verdict", "Processes", "B/op", "B/op of the other"],
            Rows(result, pair =>
            [
                DuetFigures.Ratio(pair.Ratio), DuetFigures.Between(pair.Low, pair.High), New(pair), Old(pair),
            ], pair => [NewBytes(pair), OldBytes(pair)]));

    static string[][] Rows(DuetResult result, Func<DuetPair, string[]> times, Func<DuetPair, string[]> bytes) =>
    [
        .. result.Duets.Zip(DuetVerdict.Of(result, result.Settings.Threshold), (pair, verdict) => (string[])
        [
            Name(pair), .. times(pair), DuetFigures.P(pair.CorrectedP).TrimStart('='), Word(verdict),
            pair.Processes.Count.ToString(CultureInfo.InvariantCulture), .. bytes(pair),
        ]),
    ];

    static string Old(DuetPair pair) => Figures.Nanoseconds(pair.Old.NanosecondsPerOperation);

    static string New(DuetPair pair) => Figures.Nanoseconds(pair.New.NanosecondsPerOperation);

    static string OldBytes(DuetPair pair) => DuetFigures.Bytes(pair.Old.AllocatedBytesPerOperation);

    static string NewBytes(DuetPair pair) => DuetFigures.Bytes(pair.New.AllocatedBytesPerOperation);

    static void WriteCsv(DuetResult result, TextWriter output)
    {
        output.WriteLine("old,new,old ns/op,new ns/op,ratio,low,high,p,corrected p,verdict,processes,clock,old B/op,new B/op");
        foreach (var (pair, verdict) in result.Duets.Zip(DuetVerdict.Of(result, result.Settings.Threshold)))
        {
            output.WriteLine(
                string.Create(CultureInfo.InvariantCulture,
                    $"{Csv.Quote(pair.Old.Cell)},{Csv.Quote(pair.New.Cell)},{pair.Old.NanosecondsPerOperation},{pair.New.NanosecondsPerOperation},{pair.Ratio},{pair.Low},{pair.High},{pair.P},{pair.CorrectedP},{Word(verdict)},{pair.Processes.Count},{pair.Clock},{pair.Old.AllocatedBytesPerOperation},{pair.New.AllocatedBytesPerOperation}"));
        }
    }

    static string Heading(DuetResult result)
    {
        var environment = result.Environment.Process;
        var level = (1 - (result.Settings.Alpha / result.Settings.Looks)).ToString("P1", CultureInfo.InvariantCulture);
        var sides = result.Base is { } old
            ? $"{old.Label} -> this build, two alternating processes"
            : result.Settings.Form == "oneProcess" ? "two cells in one process" : "two alternating processes";
        return $"{sides}; intervals at {level.Replace(" ", "", StringComparison.Ordinal)}\n{environment.Cpu}, {environment.Cores} "
            + $"cores, {environment.Os}, {environment.Runtime}, GC {environment.GcMode}";
    }

    static bool IsOfOneCell(DuetPair pair) => pair.Old.Cell == pair.New.Cell;

    static string Name(DuetPair pair) =>
        IsOfOneCell(pair) ? pair.New.Name : $"{pair.New.Name} against {pair.Old.Name}";

    static string Word(Verdict verdict) => verdict switch
    {
        Verdict.Better => "better",
        Verdict.Worse => "worse",
        Verdict.Small => "~ below the threshold",
        _ => "~",
    };
}

static class DuetFigures
{
    /// <summary>Returns a ratio as a change: 1.05 is +5.00%. A ratio above 10 is a factor.</summary>
    public static string Change(double ratio) => ratio > 10 && double.IsFinite(ratio)
        ? ratio.ToString("F1", CultureInfo.InvariantCulture) + "x" : Figures.Percent(ratio);

    public static string Interval(double? low, double? high) =>
        low is { } from && high is { } to && double.IsFinite(to) ? $"[{Change(from)}, {Change(to)}]" : "[?, ?]";

    public static string Ratio(double ratio) => ratio.ToString("0.00", CultureInfo.InvariantCulture);

    public static string Between(double? low, double? high) =>
        low is { } from && high is { } to && double.IsFinite(to) ? $"[{Ratio(from)} to {Ratio(to)}]" : "[?]";

    public static string P(double? p) => p is { } value ? Figures.P(value) : "?";

    public static string Bytes(double bytes) => bytes.ToString("N0", CultureInfo.InvariantCulture);
}

/// <summary>Creates the report of cells that were compared with themselves: bias, width of the intervals, false claims.</summary>
static class SameReport
{
    /// <summary>Returns the report. Claims are counted for each pair without correction, so alpha is their expected share.</summary>
    public static string Of(DuetResult result)
    {
        DuetPair[] pairs = [.. result.Duets.Where(pair => pair.P is not null)];
        if (pairs.Length == 0)
            return "nothing to report: an interval needs two processes";
        var claims = pairs.Count(pair => pair.P <= result.Settings.Alpha);
        var (low, high) = BinomialInterval.Of(claims, pairs.Length, 0.95);
        var bias = Math.Exp(pairs.Average(pair => Math.Log(pair.Ratio)));
        double[] widths =
            [.. pairs.Select(pair => Math.Max(1 - (pair.Low!.Value / pair.Ratio), (pair.High!.Value / pair.Ratio) - 1)).Order()];
        return string.Create(CultureInfo.InvariantCulture, $"""
            equal programs: bias {DuetFigures.Change(bias)} over {pairs.Length} comparisons; half-width of the interval: median {Share(
                widths[widths.Length / 2])}, largest {Share(widths[^1])}
            false claims: {claims} of {pairs.Length} at {Share(result.Settings.Alpha)}, which is consistent with a rate of {Share(
                low)} to {Share(high)}
            {SameSpread.Of(result).Sentence}
            """);
    }

    static string Share(double share) => (share * 100).ToString("0.##", CultureInfo.InvariantCulture) + "%";
}
