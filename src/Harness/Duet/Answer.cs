using ProtoBench.DuetRunner;

namespace ProtoBench.Harness.Duet;

/// <summary>One kind of work, done by the first library and by others.</summary>
/// <param name="Work">What is done, such as "Read".</param>
/// <param name="First">The cell of the first library.</param>
/// <param name="Others">The cells of the other libraries.</param>
sealed record ComparedWork(string Work, AnswerCell First, IReadOnlyList<ComparedCell> Others)
{
    public IEnumerable<string> Libraries => Others.Select(other => other.Library).Distinct();

    /// <summary>Returns the measurement of a library. Of several destinations the one with the lowest ratio counts. The probability that it
    /// is falsely called faster is at most the sum of those of all destinations (Bonferroni's inequality).</summary>
    /// <returns>The cell, and its pair; no pair if it was not measured.</returns>
    public (ComparedCell Cell, DuetPair? Pair) Of(DuetResult result, string library)
    {
        (ComparedCell Cell, DuetPair? Pair)[] all =
            [.. Others.Where(other => other.Library == library).Select(other => (other, Pair(result, other.Cell)))];
        return all.Where(one => one.Pair is { } pair && WhyNot(pair) is null).OrderBy(one => one.Pair!.Ratio).Concat(all).First();
    }

    /// <summary>Returns the nanoseconds of the first library, over the processes of all pairs that have its cell; null if there is
    /// none.</summary>
    public Median? FirstTime(DuetResult result)
    {
        double[] times =
        [
            .. result.Duets.Where(pair => First.Is(pair.Old.Method, pair.Old.Parameters)).SelectMany(pair => pair.Processes)
                .Select(process => process.OldNanoseconds).Where(time => time > 0),
        ];
        return times.Length == 0 ? null : Median.Of(times);
    }

    /// <summary>Returns the measurement of each library with its name.</summary>
    public AnsweredWork Named(DuetResult result) => new(Work,
    [
        .. from library in Libraries
           let one = Of(result, library)
           where one.Pair is not null
           select new AnsweredPair(one.Cell.Name, one.Pair!.Old.Cell, one.Pair.New.Cell),
    ]);

    public bool IsIn(DuetResult result) =>
        Others.Any(other => Pair(result, other.Cell) is not null || Failure(result, other.Cell) is not null);

    /// <summary>Returns why nothing may be concluded from a pair; null if there is no such reason.</summary>
    public static string? WhyNot(DuetPair pair) => DuetVerdict.WhyNot([pair]) is { } reason
        ? pair.Processes.Count < 2 ? "the run was stopped before its second process" : reason
        : pair is { Low: not null, High: not null } ? null : "no interval";

    internal static DuetFailure? Failure(DuetResult result, AnswerCell cell) => result.Failed.FirstOrDefault(failure =>
        failure.New.Split('(')[0].Split('.')[^1] == cell.Method);

    DuetPair? Pair(DuetResult result, AnswerCell cell) => result.Duets.FirstOrDefault(pair =>
        First.Is(pair.Old.Method, pair.Old.Parameters) && cell.Is(pair.New.Method, pair.New.Parameters));
}

/// <param name="Library">The name of the library.</param>
/// <param name="Destination">Where it writes, such as "to a stream", if the library has cells for several destinations.</param>
sealed record ComparedCell(string Library, AnswerCell Cell, string? Destination = null)
{
    public string Name => Destination is null ? Library : $"{Library} ({Destination})";
}

/// <param name="Parameter">The name and the value of a parameter; null for a cell without parameters.</param>
sealed record AnswerCell(string Method, (string Name, string Value)? Parameter = null)
{
    public bool Is(string method, IReadOnlyDictionary<string, string> parameters) => method == Method
        && (Parameter is not { } one || parameters.GetValueOrDefault(one.Name) == one.Value);
}

/// <summary>The library that the others are compared with.</summary>
/// <param name="Label">Its name.</param>
/// <param name="Possessive">Its name in a sentence about its time.</param>
sealed record FirstLibrary(string Label, string Possessive)
{
    public static FirstLibrary Google { get; } = new("Google.Protobuf", "Google's");

    public static FirstLibrary Of(ComparedLibrary library) =>
        library.Label == Google.Label ? Google : new(library.Label, library.Label + "'s");
}

/// <summary>Compares libraries with the first one by duet, and answers in sentences: how long each of them takes, with an
/// interval.</summary>
sealed class Answer(FirstLibrary first, IReadOnlyList<ComparedWork> works)
{
    /// <summary>The half-width of an interval, as a share, above which the machine was too busy for figures with two digits.</summary>
    public const double Wide = 0.15;

    public CellPair[] Pairs(IReadOnlyList<RunnerCell> cells) =>
        [.. from work in works from other in work.Others select new CellPair(Find(cells, work.First), Find(cells, other.Cell))];

    public Answer Only(Predicate<string> isWanted) => new(first, [.. works.Where(work => isWanted(work.Work))]);

    /// <summary>Returns whether a result has anything of this answer.</summary>
    public bool IsIn(DuetResult result) => works.Any(work => work.IsIn(result));

    public IEnumerable<AnsweredWork> Named(DuetResult result) => Works(result).Select(work => work.Named(result));

    public void Write(DuetResult result, TextWriter output)
    {
        foreach (var work in Works(result))
        {
            (ComparedCell Cell, DuetPair? Pair)[] lines = [.. work.Libraries.Select(library => work.Of(result, library))];
            var width = lines.Max(line => line.Cell.Name.Length) + 2;
            output.WriteLine($"\n{work.Work} ({first.Label}: {FirstTime(result, work)})");
            foreach (var (cell, pair) in lines)
                output.WriteLine($"  {cell.Name.PadRight(width)}{Line(result, cell.Cell, pair)}");
        }
    }

    /// <summary>A row of Markdown for each kind of work: the time of the first library, and the share of it that each other library
    /// takes, with its interval.</summary>
    public string Table(DuetResult result)
    {
        string[] names = [.. works.SelectMany(work => work.Libraries).Distinct()];
        return Markdown.Table(["Work", first.Label + ":", .. names.Select(name => name + ":")], Works(result).Select(work => (string[])
            [work.Work, FirstTime(result, work), .. names.Select(name => Share(work, name))]));

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
                $"takes {pair.Ratio:0.00} of {first.Possessive} time [{pair.Low:0.00} to {pair.High:0.00}]") + Allocated(pair);
    }

    static string Allocated(DuetPair pair) =>
        pair.New.AllocatedBytesPerOperation < 1 && pair.Old.AllocatedBytesPerOperation < 1 ? ""
        : $", and allocates {DuetFigures.Bytes(pair.New.AllocatedBytesPerOperation)} B instead of "
            + $"{DuetFigures.Bytes(pair.Old.AllocatedBytesPerOperation)} B";

    static string FirstTime(DuetResult result, ComparedWork work) =>
        work.FirstTime(result) is { } time ? Figures.Nanoseconds(time.Value) : "-";

    static RunnerCell Find(IReadOnlyList<RunnerCell> cells, AnswerCell wanted) =>
        cells.FirstOrDefault(cell => wanted.Is(cell.Method, cell.Parameters))
        ?? throw new RunException(ExitCode.Failed, $"this build has no cell {wanted.Method}");
}
