namespace ProtoBench.Results;

/// <summary>Makes a table of the pairs of duet results, each with its own verdict.</summary>
static class DuetComparer
{
    static readonly Unit time = new("ns/op", Scale.Nanoseconds);

    public static Comparison Compare(IReadOnlyList<Side> sides, ComparisonOptions options)
    {
        if (options.Pairs.Count > 0)
            throw new UsageException("--pair: a duet result has its pairs already");
        if (sides.SelectMany(side => side.Files).Any(file => file.Duet == null))
            throw new UsageException(
                "a duet result compares two sides already: it stands alone or beside other duet results, not beside launches or load runs");

        (Side Side, ResultFile File, DuetPair Pair, CellName Old, CellName New)[] all =
        [
            .. from side in sides from file in side.Files from pair in file.Duet!.Duets
               select (side, file, pair, DuetFacts.Name(pair.Old), DuetFacts.Name(pair.New)),
        ];
        var filter = Filter(sides, options);
        var failures =
            sides.SelectMany(side => side.Files.SelectMany(file => file.Duet!.Failed.Select(failed => (Side: side, Failed: failed))))
                .ToArray();
        all = [.. all.Where(one => filter.Passes(one.Old) || filter.Passes(one.New))];
        if (all.Length + failures.Length == 0)
            throw new UsageException(filter.Nothing("pair", Names(sides)));

        string Name(Side side, string pair) => sides.Count > 1 ? $"{side.Label}: {pair}" : pair;
        var judged = DuetVerdict.Of([.. all.Select(one => (one.File.Duet!, one.Pair))], options);
        Row[] times = [.. all.Select((one, i) => TimeRow(Name(one.Side, DuetName.Of(one.Old, one.New)), one.Pair, judged[i]))];
        Row[] allocated = [.. all.Select(one => BytesRow(Name(one.Side, DuetName.Of(one.Old, one.New)), one.Pair, options))];
        Block[] blocks = [.. new[] { Block(time, times), Block(Unit.BytesPerOperation, allocated) }.Where(block => block.Rows.Count > 0)];
        var (columns, summaries) = Sides(sides);
        var finished = Comparer.Finished(
            options,
            summaries,
            columns,
            [.. sides.SelectMany(side => side.Files).SelectMany(Mismatches),
                .. sides.SelectMany(side => side.Files).SelectMany(file => file.Warnings)],
            blocks,
            [.. failures.Select(one =>
                new Missing(Name(one.Side, DuetName.Of(ResultText.Clean(one.Failed.Old), ResultText.Clean(one.Failed.New))),
                    [columns[1]]))],
            "a pair needs at least two processes that measured it (duet --processes 10)");
        return finished with { Test = "t over processes", Estimate = "mean ratio of the processes" };
    }

    internal static CellFilter Filter(IReadOnlyList<Side> sides, ComparisonOptions options) =>
        new(options.Filters, [.. Names(sides).SelectMany(name => name.Parts).Distinct()]);

    internal static IEnumerable<CellName> Names(IReadOnlyList<Side> sides) => sides.SelectMany(side => side.Files)
        .SelectMany(file => file.Duet!.Duets).SelectMany(pair => new[] { pair.Old, pair.New }).Select(DuetFacts.Name);

    static Row TimeRow(string name, DuetPair pair, Change change) => new(
        name,
        [Summary([.. pair.Processes.Select(process => process.OldNanoseconds)]),
            Summary([.. pair.Processes.Select(process => process.NewNanoseconds)])],
        [null, change]);

    static Row BytesRow(string name, DuetPair pair, ComparisonOptions options)
    {
        var (old, @new) = (pair.Old.AllocatedBytesPerOperation, pair.New.AllocatedBytesPerOperation);
        return new Row(name, [Summary([old]), Summary([@new])],
            [null, ExactChange.Of(Unit.BytesPerOperation, old, @new, options.Threshold)]);
    }

    static SampleSummary Summary(double[] values) => new(values.Length, Median.Of(values), Bimodality.Of(values));

    static Block Block(Unit unit, Row[] rows) =>
        Comparer.Block(unit, [.. rows.OrderBy(row => row.Name, NaturalOrder.Instance)], columns: 2);

