namespace ProtoBench.Results;

public static class Comparer
{
    /// <summary>Compares every column with the first. Of duets that compare cells of one build, the runs are compared. Other duets, and one
    /// side alone, become a table of their pairs.</summary>
    public static Comparison Compare(IReadOnlyList<Side> sides, ComparisonOptions options)
    {
        if (sides.SelectMany(side => side.Files).Any(file => file.Duet != null))
            return RunComparer.Fits(sides) ? RunComparer.Compare(sides, options) : DuetComparer.Compare(sides, options);
        string[] parts =
            [.. sides.SelectMany(side => side.Files).SelectMany(file => file.Cells.Select(cell => cell.Name).Concat(file.Failed))
                .SelectMany(name => name.Parts).Distinct()];
        var filter = new CellFilter(options.Filters, parts);
        var chosen = sides
            .SelectMany(side => side.Files.SelectMany(file => file.Cells).Where(filter.Passes).Select(cell => (Side: side, Cell: cell)))
            .ToArray();
        var failed = sides.SelectMany(side => side.Files.SelectMany(file => file.Failed).Where(filter.Passes)
            .Select(name => (Side: side, Name: name))).ToArray();
        if (chosen.Length + failed.Length == 0)
            throw new UsageException(filter.Nothing("cell", sides.SelectMany(side => side.Files)
                .SelectMany(file => file.Cells.Select(cell => cell.Name).Concat(file.Failed))));
        var layout = new Layout(options, sides,
            [.. chosen.Select(item => item.Cell.Name).Concat(failed.Select(item => item.Name)).Distinct()]);
        var table = new Table(layout.Columns);
        var placed = chosen
            .SelectMany(item => layout.Places(item.Side, item.Cell.Name).Select(place => (place.Row, place.Column, item.Cell))).ToArray();
        // a ratio of two machines would be that of the machines too
        var ofTwoMachines = placed.Where(_ => options.Pairs.Count > 0).GroupBy(one => one.Row)
            .Where(row => row.Select(one => one.Cell.Shard).OfType<int>().Distinct().Skip(1).Any()).Select(row => row.Key).ToHashSet();
        foreach (var (row, column, cell) in placed)
            table.Add(row, column, ofTwoMachines.Contains(row) ? cell with { Valid = false } : cell);

        var failedRows = Listed(failed.SelectMany(item => layout.Places(item.Side, item.Name)), layout.Columns);
        var tests = new Tests(options, table);
        var finished = Finished(
            options,
            [.. sides.Select(Summary)],
            layout.Columns,
            [.. Mismatch.Of(sides), .. OtherBuffers(layout.OtherBuffers), .. OfTwoMachines(ofTwoMachines),
                .. sides.SelectMany(side => side.Files).SelectMany(file => file.Warnings)],
            tests.Blocks(),
            failedRows,
            $"{tests.Needed} launches a side would do (--launchCount {tests.Needed}), or use the verb duet");
        return finished with
        {
            SamplesNeeded = finished.Remedy == null ? null : tests.Needed,
            Unmatched = [.. Listed(table.Places(), layout.Columns).Where(row => row.Columns.Count < layout.Columns.Count)
                .ExceptBy(failedRows.Select(row => row.Row), row => row.Row)],
        };
    }

    internal static Comparison Finished(ComparisonOptions options, IReadOnlyList<SideSummary> sides, IReadOnlyList<string> columns,
        IReadOnlyList<string> warnings, IReadOnlyList<Block> blocks, IReadOnlyList<Missing> failed, string remedy)
    {
        Change[] changes = [.. blocks.SelectMany(block => block.Rows).SelectMany(row => row.Changes).OfType<Change>()];
        return new()
        {
            Sides = sides,
            Columns = columns,
            Warnings = warnings,
            Alpha = options.Alpha,
            Threshold = options.Threshold,
            Tests = changes.Count(change => change.P != null),
            Remedy = changes.All(change => change.Judgeable) ? null : remedy,
            Verdicts = changes.CountBy(change => change.Verdict).OrderBy(count => count.Key).ToDictionary(),
            Blocks = blocks,
            Failed = failed,
            Unmatched = [],
        };
    }

