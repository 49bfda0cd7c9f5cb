using System.Text.RegularExpressions;

namespace ProtoBench.Report.Model;

static class Benchmarks
{
    // The hive's cells in the order of their table; what is not here comes after, by name.
    static readonly string[] verbs = Enum.GetNames<HiveVerb>(), messages = Enum.GetNames<HiveMessage>();

    /// <summary>The cells of all series, in the order of the page: by category and group, within a group the fastest first.</summary>
    public static IReadOnlyList<Measured> Of(IReadOnlyList<(string Side, Pooling Pooling)> series)
    {
        var pools = series.SelectMany(side => side.Pooling.Files.Select(pool =>
            (side.Side, side.Pooling.ByFile, pool.Label, pool.Files))).ToArray();
        var names = pools.SelectMany(pool => pool.Files).SelectMany(file => file.Cells).Select(cell => cell.Name).Distinct().ToArray();
        var words = names.GroupBy(name => name["type"] ?? "", StringComparer.Ordinal)
            .ToDictionary(type => type.Key,
                type => MethodWords.Of(
                    [.. type.Where(name => name["verb"] is null).Select(name => name["method"] ?? "").Distinct(StringComparer.Ordinal)]),
                        StringComparer.Ordinal);
        // a series is named only at cells that stand in several of them
        var several =
            pools.SelectMany(pool => pool.Files.SelectMany(file => file.Cells).Select(cell => cell.Name).Distinct()).CountBy(name => name)
                .Where(name => name.Value > 1).Select(name => name.Key).ToHashSet();
        var place = 0;
        return
        [
            .. pools
                .SelectMany(pool => pool.Files.SelectMany(file => file.Cells.Select(cell => (file, cell))).GroupBy(of => of.cell.Name)
                    .Select(of => Of(
                        Run(pool.Side, pool.ByFile ? Pooling.NameOf(of.First().file) : pool.Label),
                        series.Count > 1 || several.Contains(of.Key), of.Key, words, [.. of.Select(one => one.cell)], place++))
                    .OfType<Measured>())
                .OrderBy(cell => Place(verbs, cell.Name["verb"]))
                .ThenBy(cell => Place(messages, cell.Name["message"]))
                .ThenBy(cell => cell.Category, NaturalOrder.Instance)
                .ThenBy(cell => cell.Group, GroupOrder)
                .ThenBy(cell => cell.Time.Value),
        ];

        string Run(string side, string label) =>
            string.Join(", ", new[] { series.Count > 1 ? side : "", label }.Where(part => part.Length > 0));
    }

    static Comparer<string> GroupOrder { get; } = Comparer<string>.Create((x, y) =>
    {
        var (a, b) = (x.Split(", "), y.Split(", "));
        for (var i = 0; i < Math.Min(a.Length, b.Length); i++)
        {
            var order = SizeText.Order.Compare(a[i][(a[i].IndexOf('=', StringComparison.Ordinal) + 1)..],
                b[i][(b[i].IndexOf('=', StringComparison.Ordinal) + 1)..]);
            if (order != 0)
                return order;
        }

        return a.Length.CompareTo(b.Length);
    });

    static int Place(string[] order, string? name) => Array.IndexOf(order, name) is >= 0 and var place ? place : order.Length;

    static Measured? Of(string run, bool isNamed, CellName name, Dictionary<string, IReadOnlyDictionary<string, MethodWords>> words,
        Cell[] cells, int place)
    {
        Cell[] times = [.. cells.Where(cell => cell.Unit.Name == "ns/op")];
        if (times.Length == 0)
            return null;
        // as in a comparison: doubtful launches stand in only where there are no others
        var doubtful = times.All(cell => cell.Doubtful);
        if (!doubtful)
            times = [.. times.Where(cell => !cell.Doubtful)];
        var other = name["verb"] is null ? words[name["type"] ?? ""][name["method"] ?? ""] : null;
        var label = other?.Label ?? string.Join('_', new[] { name["library"], name["buffer"], name["memory"] }.OfType<string>());
        double[] iterations = [.. times.SelectMany(cell => cell.Iterations)];
        return new Measured
        {
            Side = isNamed ? run : "",
            Run = run,
            Name = name,
            Category = other is null
            ? $"{name["verb"]} {name["message"]}"
            : Category((name["type"] ?? "").Replace("Benchmarks", "", StringComparison.Ordinal), other.Verb),
            Group = string.Join(", ",
                name.Parameters.Where(part => name[part] != "?").Select(part => $"{part}={name[part]}")
                    .Concat(name["job"] is { } job ? [$"job={job}"] : [])),
            ShortLabel = label,
            Way = other?.Way ?? name["library"] ?? label,
            Order = place,
            Time = Estimate.From([.. times.SelectMany(cell => cell.Values)], iterations, "launch"),
            Iterations = iterations,
            Doubtful = doubtful,
            Allocated = MedianOf("B/op"),
            Objects = MedianOf("objects/op"),
            Rate = MedianOf("MB/s"),
            Items = times[0].Items ?? (SizeText.Parse(name["Items"]) is > 0 and var items ? items : (double?)null),
        };

        double? MedianOf(string unit) =>
            cells.Where(cell => cell.Unit.Name == unit).SelectMany(cell => cell.Values).ToArray() is { Length: > 0 } values
            ? Median.Of(values).Value : null;
    }

