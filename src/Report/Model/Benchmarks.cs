using ProtoBench.Results;

namespace ProtoBench.Report.Model;

/// <summary>Pools the files of each side and takes the names of their benchmarks apart.</summary>
static class Benchmarks
{
    // The hive's cells in the order of their table; what is not here comes after, by name.
    static readonly string[] verbs = ["Serialize", "Measure", "MeasureSerialize", "Deserialize", "DeserializeTouch", "DeserializeStrings"], messages = ["Request", "Response", "Mixed"];

    public static IReadOnlyList<Measured> Of(IReadOnlyList<Side> sides) =>
    [
        .. sides
            .SelectMany(side => side.Files.Where(file => file.Load == null).SelectMany(file => file.Cells).GroupBy(cell => cell.Name)
                .Select(cells => Of(sides.Count > 1 ? side.Label : "", cells.Key, [.. cells])).OfType<Measured>())
            .OrderBy(cell => Place(verbs, cell.Name["verb"]))
            .ThenBy(cell => Place(messages, cell.Name["message"]))
            .ThenBy(cell => cell.Category, NaturalOrder.Instance)
            .ThenBy(cell => cell.IsFloor)
            .ThenBy(cell => cell.Name["library"] ?? "", NaturalOrder.Instance)
            .ThenBy(cell => cell.Label, NaturalOrder.Instance),
    ];

    static int Place(string[] order, string? name) => Array.IndexOf(order, name) is >= 0 and var place ? place : order.Length;

    static Measured? Of(string side, CellName name, Cell[] cells)
    {
        Cell[] times = [.. cells.Where(cell => cell.Unit.Name == "ns/op")];
        if (times.Length == 0)
            return null;
        var category = Category(name);
        var label = Label(name, category);
        return new Measured
        {
            Side = side,
            Name = name,
            Category = category,
            Label = side.Length == 0 ? label : $"{label} · {side}",
            Time = Estimate.From([.. times.SelectMany(cell => cell.Values)], [.. times.SelectMany(cell => cell.Iterations)], "launch"),
            Allocated = MedianOf("B/op"),
            Objects = MedianOf("objects/op"),
        };

        double? MedianOf(string unit) => cells.Where(cell => cell.Unit.Name == unit).SelectMany(cell => cell.Values).ToArray() is { Length: > 0 } values ? Median.Of(values).Value : null;
    }

    static string Category(CellName name)
    {
        if (name["verb"] is { } verb)
            return $"{verb} {name["message"]}";
        var type = (name["type"] ?? "").Replace("Benchmarks", "", StringComparison.Ordinal);
        return name["method"] is { } method && method.IndexOf('_', StringComparison.Ordinal) is > 0 and var end && method[..end] != type ? $"{type} {method[..end]}" : type;
    }

    static string Label(CellName name, string category)
    {
        string[] grammar = ["type", "method", "job", "verb", "message", "library", "buffer", "memory"];
        var own = name["verb"] != null
            ? string.Join('_', new[] { name["library"], name["buffer"], name["memory"] }.OfType<string>())
            : name["method"] is { } method && method.IndexOf('_', StringComparison.Ordinal) is > 0 and var end && category.EndsWith(method[..end], StringComparison.Ordinal) ? method[(end + 1)..] : name["method"] ?? "";
        string[] others = [.. name.Parts.Where(part => !grammar.Contains(part)).Select(part => $"{part}={name[part]}")];
        return own + (others.Length == 0 ? "" : $" ({string.Join(", ", others)})") + (name["job"] is { } job ? $" [{job}]" : "");
    }
}