    // The heading tells two builds apart. For two cells of one build the row does.
    static (string[] Columns, SideSummary[] Summaries) Sides(IReadOnlyList<Side> sides)
    {
        var based = sides.Count == 1 && sides[0].Files.Count == 1 && sides[0].Files[0].Duet!.Base is { } one
            ? ResultText.Clean(one.Label ?? "old") : null;
        var summaries = based == null
            ? sides.Select(Comparer.Summary)
            : [Comparer.Summary(new Side(based, [BaseOf(sides[0].Files[0])])), Comparer.Summary(sides[0] with { Label = "new" })];
        return ([based is null or "new" ? "old" : based, "new"], [.. summaries]);
    }

    static ResultFile BaseOf(ResultFile file) =>
        file with { Facts = DuetFacts.Of(file.Duet!.Base!), Commit = DuetFacts.Commit(file.Duet.Base!), Warnings = [] };

    static IEnumerable<string> Mismatches(ResultFile file) => file.Duet!.Base == null
        ? []
        : Mismatch.Of([new Side(ResultText.Clean(file.Duet.Base.Label ?? "old"), [BaseOf(file)]), new Side("new", [file])]);
}

/// <summary>Creates the name of a pair of cells: the common parts once, and the different parts in braces.</summary>
static class DuetName
{
    public static string Of(CellName old, CellName @new) => Of(Text(old), Text(@new));

    /// <summary>Returns a name such as <c>SerializeRequest{Google=Slab}_BW</c> or <c>Encode(Size={1 B=1 KiB})</c>. A method is divided only
    /// at the start of a word, and a parameter differs as a whole.</summary>
    public static string Of(string old, string @new)
    {
        var (oldMethod, oldParameters) = Split(old);
        var (newMethod, newParameters) = Split(@new);
        return oldParameters.Length == newParameters.Length
            && oldParameters.Zip(newParameters).All(pair => pair.First.Name == pair.Second.Name)
            ? Words(oldMethod, newMethod)
                + (oldParameters.Length == 0
                ? "" : $"({string.Join(", ", oldParameters.Zip(newParameters).Select(pair => $"{pair.First.Name}={Value(pair.First.Value, pair.Second.Value)}"))})")
            : $"{{{old}={@new}}}";
    }

    static string Value(string old, string @new) => old == @new ? old : $"{{{old}={@new}}}";

    static string Words(string old, string @new)
    {
        if (old == @new)
            return old;
        var shorter = Math.Min(old.Length, @new.Length);
        var start = Enumerable.Range(0, shorter + 1)
            .Last(length => old.AsSpan(0, length).SequenceEqual(@new.AsSpan(0, length)) && (Begins(old, length) || Begins(@new, length)));
        var end = Enumerable.Range(0, shorter - start + 1)
            .Last(length => old.AsSpan(old.Length - length).SequenceEqual(@new.AsSpan(@new.Length - length))
            && (length == 0 || Begins(old, old.Length - length)));
        return $"{old[..start]}{{{old[start..^end]}={@new[start..^end]}}}{old[^end..]}";
    }

    // CellName writes "Method(Name=value, Name=value)". BenchmarkDotNet writes a colon and a blank instead of the equals sign. A comma
    // belongs to the value if no name follows it.
    static (string Method, (string Name, string Value)[] Parameters) Split(string name)
    {
        var open = name.IndexOf('(', StringComparison.Ordinal);
        if (open < 0 || name[^1] != ')')
            return (name, []);
        var parameters = new List<(string Name, string Value)>();
        foreach (var part in name[(open + 1)..^1].Split(", "))
        {
            var sign = part.IndexOfAny(['=', ':']);
            if (sign > 0)
                parameters.Add((part[..sign], part[(sign + 1)..].TrimStart()));
            else if (parameters.Count > 0)
                parameters[^1] = (parameters[^1].Name, $"{parameters[^1].Value}, {part}");
            else
                return (name, []);
        }

        return (name[..open], [.. parameters]);
    }

    static string Text(CellName name) => name.Of([.. name.Parts.Where(part => part != "type")]);

    static bool Begins(string name, int at) =>
        at == 0 || (at < name.Length && (char.IsUpper(name[at]) || name[at] is '_' or '(')) || at == name.Length;
}
