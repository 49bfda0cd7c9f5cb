namespace ProtoBench.Results;

/// <summary>Compares runs of a duet of cells: how the ratio of each pair has changed since the first run.</summary>
static class RunComparer
{
    static readonly Unit ratio = new("time ratio of the pair", Scale.Plain);

    /// <summary>Whether each side has runs that compare cells of one build. Duets of two builds have a verdict already.</summary>
    public static bool Fits(IReadOnlyList<Side> sides) =>
        sides.Count > 1 && sides.SelectMany(side => side.Files).All(file => file.Duet is { Base: null, Package: null });

    public static Comparison Compare(IReadOnlyList<Side> sides, ComparisonOptions options)
    {
        var filter = DuetComparer.Filter(sides, options);
        var runs = sides.Select(side => side.Files.SelectMany(file => file.Duet!.Duets.Select(pair => (file.Duet!, pair)))
            .Where(one => filter.Passes(DuetFacts.Name(one.pair.Old)) || filter.Passes(DuetFacts.Name(one.pair.New)))
            .GroupBy(one => (one.pair.Old.Cell, one.pair.New.Cell)).ToDictionary(pair => pair.Key, pair => new Run([.. pair]))).ToArray();
        var failed = sides.SelectMany(side => side.Files.SelectMany(file => file.Duet!.Failed)
            .Select(one => (Row: DuetName.Of(ResultText.Clean(one.Old), ResultText.Clean(one.New)), side.Label))).ToArray();
        var pairs = runs.SelectMany(run => run.Keys).Distinct().ToArray();
        if (pairs.Length + failed.Length == 0)
            throw new UsageException(filter.Nothing("pair", DuetComparer.Names(sides)));

        var rows = pairs.Select(pair => (Name: runs.First(run => run.ContainsKey(pair))[pair].Name,
            Runs: runs.Select(run => run.GetValueOrDefault(pair)).ToArray())).OrderBy(row => row.Name, NaturalOrder.Instance).ToArray();
        (Run Old, Run New)[] judged =
            [.. from row in rows from run in row.Runs.Skip(1) where row.Runs[0] is not null && run is not null select (row.Runs[0], run)];
        var changes = judged.Zip(DuetVerdict.Judge([.. judged.Select(pair => pair.New.Since(pair.Old, options))], options)).ToDictionary();
        Row[] table =
        [
            .. rows.Select(row => new Row(row.Name, [.. row.Runs.Select(run => run?.Summary())],
                [.. row.Runs.Select(run => row.Runs[0] is { } old && run is not null ? changes.GetValueOrDefault((old, run)) : null)])),
        ];
        string[] columns = [.. sides.Select(side => side.Label)];
        return Comparer.Finished(
            options,
            [.. sides.Select(Comparer.Summary)],
            columns,
            [.. Mismatch.Of(sides), .. sides.SelectMany(side => side.Files).SelectMany(file => file.Warnings)],
            table.Length == 0 ? [] : [Comparer.Block(ratio, table, columns.Length)],
            [.. failed.GroupBy(one => one.Row, one => one.Label).Select(row => new Missing(row.Key, [.. row]))],
            "a pair needs at least two processes in each run (--processes 4)") with
        {
            Test = "Welch's t over processes",
            Estimate = "quotient of the mean ratios",
            Spread = "95% interval of the mean ratio",
            Scope = "A ratio is the time of the second cell of a pair divided by that of the first. An interval contains the variation "
                + "between the processes of a run. What lasts longer than a run, such as the clock rate of the processor or other programs, "
                + "is not in it: two runs of one build can differ. duet --base compares two builds at the same time.",
            Unmatched = [.. rows.Where(row => row.Runs.Contains(null)).Select(row =>
                new Missing(row.Name, [.. columns.Where((_, column) => row.Runs[column] is not null)]))],
        };
    }

    /// <summary>One pair in all files of a side.</summary>
    sealed class Run(IReadOnlyList<(DuetResult Result, DuetPair Pair)> files)
    {
        readonly IReadOnlyList<(DuetResult Result, DuetPair Pair)> files = files;
        readonly double[] ratios = [.. files.SelectMany(file => file.Pair.Processes).Select(process => process.Ratio)];

        public string Name => DuetName.Of(DuetFacts.Name(files[0].Pair.Old), DuetFacts.Name(files[0].Pair.New));

        public SampleSummary Summary()
        {
            var mean = ProcessMean.Of(ratios, 0.05 / Looks);
            return new(ratios.Length, new(mean.Value, mean.Low, mean.High, 0.95), Bimodality.Of(ratios));
        }

        public JudgedRatio Since(Run old, ComparisonOptions options)
        {
            var looks = Math.Max(Looks, old.Looks);
            var change = ProcessMean.Quotient(old.ratios, ratios, options.Alpha / looks);
            return new(
                new(change.Value, change.Low, change.High),
                options.Threshold,
                limit => Math.Min(1, 2 * looks * Math.Min(ProcessMean.PAbove(old.ratios, ratios, 1 + limit),
                    ProcessMean.PAbove(ratios, old.ratios, 1 + limit))),
                old.WhyNot ?? WhyNot);
        }

        string? WhyNot => DuetVerdict.WhyNot([.. files.Select(file => file.Pair)]);

        // both runs may stop at any of their looks
        double Looks => files.Max(file => file.Result.Settings.Looks);
    }
}
