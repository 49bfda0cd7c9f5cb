using ProtoBench.DuetRunner;

namespace ProtoBench.Harness.Duet;

/// <summary>The library that the others are compared with.</summary>
/// <param name="Label">Its name.</param>
/// <param name="Possessive">Its name in a sentence about its time.</param>
sealed record Baseline(string Label, string Possessive)
{
    public static Baseline Google { get; } = new("Google.Protobuf", "Google's");

    public static Baseline Of(ComparedLibrary library) =>
        library.Label == Google.Label ? Google : new(library.Label, library.Label + "'s");
}

/// <summary>Compares libraries with a baseline by duet, and answers in sentences: how long each of them takes, with an
/// interval.</summary>
sealed class Answer(Baseline baseline, IReadOnlyList<ComparedWork> works)
{
    /// <summary>The half-width of an interval, as a share, above which the machine was too busy for figures with two digits.</summary>
    public const double Wide = 0.15;

    public CellPair[] Pairs(IReadOnlyList<RunnerCell> cells) =>
        [.. from work in works from other in work.Others select new CellPair(Find(cells, work.Baseline), Find(cells, other.Cell))];

    public Answer Only(Predicate<string> isWanted) => new(baseline, [.. works.Where(work => isWanted(work.Work))]);

    /// <summary>Returns whether a result has anything of this answer.</summary>
    public bool IsIn(DuetResult result) => works.Any(work => work.IsIn(result));

    public IEnumerable<AnsweredWork> Named(DuetResult result) => Works(result).Select(work => work.Named(result));

    public void Write(DuetResult result, TextWriter output)
    {
        foreach (var work in Works(result))
        {
            (ComparedCell Cell, DuetPair? Pair)[] lines = [.. work.Libraries.Select(library => work.Of(result, library))];
            var width = lines.Max(line => line.Cell.Name.Length) + 2;
            output.WriteLine($"\n{work.Work} ({baseline.Label}: {BaselineTime(result, work)})");
            foreach (var (cell, pair) in lines)
                output.WriteLine($"  {cell.Name.PadRight(width)}{Line(result, cell.Cell, pair)}");
        }
    }

    /// <summary>A row for each kind of work: the time of the baseline, and the share of it that each other library
    /// takes, with its interval.</summary>
    public SavedTable Table(DuetResult result)
    {
        string[] names = [.. works.SelectMany(work => work.Libraries).Distinct()];
        return new([], ["Work", baseline.Label, .. names], [.. Works(result).Select(work => (string[])
            [work.Work, BaselineTime(result, work), .. names.Select(name => Share(work, name))])]);

        string Share(ComparedWork work, string name) =>
            work.Libraries.Contains(name) && work.Of(result, name) is ({ } cell, { Low: { } low, High: { } high } pair)
                ? Ratio(pair.Ratio, low, high) + (cell.Destination is null ? "" : $" ({cell.Destination})") : "-";
    }

    /// <summary>Writes what limits the trust in a result: wide intervals, and other programs.</summary>
    public static void WriteDoubts(DuetResult result, TextWriter output)
    {
        int[] more = [.. result.Duets.Select(pair => pair.Processes.Count - result.Settings.Processes).Where(count => count > 0)];
        if (more.Length > 0)
        {
            var (were, their) = more.Length == 1 ? ("was", "its interval was") : ("were", "their intervals were");
            output.WriteLine(
                $"{more.Length} of {result.Duets.Count} comparisons {were} measured again with {more.Max()} more processes, because {their} wide.");
        }

        if (result.Duets.Any(pair => pair.High - pair.Ratio > Wide * pair.Ratio))
            output.WriteLine("Some intervals are wide. More processes make them narrower: --processes 10.");
        MachineLoad.Write(output, result);
    }

    public static string Ratio(double ratio, double low, double high) =>
        string.Create(CultureInfo.InvariantCulture, $"{ratio:0.00} [{low:0.00} to {high:0.00}]");

    // a result of another state of this program may not have all kinds of work
    IEnumerable<ComparedWork> Works(DuetResult result) =>
        works.Where(work => work.Others.Count > 0 && (result.Partial || work.IsIn(result)));

    string Line(DuetResult result, AnswerCell cell, DuetPair? pair)
    {
        if (pair is null)
        {
            var reason = ComparedWork.Failure(result, cell)?.Reason
                ?? (result.Partial ? "the run was stopped" : "it is not in this result");
            return $"not measured: {ResultText.Clean(reason)}";
        }

        return ComparedWork.WhyNot(pair) is { } why ? $"not judged: {why}"
            : string.Create(CultureInfo.InvariantCulture,
                $"takes {pair.Ratio:0.00} of {baseline.Possessive} time [{pair.Low:0.00} to {pair.High:0.00}]") + Allocated(pair);
    }

    static string Allocated(DuetPair pair) =>
        pair.New.AllocatedBytesPerOperation < 1 && pair.Old.AllocatedBytesPerOperation < 1 ? ""
        : $", and allocates {DuetFigures.Bytes(pair.New.AllocatedBytesPerOperation)} B instead of "
            + $"{DuetFigures.Bytes(pair.Old.AllocatedBytesPerOperation)} B";

    static string BaselineTime(DuetResult result, ComparedWork work) =>
        work.BaselineTime(result) is { } time ? Figures.Nanoseconds(time.Value) : "-";

    static RunnerCell Find(IReadOnlyList<RunnerCell> cells, AnswerCell wanted) =>
        cells.FirstOrDefault(cell => wanted.Is(cell.Method, cell.Parameters))
        ?? throw new RunException(ExitCode.Failed, $"this build has no cell {wanted.Method}");
}