    /// <summary>Creates the block of a unit. Its geometric means are over the rows that are above 0 in all columns and were judged: other
    /// rows say nothing, and would say it in a mean.</summary>
    internal static Block Block(Unit unit, IReadOnlyList<Row> rows, int columns)
    {
        Row[] everywhere = [.. rows.Where(row => row.Samples.All(sample => sample?.Median.Value > 0)
            && row.Changes.Skip(1).All(change => change is { Judgeable: true, Verdict: not Verdict.Untested }))];
        double? Mean(int column) => GeometricMean.Of([.. everywhere.Select(row => row.Samples[column]!.Median.Value)]);
        RatioEstimate? Change(int column) => column == 0 || everywhere.Any(row => row.Changes[column]?.Ratio == null)
            ? null : GeometricMean.OfRatios([.. everywhere.Select(row => row.Changes[column]!.Ratio!.Value)]);
        return new Block(unit, rows, [.. Enumerable.Range(0, columns).Select(Mean)], everywhere.Length,
            [.. Enumerable.Range(0, columns).Select(Change)]);
    }

    static IEnumerable<string> OtherBuffers(int rows) => rows == 0 ? []
        : [$"--pair: the two cells of {rows} row{(rows == 1 ? "" : "s")} have different buffers, which its name has as {{BA=ROM}}"];

    static IEnumerable<string> OfTwoMachines(HashSet<string> rows) => rows.Count == 0 ? []
        : [$"--pair: the two cells of {rows.Count} row{(rows.Count == 1 ? "" : "s")} are of different shards, which may be of different machines, "
            + $"so {(rows.Count == 1 ? "it has" : "they have")} no verdict: {string.Join(", ", rows.Take(3))}{(rows.Count > 3 ? ", ..." : "")}"];

    static Missing[] Listed(IEnumerable<(string Row, string Column)> places, IReadOnlyList<string> columns) =>
    [
        .. places
            .GroupBy(place => place.Row, place => place.Column, StringComparer.Ordinal)
            .OrderBy(row => row.Key, NaturalOrder.Instance)
            .Select(row => new Missing(row.Key, [.. columns.Intersect(row)])),
    ];

    internal static SideSummary Summary(Side side)
    {
        string[] told =
            ["processor", "client's processor", "cores", "client's cores", "operating system", "client's operating system", "runtime",
                "client's runtime", "GC", "client's GC"];
        var environment = told
            .Select(fact => (Fact: fact, Value: side.Files[0].Facts.GetValueOrDefault(fact)))
            .Where(fact => fact.Value != null)
            .Select(fact => fact.Fact.EndsWith("cores", StringComparison.Ordinal)
            ? fact.Value + " cores" : fact.Fact.EndsWith("GC", StringComparison.Ordinal) ? "GC " + fact.Value : fact.Value);
        return new SideSummary(
            side.Label,
            side.Files.Count,
            [.. side.Files.Select(file => file.Commit).OfType<string>().Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal)],
            string.Join(", ", environment));
    }
}

static class Mismatch
{
    const int longest = 3;

    public static IEnumerable<string> Of(IReadOnlyList<Side> sides)
    {
        foreach (var fact in sides.SelectMany(side => side.Files).SelectMany(file => file.Facts.Keys).Distinct(StringComparer.Ordinal))
        {
            var values = sides.Select(side => (side.Label, Values: Values(side, fact))).ToArray();
            if (values.SelectMany(side => side.Values).Distinct(StringComparer.Ordinal).Count() > 1)
                yield return $"{fact} differs: "
                    + $"{string.Join("; ", values.Where(side => side.Values.Length > 0).Select(side => $"{side.Label} has {Listed(side.Values)}"))}";
        }

        foreach (var side in sides)
        {
            string[] commits = [.. side.Files.Select(file => file.Commit).OfType<string>().Distinct(StringComparer.Ordinal)];
            if (commits.Length > 1)
                yield return $"{side.Label} pools files of different commits: {Listed(commits)}";
        }
    }

    static string[] Values(Side side, string fact) =>
        [.. side.Files.Select(file => file.Facts.GetValueOrDefault(fact)).OfType<string>().Distinct(StringComparer.Ordinal)
            .Order(StringComparer.Ordinal)];

    static string Listed(string[] values) =>
        string.Join(" and ", values.Take(longest)) + (values.Length > longest ? $" and {values.Length - longest} more" : "");
}
