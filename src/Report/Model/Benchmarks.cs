using ProtoBench.Results;

namespace ProtoBench.Report.Model;

/// <summary>Pools the launches of each series and takes the names of their benchmarks apart.</summary>
static class Benchmarks
{
    static readonly string[] grammar = ["type", "method", "job", "verb", "message", "library", "buffer", "memory"];

    // The hive's cells in the order of their table; what is not here comes after, by name.
    static readonly string[] verbs = ["Serialize", "Measure", "MeasureSerialize", "Deserialize", "DeserializeTouch", "DeserializeStrings"],
        messages = ["Request", "Response", "Mixed"];

    /// <summary>The cells of all series, in the order of the page: by category and group, within a group the fastest first.</summary>
    /// <param name="series">The sides, each with its series.</param>
    public static IReadOnlyList<Measured> Of(IReadOnlyList<(string Side, Pooling Pooling)> series)
    {
        var pools = series.SelectMany(side =>
            side.Pooling.Files.Select(pool =>
                (Label: string.Join(", ", new[] { series.Count > 1 ? side.Side : "", pool.Label }.Where(part => part.Length > 0)),
                    pool.Files))).ToArray();
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
                .SelectMany(pool => pool.Files.SelectMany(file => file.Cells).GroupBy(cell => cell.Name)
                    .Select(cells =>
                        Of(series.Count > 1 || several.Contains(cells.Key) ? pool.Label : "", cells.Key, words, [.. cells], place++))
                            .OfType<Measured>())
                .OrderBy(cell => Place(verbs, cell.Name["verb"]))
                .ThenBy(cell => Place(messages, cell.Name["message"]))
                .ThenBy(cell => cell.Category, NaturalOrder.Instance)
                .ThenBy(cell => cell.Group, GroupOrder)
                .ThenBy(cell => cell.Time.Value),
        ];
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

    static Measured? Of(string side, CellName name, Dictionary<string, IReadOnlyDictionary<string, MethodWords>> words, Cell[] cells,
        int place)
    {
        Cell[] times = [.. cells.Where(cell => cell.Unit.Name == "ns/op")];
        if (times.Length == 0)
            return null;
        var other = name["verb"] is null ? words[name["type"] ?? ""][name["method"] ?? ""] : null;
        var label = other?.Label ?? string.Join('_', new[] { name["library"], name["buffer"], name["memory"] }.OfType<string>());
        double[] iterations = [.. times.SelectMany(cell => cell.Iterations)];
        return new Measured
        {
            Side = side,
            Name = name,
            Category = other is null
            ? $"{name["verb"]} {name["message"]}"
            : Category((name["type"] ?? "").Replace("Benchmarks", "", StringComparison.Ordinal), other.Verb),
            Group = string.Join(", ",
                name.Parts.Where(part => !grammar.Contains(part) && name[part] != "?").Select(part => $"{part}={name[part]}")
                    .Concat(name["job"] is { } job ? [$"job={job}"] : [])),
            ShortLabel = label,
            Way = other?.Way ?? name["library"] ?? label,
            Order = place,
            Time = Estimate.From([.. times.SelectMany(cell => cell.Values)], iterations, "launch"),
            Iterations = iterations,
            Allocated = MedianOf("B/op"),
            Objects = MedianOf("objects/op"),
            Rate = MedianOf("MB/s"),
        };

        double? MedianOf(string unit) =>
            cells.Where(cell => cell.Unit.Name == unit).SelectMany(cell => cell.Values).ToArray() is { Length: > 0 } values
            ? Median.Of(values).Value : null;
    }

    static string Category(string type, string verb) =>
        verb.Length == 0 || type == verb ? type : type.Length == 0 ? verb : $"{type} {verb}";
}