    static string Category(string type, string verb) =>
        verb.Length == 0 || type == verb ? type : type.Length == 0 ? verb : $"{type} {verb}";
}

/// <summary>Files are pooled only when they agree in job, machine, settings, versions and commit.</summary>
/// <param name="OnlyDry">Whether all benchmarks of the side are dry runs, which measure nothing.</param>
sealed record Pooling(IReadOnlyList<(string Label, IReadOnlyList<ResultFile> Files)> Files, IReadOnlyList<string> LeftOut, bool OnlyDry)
{
    // Of facts that differ, no more than needed stand in a label; the environment table has all of them.
    const int mostNamed = 2, longestValue = 20, mostByFacts = 3;

    /// <summary>Whether the cells of many series are named by their files: the facts that tell so many apart are long.</summary>
    public bool ByFile => Files.Count > mostByFacts;

    public static string NameOf(ResultFile file) => Path.GetFileNameWithoutExtension(file.Path);

    /// <summary>Splits the benchmark files of a side into series. Dry runs are left out, unless there is nothing else.</summary>
    public static Pooling Of(Side side)
    {
        ResultFile[] files = [.. side.Files.Where(file => file is { Load: null, Duet: null })];
        ResultFile[] dry = [.. files.Where(IsDry)];
        var onlyDry = dry.Length > 0 && dry.Length == files.Length;
        var kept = onlyDry ? files : [.. files.Except(dry)];
        var series = kept.GroupBy(Conditions, StringComparer.Ordinal).Select(group => group.ToArray()).ToArray();
        return new(
            [.. Labels([.. series.Select(group => group[0])]).Zip(series, (label, group) => (label, (IReadOnlyList<ResultFile>)group))],
            onlyDry ? [] : [.. dry.Select(file => $"{file.Path}: left out, it is a dry run, which measures nothing")],
            onlyDry);
    }

    /// <summary>Whether every job of a file is dry: one iteration of one operation, without warm-up.</summary>
    static bool IsDry(ResultFile file) =>
        file.Facts.GetValueOrDefault("job")?.Split(" and ") is { } jobs
        && jobs.All(job => job == "Dry" || job.StartsWith("Dry(", StringComparison.Ordinal));

    static string Conditions(ResultFile file) =>
        string.Join('\n', Facts(file).OrderBy(fact => fact.Key, StringComparer.Ordinal).Select(fact => $"{fact.Key}={fact.Value}"));

    static IEnumerable<KeyValuePair<string, string>> Facts(ResultFile file) =>
        file.Commit is { } commit ? file.Facts.Append(new("commit", commit)) : file.Facts;

    // A series by what it does not share with the others; what is still the same gets a number.
    static string[] Labels(ResultFile[] first)
    {
        if (first.Length == 1)
            return [""];
        if (first.Length > mostByFacts)
            return [.. first.Select(NameOf)];
        string[][] labels = [.. Enumerable.Range(1, mostNamed).Select(named => first.Select(file => Label(file, first, named)).ToArray())];
        return Array.Find(labels, some => some.Distinct(StringComparer.Ordinal).Count() == some.Length)
            ?? [.. labels[^1].Select((label, i) => $"{label}, run {i + 1}")];
    }

