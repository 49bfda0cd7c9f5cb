namespace ProtoBench.Report.Model;

/// <summary>Who wins where, by number of items and size of a leaf. Any class with these two parameters makes one.</summary>
public sealed record BreakEven
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
        return new BreakEven
        {
            Title = title,
            Ways = ways,
            Items = [.. cells.Select(cell => SizeText.Parse(cell.Name[items])!.Value).Distinct().Order()],
            LeafBytes = [.. cells.Select(cell => SizeText.Parse(cell.Name[leafBytes])!.Value).Distinct().Order()],
            Cells = cells.GroupBy(cell =>
                (cell.ShortLabel, SizeText.Parse(cell.Name[items])!.Value, SizeText.Parse(cell.Name[leafBytes])!.Value))
                    .ToDictionary(group => group.Key, group => group.First()),
        };
    }

    static string Group(Measured cell)
    {
        var others = cell.Name.Parameters.Except([items, leafBytes], StringComparer.OrdinalIgnoreCase)
            .Select(part => $"{part}={cell.Name[part]}");
        return string.Join(", ", ((string[])[cell.Category, .. others, cell.Side]).Where(part => part.Length > 0));
    }
}
