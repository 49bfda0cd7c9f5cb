using ProtoBench.Report.Charts;
using ProtoBench.Report.Sections;

namespace ProtoBench.Report.Model;

/// <summary>What a page says first: a sentence for each kind of result, and how each library does against Google.Protobuf.</summary>
/// <param name="Unclear">The libraries whose times cannot be told from Google's; empty without any.</param>
/// <param name="Works">What was done, such as "Deserialize Request", with the usual cell of each library; empty without any.</param>
public sealed record Opening(
    IReadOnlyList<string> Sentences, string Unclear, IReadOnlyList<(string Name, IReadOnlyList<Relative> Rows)> Works)
{
    const string baseline = "Google";

    // So many works are a picture; the sections below have all.
    const int mostWorks = 4;

    // the verbs of the results of peers/run
    static readonly string[] workOfPeers = ["Read", "Write"];

    // what services do comes first
    static readonly string[] verbs =
        ["DeserializeStrings", "Deserialize", "DeserializeTouch", "Make", "Serve", "Serialize", "MeasureSerialize"];

    // how a sentence names the work of a verb, before the name of the message
    static readonly (string Done, string[] Verbs)[] told =
    [
        ("read", ["Deserialize"]), ("read with all strings", ["DeserializeStrings"]), ("make and write", ["Make"]), ("serve", ["Serve"]),
        ("write an existing", ["Serialize", "MeasureSerialize"]),
    ];

    public static Opening Of(ReportContent content)
    {
        if (content.OnlyDry)
            return new([], "", []);
        if (content.Comparison is { } comparison)
            return new([Compared(comparison)], "", []);
        var (categories, grids) = (Category.Of(content.Bars), SetGrid.Of(content.Cells));
        string[] others = [.. new[] { Sets(grids), Rewrite(grids), Load(content.Loads) }.Where(sentence => sentence.Length > 0)];
        var works = OfOneRun(categories);
        if (works.Length > 0)
        {
            string Label(string way) => content.Libraries.FirstOrDefault(library => library.Name == way)?.Label ?? way;
            var message = works[0].Category.Cells[0].Name["message"];
            var (sentence, unclear) = Libraries(works, Label);
            return new([sentence, .. others], unclear,
            [
                .. works.OrderBy(work => work.Category.Cells[0].Name["message"] != message)
                    .ThenBy(work => Array.IndexOf(verbs, work.Category.Cells[0].Name["verb"]) is >= 0 and var place ? place : verbs.Length)
                    .Take(mostWorks).Select(work => (work.Category.Name, (IReadOnlyList<Relative>)work.Rows)),
            ]);
        }

        if (others.Length == 0)
            others = [.. new[] { First(categories), Pairs(content.Duets) }.Where(sentence => sentence.Length > 0).Take(1)];
        return new(others, "", []);
    }

    // Of several runs the one in which most libraries did most works, so that no ratio is between runs.
    static (Category Category, Relative[] Rows)[] OfOneRun(IReadOnlyList<Category> categories) => categories
        .SelectMany(category => category.Cells).Where(cell => cell.Name["verb"] is not null).Select(cell => cell.Run).Distinct()
        .Select(run => categories.Select(category => (Category: category, Rows: Against(category, run)))
            .Where(work => work.Rows.Length > 1).ToArray())
        .MaxBy(works => works.Sum(work => work.Rows.Length)) ?? [];

    // A chart over sizes has no one ratio, and a cell without a verdict is no headline.
    static Relative[] Against(Category category, string run)
    {
        if (category.SpansSizes)
            return [];
        Measured[] usual =
            [.. Category.Usual([.. category.Cells.Where(cell =>
                cell.Run == run && cell is { Group.Length: 0, IsFloor: false, Doubtful: false })])];
        return Array.Find(usual, cell => cell.Way == baseline) is { Time.Low: > 0 } google
            ? [.. usual.Select(cell => Relative.Of(cell, google)).OrderBy(row => row.Ratio)] : [];
    }

    // "To read Request, the slab codec (ROM) takes 0.12 [0.11 to 0.13] of the time of Google.Protobuf (ROM) and protobuf-net (ROM) 1.32
    // [1.28 to 1.36]; to write an existing ..." A ratio whose interval has 1 in it is no fact, and is in a line of its own. The kind of buffer is part
    // of the sentence, because a table of the same run can have another one as its baseline.
    static (string Sentence, string Unclear) Libraries((Category Category, Relative[] Rows)[] works, Func<string, string> label)
    {
        (string Done, (Category Category, Relative[] Rows) Work)[] done =
        [
            .. from kind in told
               let work = Array.Find(works, work => kind.Verbs.Contains(Verb(work)))
               where work.Category is not null
               select (kind.Done, work),
        ];
        if (done.Length == 0)
            done = [("do " + Verb(works[0]), works[0])];
        // a library that did some of them only is in the picture
        string[][] ways = [.. done.Select(part => part.Work.Rows.Select(row => row.Cell.Way).Where(way => way != baseline).ToArray())];
        var all = ways.Aggregate((IEnumerable<string>)ways[0], (some, others) => some.Intersect(others)).ToHashSet();
        List<string> sentences = [], unclear = [];
        foreach (var (kind, (category, rows)) in done)
        {
            var google = Named(rows.First(row => row.Cell.Way == baseline).Cell);
            Relative[] others = [.. rows.Where(row => row.Cell.Way != baseline && (all.Count == 0 || all.Contains(row.Cell.Way)))];
            Relative[] known = [.. others.Where(row => row.Low > 1 || row.High < 1)];
            var work = $"to {kind} {category.Cells[0].Name["message"]}";
            if (known.Length > 0)
            {
                sentences.Add($"{work}, {string.Join(" and ", known.Select((row, i) => Named(row.Cell) + (i == 0 ? " takes " : " ")
                    + $"{Number(row.Ratio)} [{Number(row.Low)} to {Number(row.High)}]" + (i == 0 ? $" of the time of {google}" : "")))}");
            }

            if (known.Length < others.Length)
                unclear.Add($"{work}: {string.Join(", ", others.Except(known).Select(row => Named(row.Cell)))}");
        }

        return (sentences.Count == 0 ? "No difference from Google.Protobuf is larger than the error of this run."
                : Capital(string.Join("; ", sentences) + "."),
            unclear.Count == 0 ? "" : $"No clear difference from Google.Protobuf in this run: {string.Join("; ", unclear)}.");

        static string Capital(string text) => char.ToUpperInvariant(text[0]) + text[1..];

        // packages are names, and a codec is not
        string Named(Measured cell) =>
            (label(cell.Way) is var name && name.EndsWith(" codec", StringComparison.Ordinal) ? "the " + name : name)
            + InBrackets(cell.Buffer, cell.Strings);

        static string? Verb((Category Category, Relative[] Rows) work) => work.Category.Cells[0].Name["verb"];
    }

    static string Compared(Comparison comparison)
    {
        Verdict[] verdicts = [.. CompareSection.Judged(comparison)];
        int Count(params ReadOnlySpan<Verdict> some)
        {
            var count = 0;
            foreach (var verdict in some)
                count += verdicts.Count(one => one == verdict);
            return count;
        }

        return $"{string.Join(" and ", comparison.Columns.Skip(1))} against {comparison.Columns[0]}: {Count(Verdict.Better)} better, "
            + $"{Count(Verdict.Worse)} worse, {Count(Verdict.Equal, Verdict.Small)} equal or with a small change, "
            + $"{Count(Verdict.Unclear)} that these samples cannot tell.";
    }

    static string Pairs(Comparison? duets)
    {
        if (duets?.Blocks.FirstOrDefault(block => block.Unit.Scale == Scale.Nanoseconds) is not { } times)
            return "";
        Row[] judged = [.. times.Rows.Where(row => !CompareSection.IsBound(duets, row, 1))];
        int Count(Verdict verdict) => judged.Count(row => row.Changes[1] is { } change && ForestRow.Shown(change) == verdict);
        var bounds = times.Rows.Count - judged.Length;
        return $"Of {judged.Length} pairs of cells that ran alternately, the second cell is faster in {Count(Verdict.Better)} and slower in "
            + $"{Count(Verdict.Worse)}, and {Count(Verdict.Unclear)} cannot be told"
            + (bounds == 0 ? "." : bounds == 1 ? "; one more is the distance from a lower bound." : $"; {bounds} more are distances from a lower bound.");
    }

    static string Sets(IReadOnlyList<SetGrid> grids)
    {
        (string Work, string Verb, bool WithStrings)[] works =
        [
            ("to make and write", "Make", false), ("to write what exists", "Serialize", false), ("to read every field", "DeserializeTouch", false),
            ("to read every field with .NET strings", "DeserializeTouch", true),
        ];
        string[] sentences =
        [
            .. from work in works
               let grid = grids.FirstOrDefault(grid => grid.Verb == work.Verb)
               where grid is not null
               let counts = grid.Sets.Select(set => Best(grid, set, work.WithStrings ? grid.WithStrings : grid.Libraries))
                   .OfType<Measured>().CountBy(cell => cell.ShortLabel + InBrackets(cell.Strings)).ToArray()
               where counts.Length > 0
               let best = counts.MaxBy(library => library.Value)
               select $"{work.Work}, {best.Key} for {best.Value}",
        ];
        return sentences.Length == 0 ? "" : $"Of {grids[0].Sets.Count} data sets, the least time takes: {string.Join("; ", sentences)}.";

        static Measured? Best(SetGrid grid, string set, IReadOnlyCollection<string> among) =>
            among.Select(library => grid.Cells.GetValueOrDefault((set, library))).Where(cell => cell is { Doubtful: false })
                .MinBy(cell => cell!.Time.Value);
    }

    // The largest request, because the part of a codec is largest there, and then the most rounds.
    static string Load(IReadOnlyList<LoadFile> loads)
    {
        foreach (var result in loads.Select(load => load.Result).Where(result => result.Settings.Loop == "closed")
            .OrderByDescending(result => result.Variants.Max(variant => variant.Transport.RequestBytes))
            .ThenByDescending(result => result.Settings.Rounds))
        {
            (LoadVariant Variant, double Calls)[] variants =
            [
                .. result.Variants.Where(variant => variant.Verdict.Valid && variant.Rounds.Any(round => round.Succeeded > 0))
                    .Select(variant => (variant,
                        Median.Of([.. variant.Rounds.Where(round => round.Succeeded > 0).Select(round => round.SucceededPerSecond)]).Value))
                    .OrderByDescending(variant => variant.Item2),
            ];
            if (variants.Length < 2)
                continue;
            var google = Array.Find(variants, one => one.Variant.Codec == "google");
            var slab = Array.Find(variants, one => one.Variant.Codec == "slab" && one.Variant.Stack == google.Variant?.Stack);
            if (slab.Variant is not null
                && RoundPairs.Of(google.Variant, slab.Variant, round => round.SucceededPerSecond, 0.05)
                    is { Low: { } low, High: { } high } pairs)
                return $"Over {slab.Variant.Stack} with a request of {slab.Variant.Transport.RequestBytes:N0} B, {slab.Calls:N0} calls a second "
                    + $"are made with the slab codec and {google.Calls:N0} with Google.Protobuf, a ratio of {Number(pairs.Ratio)} "
                    + $"[{Number(low)} to {Number(high)}]." + Call(slab.Variant, google.Variant);
            return $"Of {variants.Length} "
                + (variants.Length < result.Variants.Count ? "valid variants" : "variants")
                + $" “{variants[0].Variant.Name}” makes the most calls: {variants[0].Calls:N0} a second, "
                + $"{Number(variants[0].Calls / variants[^1].Calls)} times as many as “{variants[^1].Variant.Name}”.";
        }

        return "";
    }

    static string Call(LoadVariant slab, LoadVariant google)
    {
        (double?, double?)[] both = [.. new[] { slab, google }.Select(variant => (
            Middle(variant, round => (round.Response ?? round.Service) is { Count: > 0 } calls ? calls.Decode().Percentile(50) : null),
            Middle(variant, round => round.Client?.AllocatedBytesPerCall)
                + Middle(variant, round => round.Server?.AllocatedBytesPerCall)))];
        return both is [({ } p50, { } bytes), ({ } googleP50, { } googleBytes)]
            ? $" The median latency is {p50:N0} μs instead of {googleP50:N0} μs, and client and host together allocate {bytes:N0} B for a call "
                + $"instead of {googleBytes:N0} B."
            : "";

        static double? Middle(LoadVariant variant, Func<LoadRound, double?> of) =>
            variant.Rounds.Where(round => round.Succeeded > 0).Select(of).OfType<double>().ToArray() is { Length: > 0 } values
            ? Median.Of(values).Value : null;
    }

    // The rounds of peers/run are pairs. A ratio whose smallest and largest round have 1 between them is "the same time". Both are rounded,
    // because the reader sees them rounded in the table.
    static string Rewrite(IReadOnlyList<SetGrid> grids)
    {
        const string other = "C++";
        return string.Join(' ', workOfPeers.SelectMany(verb =>
            Sentences(verb.ToLowerInvariant(), Ratios(verb, "Slab", other), Ratios(verb, other, baseline))));

        RatioOfRounds[] Ratios(string verb, string ours, string theirs) =>
            grids.FirstOrDefault(grid => grid.Verb == verb) is not { } grid ? [] :
            [
                .. from set in grid.Sets
                   let one = grid.Cells.GetValueOrDefault((set, ours))
                   let two = grid.Cells.GetValueOrDefault((set, theirs))
                   where one is { Iterations.Count: > 0, Doubtful: false } && two is { Iterations.Count: > 0, Doubtful: false }
                   let rounds = one.Iterations.Zip(two.Iterations, (first, second) => first / second).ToArray()
                   let ratio = Median.Of(rounds).Value
                   orderby ratio
                   select new RatioOfRounds(set, ratio, Math.Round(rounds.Min(), 2), Math.Round(rounds.Max(), 2)),
            ];

        static IEnumerable<string> Sentences(string verb, RatioOfRounds[] all, RatioOfRounds[] othersByGoogle)
        {
            var gained = othersByGoogle.Where(one => one.High < 1).ToArray();
            if (all.Length > 0 && gained.Length > 0)
                yield return $"{other} {verb}s {gained.Length} of {othersByGoogle.Length} data sets in {Span(gained)} of the time of Google.Protobuf.";
            var faster = all.Where(one => one.High < 1).ToArray();
            var same = all.Where(one => one is { Low: <= 1, High: >= 1 }).ToArray();
            var slower = all.Where(one => one.Low > 1).ToArray();
            string[] parts =
            [
                .. faster.Length > 0 ? [$"{faster.Length} of {all.Length} data sets in {Span(faster)} of the time of {other}"] : Array.Empty<string>(),
                .. same.Length > 0 ? [$"{Names(same)} in the same time as {other}"] : Array.Empty<string>(),
                .. slower.Length > 0 ? [$"{Names(slower)} in {Span(slower)} of the time of {other}"] : Array.Empty<string>(),
            ];
            if (parts.Length > 0)
                yield return $"The slab codec {verb}s {string.Join(", ", parts.SkipLast(1))}{(parts.Length > 1 ? ", and " : "")}{parts[^1]}.";
        }

        static string Span(RatioOfRounds[] some) =>
            some.Length == 1 ? Number(some[0].Ratio) : $"{Number(some[0].Ratio)} to {Number(some[^1].Ratio)}";

        static string Names(RatioOfRounds[] some) =>
            string.Join(", ", some.SkipLast(1).Select(one => one.Set)) + (some.Length > 1 ? " and " : "") + some[^1].Set;
    }

    static string First(IReadOnlyList<Category> categories)
    {
        var category = categories.FirstOrDefault(category => category.Telling.Count() > 1 && !category.SpansSizes)
            ?? categories.FirstOrDefault(category => category.Lowest is not null);
        if (category?.Lowest is not { } lowest)
            return "";
        var highest = category.Telling.Where(cell => cell.Group == lowest.Group).MaxBy(cell => cell.Time.Value)!;
        return $"{category.Name}: {lowest.FullLabel} has the lowest median, {Figures.Of(Measured.TimeUnit, lowest.Time.Value)}"
            + (lowest.Time.Value > 0 && highest != lowest ? $"; {highest.FullLabel} takes {Number(highest.Time.Value / lowest.Time.Value)} times as long." : ".");
    }

    static string InBrackets(params IEnumerable<string?> parts) =>
        string.Join(", ", parts.Where(part => part is { Length: > 0 })) is { Length: > 0 } text ? $" ({text})" : "";

    internal static string Number(double value) => value.ToString(value < 10 ? "0.00" : "N0");
}

/// <param name="Ratio">The median over the rounds, of which each gives a ratio.</param>
readonly record struct RatioOfRounds(string Set, double Ratio, double Low, double High);

/// <summary>A cell with its time as a multiple of another's.</summary>
/// <param name="Low">The ratio of the lower end of its interval to the upper end of the other's.</param>
public sealed record Relative(Measured Cell, double Ratio, double Low, double High)
{
    /// <summary>A cell against another one, whose interval is above 0.</summary>
    internal static Relative Of(Measured cell, Measured other) => ReferenceEquals(cell, other)
        ? new(cell, 1, 1, 1)
        : new(cell, cell.Time.Value / other.Time.Value, cell.Time.Low / other.Time.High, cell.Time.High / other.Time.Low);
}
