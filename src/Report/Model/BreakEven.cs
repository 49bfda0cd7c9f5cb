using System.Globalization;
using System.Text.RegularExpressions;
using ProtoBench.Results;

namespace ProtoBench.Report.Model;

/// <summary>A map of who wins where: the same work with few and many items, with small and large leaves, in several ways. Any class with these two parameters makes one.</summary>
public sealed partial record BreakEven
{
    const string items = "Items", leafBytes = "LeafBytes";

    /// <summary>What was done: the class, the verb, and the other parameters.</summary>
    public required string Title { get; init; }

    /// <summary>The ways to do it; the first is the one that the others are compared with.</summary>
    public required IReadOnlyList<string> Ways { get; init; }

    /// <summary>The numbers of items, ascending.</summary>
    public required IReadOnlyList<double> Items { get; init; }

    /// <summary>The sizes of a leaf in bytes, ascending.</summary>
    public required IReadOnlyList<double> LeafBytes { get; init; }

    /// <summary>The cells by way, items and leaf size; combinations that were not measured are absent.</summary>
    public required IReadOnlyDictionary<(string Way, double Items, double LeafBytes), Measured> Cells { get; init; }

    /// <summary>Whether a cell belongs into a map.</summary>
    /// <param name="cell">The cell.</param>
    public static bool IsPart(Measured cell) => Number(cell, items) is not null && Number(cell, leafBytes) is not null;

    /// <summary>The maps of all cells that belong into one.</summary>
    /// <param name="cells">All cells.</param>
    public static IReadOnlyList<BreakEven> Of(IEnumerable<Measured> cells) => [.. cells.Where(IsPart).GroupBy(Group, StringComparer.Ordinal).Select(group => Of(group.Key, [.. group]))];

    static BreakEven Of(string title, Measured[] cells)
    {
        string[] ways = [.. cells.Select(Way).Distinct(StringComparer.Ordinal).OrderBy(way => !way.StartsWith("Google", StringComparison.Ordinal)).ThenBy(way => way, NaturalOrder.Instance)];
        return new BreakEven
        {
            Title = title,
            Ways = ways,
            Items = [.. cells.Select(cell => Number(cell, items)!.Value).Distinct().Order()],
            LeafBytes = [.. cells.Select(cell => Number(cell, leafBytes)!.Value).Distinct().Order()],
            Cells = cells.GroupBy(cell => (Way(cell), Number(cell, items)!.Value, Number(cell, leafBytes)!.Value)).ToDictionary(group => group.Key, group => group.First()),
        };
    }

    static double? Number(Measured cell, string parameter) =>
        double.TryParse(cell.Name[parameter]?.Replace(",", "", StringComparison.Ordinal), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number) && double.IsFinite(number) ? number : null;

    static string Group(Measured cell)
    {
        string[] known = ["type", "method", "verb", "message", "library", "buffer", "memory", items, leafBytes];
        var others = cell.Name.Parts.Where(part => !known.Contains(part, StringComparer.OrdinalIgnoreCase)).Select(part => $"{part}={cell.Name[part]}");
        var type = (cell.Name["type"] ?? "").Replace("Benchmarks", "", StringComparison.Ordinal);
        return string.Join(", ", ((string[])[$"{type} {Verb().Match(cell.Name["method"] ?? "").Value}".Trim(), .. others, cell.Side]).Where(part => part.Length > 0));
    }

    static string Way(Measured cell)
    {
        var method = cell.Name["method"] ?? "";
        var way = method[Verb().Match(method).Length..].TrimStart('_');
        return way.Length == 0 ? method : way;
    }

    [GeneratedRegex("^(MeasureSerialize|Serialize|Measure|DeserializeTouch|DeserializeStrings|Deserialize)(Request|Response|Mixed)?")]
    private static partial Regex Verb();
}
