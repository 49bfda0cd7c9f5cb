namespace ProtoBench.Report.Model;

/// <summary>Who wins where, by number of items and size of a leaf. Any class with these two parameters makes one.</summary>
/// <param name="Title">What was done: the class, the verb, and the other parameters.</param>
/// <param name="Ways">The ways to do it; the first is the one that the others are compared with.</param>
/// <param name="Items">The numbers of items, ascending.</param>
/// <param name="LeafBytes">The sizes of a leaf in bytes, ascending.</param>
/// <param name="Cells">The cells by way, items and leaf size; combinations that were not measured are absent.</param>
public sealed record BreakEven(string Title, IReadOnlyList<string> Ways, IReadOnlyList<double> Items, IReadOnlyList<double> LeafBytes,
    IReadOnlyDictionary<(string Way, double Items, double LeafBytes), Measured> Cells)
{
    const string items = "Items", leafBytes = "LeafBytes";

    /// <summary>The time of a way as a multiple of the first way's; null where one of them was not measured.</summary>
    public double? Ratio(string way, double count, double leaf) =>
        Cells.GetValueOrDefault((way, count, leaf)) is { } cell
        && Cells.GetValueOrDefault((Ways[0], count, leaf)) is { Time.Value: > 0 } first
            ? cell.Time.Value / first.Time.Value
            : null;

    public static bool IsPart(Measured cell) =>
        SizeText.Parse(cell.Name[items]) is not null && SizeText.Parse(cell.Name[leafBytes]) is not null;

    public static IReadOnlyList<BreakEven> Of(IEnumerable<Measured> cells) =>
        [.. cells.Where(IsPart).GroupBy(Group, StringComparer.Ordinal).Select(group => Of(group.Key, [.. group]))];

    static BreakEven Of(string title, Measured[] cells)
    {
        string[] ways =
            [.. cells.Select(cell => cell.ShortLabel).Distinct(StringComparer.Ordinal)
                .OrderBy(way => !way.StartsWith("Google", StringComparison.Ordinal)).ThenBy(way => way, NaturalOrder.Instance)];
        return new(title, ways, Numbers(items), Numbers(leafBytes),
            cells.GroupBy(cell => (cell.ShortLabel, Number(cell, items), Number(cell, leafBytes)))
                .ToDictionary(group => group.Key, group => group.First()));

        double[] Numbers(string parameter) => [.. cells.Select(cell => Number(cell, parameter)).Distinct().Order()];

        static double Number(Measured cell, string parameter) => SizeText.Parse(cell.Name[parameter])!.Value;
    }

    static string Group(Measured cell)
    {
        var others = cell.Name.Parameters.Except([items, leafBytes], StringComparer.OrdinalIgnoreCase)
            .Select(part => $"{part}={cell.Name[part]}");
        return string.Join(", ", ((string[])[cell.Category, .. others, cell.Side]).Where(part => part.Length > 0));
    }
}
