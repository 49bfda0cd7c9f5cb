namespace ProtoBench.Harness.Duet;

/// <summary>One kind of work, done by the baseline and by other libraries.</summary>
/// <param name="Work">What is done, such as "Read".</param>
/// <param name="Baseline">The cell of the library that the others are compared with.</param>
/// <param name="Others">The cells of the other libraries.</param>
sealed record ComparedWork(string Work, AnswerCell Baseline, IReadOnlyList<ComparedCell> Others)
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

    /// <summary>Returns the nanoseconds of the baseline, over the processes of all pairs that have its cell; null if there is
    /// none.</summary>
    public Median? BaselineTime(DuetResult result)
    {
        double[] times =
        [
            .. result.Duets.Where(pair => Baseline.Is(pair.Old.Method, pair.Old.Parameters)).SelectMany(pair => pair.Processes)
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
        Baseline.Is(pair.Old.Method, pair.Old.Parameters) && cell.Is(pair.New.Method, pair.New.Parameters));
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