    static string Label(ResultFile file, ResultFile[] all, int named)
    {
        var own = Facts(file).ToDictionary(StringComparer.Ordinal);
        string[] differing = [.. all.SelectMany(other => Facts(other).Select(fact => fact.Key)).Distinct(StringComparer.Ordinal)
            .Where(fact => all.Select(other => Facts(other).FirstOrDefault(entry => entry.Key == fact).Value)
                .Distinct(StringComparer.Ordinal).Count() > 1)
            .OrderByDescending(fact => fact is "job" or "commit")];
        return string.Join(", ", differing.Take(named).Select(fact => $"{fact} {Charts.Svg.Short(Value(fact), longestValue)}"));

        string Value(string fact) =>
            own.GetValueOrDefault(fact) is not { } value
            ? "unknown" : fact switch { "commit" => Commit(value), "job" => Job(value), _ => value };
        // of a job's characteristics those that another series does not have
        string Job(string value) =>
            string.Join(", ",
                Characteristics(value)
                    .Where(part =>
                        all.Any(other => !Characteristics(other.Facts.GetValueOrDefault("job") ?? "")
                            .Contains(part)))) is { Length: > 0 } part ? part : value;
        static string[] Characteristics(string job) =>
            job.Split(['(', ')', ','], StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
        static string Commit(string value) =>
            value.TrimEnd('+') is { Length: > 10 } hash ? hash[..10] + (value.EndsWith('+') ? "+" : "") : value;
    }
}

/// <summary><c>MarshalByGoogle_BA</c> is Marshal, Google_BA; <c>Decode_Slab</c> is Decode, Slab.</summary>
/// <param name="Verb">What is done; empty when all methods of the class do the same.</param>
/// <param name="Way">How it is done: a library, an allocator, a transport.</param>
/// <param name="Form">The form of the way, for example <c>BA</c> or <c>Plain</c>; empty without one.</param>
public sealed partial record MethodWords(string Verb, string Way, string Form)
{
    static readonly string[] forms = ["BA", "Cold", "H", "A", "New", "Plain", "Reuse", "Strings"];

    public string Label => Form.Length == 0 ? Way : $"{Way}_{Form}";

    /// <summary>Splits the methods of one class. The words that all methods share at their beginning are their verb.</summary>
    public static IReadOnlyDictionary<string, MethodWords> Of(IReadOnlyCollection<string> methods)
    {
        var split = methods.ToDictionary(method => method, method => Split(method, methods), StringComparer.Ordinal);
        var whole = split.Where(entry => entry.Value.Verb.Length == 0).ToArray();
        var shared = Shared([.. whole.Select(entry => entry.Value.Way).Distinct(StringComparer.Ordinal)]);
        if (shared > 0)
        {
            foreach (var (method, words) in whole)
                split[method] = words with { Verb = words.Way[..shared], Way = words.Way[shared..] };
        }

        return split;
    }

    static MethodWords Split(string method, IReadOnlyCollection<string> methods)
    {
        if (By().Match(method) is { Success: true } by)
            return new(by.Groups["verb"].Value, by.Groups["way"].Value, by.Groups["form"].Value);
        var bar = method.IndexOf('_', StringComparison.Ordinal);
        if (bar <= 0 || bar == method.Length - 1)
            return new("", method, "");
        var (before, after) = (method[..bar], method[(bar + 1)..]);
        // "GRPC_Plain" stands beside "GRPC" and is a form of it; "Decode" is no method, so "Decode_Google" is a way to do it
        return methods.Contains(before) || forms.Contains(after) ? new("", before, after) : new(before, after, "");
    }

    // How many letters of whole words all ways begin with, so that each of them keeps at least one word.
    static int Shared(string[] ways)
    {
        if (ways.Length < 2)
            return 0;
        var shared = 0;
        foreach (Match word in Word().Matches(ways[0]))
        {
            var end = word.Index + word.Length;
            if (ways.Any(way => way.Length <= end || !way.StartsWith(ways[0][..end], StringComparison.Ordinal) || char.IsLower(way[end])))
                break;
            shared = end;
        }

        return shared;
    }

    [GeneratedRegex("^(?<verb>[A-Z][A-Za-z]*?)By(?<way>[A-Z][A-Za-z0-9]*)(_(?<form>[A-Za-z0-9_]+))?$", RegexOptions.ExplicitCapture)]
    private static partial Regex By();

    [GeneratedRegex("[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+")]
    private static partial Regex Word();
}
