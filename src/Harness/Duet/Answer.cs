using ProtoBench.DuetRunner;

namespace ProtoBench.Harness.Duet;

/// <summary>One kind of work, done by the first library and by others.</summary>
/// <param name="Work">What is done, such as "Read".</param>
/// <param name="Google">The cell of Google.Protobuf.</param>
/// <param name="Others">The names of the other libraries, and their cells.</param>
sealed record ComparedWork(string Work, AnswerCell Google, IReadOnlyList<(string Library, AnswerCell Cell)> Others);

/// <param name="Parameter">The name and the value of a parameter; null for a cell without parameters.</param>
sealed record AnswerCell(string Method, (string Name, string Value)? Parameter = null)
{
    public bool Is(string method, IReadOnlyDictionary<string, string> parameters) => method == Method
        && (Parameter is not { } one || parameters.GetValueOrDefault(one.Name) == one.Value);
}

/// <summary>Compares libraries with Google.Protobuf by duet, and answers in sentences: how long each of them takes, with an
/// interval.</summary>
sealed class Answer(IReadOnlyList<ComparedWork> works)
{
    /// <summary>The half-width of an interval, as a share, above which the machine was too busy for figures with two digits.</summary>
    public const double Wide = 0.15;

    public CellPair[] Pairs(IReadOnlyList<RunnerCell> cells) =>
        [.. from work in works from other in work.Others select new CellPair(Find(cells, work.Google), Find(cells, other.Cell))];

    public Answer Only(Predicate<string> isWanted) => new([.. works.Where(work => isWanted(work.Work))]);

    public void Write(DuetResult result, TextWriter output)
    {
        var width = works.SelectMany(work => work.Others).Max(other => other.Library.Length) + 2;
        foreach (var work in works)
        {
            output.WriteLine($"\n{work.Work} (Google.Protobuf: {First(result, work.Google)})");
            foreach (var (name, cell) in work.Others)
                output.WriteLine($"  {name.PadRight(width)}{Line(result, work.Google, cell)}");
        }
    }

    /// <summary>A row of Markdown for each kind of work: the time of Google.Protobuf, and the share of it that each other library
    /// takes, with its interval.</summary>
    public string Table(DuetResult result)
    {
        string[] names = [.. works.SelectMany(work => work.Others).Select(other => other.Library).Distinct()];
        return Markdown.Table(["Work", "Google.Protobuf:", .. names.Select(name => name + ":")], works.Select(work => (string[])
            [work.Work, First(result, work.Google), .. names.Select(name => Share(work, name))]));

        string Share(ComparedWork work, string name) =>
            work.Others.FirstOrDefault(other => other.Library == name).Cell is not { } cell
            || Pair(result, work.Google, cell) is not { Low: { } low, High: { } high } pair
            ? "-" : string.Create(CultureInfo.InvariantCulture, $"{pair.Ratio:0.00} [{low:0.00} to {high:0.00}]");
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

    /// <summary>The time and the allocated bytes of a cell; null if it was not measured.</summary>
    public static DuetSide? Of(DuetResult result, AnswerCell cell) =>
        result.Duets.SelectMany(pair => new[] { pair.Old, pair.New }).FirstOrDefault(side => cell.Is(side.Method, side.Parameters));

    static string Line(DuetResult result, AnswerCell first, AnswerCell cell)
    {
        var pair = Pair(result, first, cell);
        if (pair is { Low: { } low, High: { } high })
            return string.Create(CultureInfo.InvariantCulture, $"takes {pair.Ratio:0.00} of Google's time [{low:0.00} to {high:0.00}]")
                + Allocated(pair);
        if (pair is not null)
            return "not judged: the run was stopped before its second process";
        var failed = result.Failed.FirstOrDefault(failure => failure.New.Contains("." + cell.Method, StringComparison.Ordinal)
            || failure.New.StartsWith(cell.Method, StringComparison.Ordinal));
        return $"not measured: {failed?.Reason ?? "the run was stopped"}";
    }

    static DuetPair? Pair(DuetResult result, AnswerCell first, AnswerCell cell) => result.Duets.FirstOrDefault(pair =>
        first.Is(pair.Old.Method, pair.Old.Parameters) && cell.Is(pair.New.Method, pair.New.Parameters));

    static string Allocated(DuetPair pair) =>
        pair.New.AllocatedBytesPerOperation < 1 && pair.Old.AllocatedBytesPerOperation < 1 ? ""
        : $", and allocates {DuetFigures.Bytes(pair.New.AllocatedBytesPerOperation)} B instead of "
            + $"{DuetFigures.Bytes(pair.Old.AllocatedBytesPerOperation)} B";

    static string First(DuetResult result, AnswerCell cell) =>
        Of(result, cell) is { } side ? Figures.Nanoseconds(side.NanosecondsPerOperation) : "-";

    static RunnerCell Find(IReadOnlyList<RunnerCell> cells, AnswerCell wanted) =>
        cells.FirstOrDefault(cell => wanted.Is(cell.Method, cell.Parameters))
        ?? throw new RunException(ExitCode.Failed, $"this build has no cell {wanted.Method}");
}
