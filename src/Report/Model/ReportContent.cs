namespace ProtoBench.Report.Model;

public sealed record ReportContent
{
    public required IReadOnlyList<Side> Sides { get; init; }

    /// <summary>Every side against the first; null when there is one only.</summary>
    public Comparison? Comparison { get; init; }

    /// <summary>Pairs that the verb duet has measured; null when there are none.</summary>
    public Comparison? Duets { get; init; }

    /// <summary>The answers of benchmark projects, the last one first.</summary>
    public required IReadOnlyList<AnsweredRun> Answers { get; init; }

    public required IReadOnlyList<string> Warnings { get; init; }

    public string Command { get; init; } = "";

    public DateTimeOffset MadeAt { get; init; }

    public bool OnlyDry { get; init; }

    public required IReadOnlyList<Measured> Cells { get; init; }

    /// <summary>The cells that are no part of the map and of no grid of data sets.</summary>
    public IEnumerable<Measured> Bars => Cells.Where(cell => !BreakEven.IsPart(cell) && !SetGrid.IsPart(cell));

    public required IReadOnlyList<BreakEven> Maps { get; init; }

    public required IReadOnlyList<LoadFile> Loads { get; init; }

    /// <summary>Which library to take; null if the files do not have the duets for it, and for two sides.</summary>
    public Chooser? Chooser { get; init; }

    /// <summary>How much unchanged code differs on the machine; null if it was not measured.</summary>
    public SameSpread? Spread { get; init; }

    /// <summary>Pages that stand beside this one, for the navigation.</summary>
    public IReadOnlyList<(string Name, string Address)> Links { get; init; } = [];

    public IReadOnlyList<LibraryFacts> Libraries { get; init; } = [];

    public IEnumerable<string> Failed =>
        Sides.SelectMany(side => side.Files.SelectMany(file => file.Failed)
            .Select(name => Sides.Count > 1 ? $"{side.Label}: {name.Full}" : name.Full)).Distinct(StringComparer.Ordinal);

    /// <param name="arguments">Paths, whose results are pooled; or <c>label=path</c> each, all compared with the first.</param>
    public static ReportContent Read(IReadOnlyCollection<string> arguments, ComparisonOptions options)
    {
        var labelled = arguments.Count(argument => argument.IndexOf('=', StringComparison.Ordinal) > 0 && !Path.Exists(argument));
        if (labelled > 0 && labelled < arguments.Count)
            throw new UsageException($"either every path has a label, or none: {string.Join(' ', arguments)}");
        var warnings = new List<string>();
        var sides = Side.Read(labelled > 0 ? arguments : [.. arguments.Select(path => "results=" + path)], warnings.Add);
        return Of(sides, options, warnings);
    }

    public static ReportContent Of(IReadOnlyList<Side> sides, ComparisonOptions options, IReadOnlyList<string> warnings)
    {
        // cells that were compared with themselves say how much the others differ by chance, unless there are no others
        var onlySame = sides.SelectMany(side => side.Files).All(file => file.Duet is { Settings.Same: true });
        // a duet compares two sides already, so its files stand apart from launches and load runs
        Side[] duets =
            [.. sides
                .Select(side => side with
                {
                    Files = [.. side.Files.Where(file => file.Duet is { Answer: null } duet && (onlySame || !duet.Settings.Same))],
                })
                .Where(side => side.Files.Count > 0)];
        Side[] others =
            [.. sides.Select(side => side with { Files = [.. side.Files.Where(file => file.Duet == null)] })
                .Where(side => side.Files.Count > 0)];
        var comparison = others.Length > 1 ? Comparer.Compare(others, options) : null;
        if (comparison?.Changes().Any() == false)
            throw new UsageException($"nothing to compare: no cell is in {string.Join(" and in ", others.Select(side => side.Label))}");
        (string Side, Pooling Pooling)[] pools = [.. sides.Select(side => (side.Label, Pooling.Of(side)))];
        var cells = Benchmarks.Of(pools);
        return new ReportContent
        {
            Sides = sides,
            Comparison = comparison,
            Duets = duets.Length == 0 ? null : DuetComparer.Compare(duets, options),
            Answers = AnsweredRun.Of(sides),
            Warnings =
            [
                .. warnings,
                .. pools.SelectMany(side => side.Pooling.LeftOut),
                .. others.Length > 1 ? Mismatch.Of(others) : pools.SelectMany(side => Separate(side.Pooling)),
                .. sides.SelectMany(side => side.Files).SelectMany(FirstOf),
            ],
            OnlyDry = pools.Any(side => side.Pooling.OnlyDry) && pools.All(side => side.Pooling.OnlyDry || side.Pooling.Files.Count == 0),
            Cells = cells,
            Maps = BreakEven.Of(cells),
            Loads = LoadFile.Of(sides),
            Chooser = sides.Count == 1 ? Chooser.Of(sides[0].Files) : null,
            Spread = sides.SelectMany(side => side.Files).Select(file => file.Duet)
                .FirstOrDefault(duet => duet is { Settings.Same: true, Duets.Count: > 0 }) is { } same ? SameSpread.Of(same) : null,
            Libraries = [.. sides.SelectMany(side => side.Files).SelectMany(file => file.Libraries).DistinctBy(library => library.Name)],
        };
    }

    // Files without a cell in common are tables of their own, as they were before.
    static IEnumerable<string> Separate(Pooling pooling) =>
        pooling.Files.SelectMany(series => series.Files.SelectMany(file => file.Cells).Select(cell => cell.Name).Distinct())
            .CountBy(name => name).All(name => name.Value < 2)
        ? []
        : [$"these results are of {pooling.Files.Count} different runs, which are separate series and are not pooled: "
            + $"{string.Join("; ", pooling.Files.Select(series => series.Label))}"];

    // What a load result has to say about itself at length stands with its pictures.
    static IEnumerable<string> FirstOf(ResultFile file)
    {
        if (file.Load is not { } load)
        {
            // of one launch each: the difference between launches is that of their code layout
            var iterations = file.Cells.Where(cell => cell is { Unit.Name: "ns/op", Values.Count: 1, Iterations.Count: > 1 })
                .Select(cell => cell.Iterations).Where(values => values.All(value => value > 0));
            return WideIntervals.Sentence(iterations) is { } wide ? [.. file.Warnings, $"{file.Path}: {wide}"] : file.Warnings;
        }

        string[] invalid = [.. load.Variants.Where(variant => !variant.Verdict.Valid).Select(variant => variant.Name)];
        return invalid.Length == 0 ? [] : [$"{file.Path}: INVALID, so that no verdict is based on it: {string.Join(", ", invalid)}"];
    }
}
