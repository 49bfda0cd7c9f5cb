using System.Text.RegularExpressions;

namespace ProtoBench.Report.Model;

/// <summary>The same work at several sizes: one line for each way to do it.</summary>
/// <param name="Title">What is done, with the parameters that stay the same.</param>
/// <param name="Lines">Each way with its cells by ascending size; at least two sizes on one of them.</param>
public sealed record SizeLines(string Title, string Parameter,
    IReadOnlyList<(string Label, string Way, IReadOnlyList<(double Size, Measured Cell)> Cells)> Lines)
{
    // Fewer sizes are no line; more are no choice of sizes but a number of something else.
    const int leastSizes = 2, mostSizes = 64;

    // With more lines each form of the ways has a chart of its own.
    const int mostLines = 10;

    /// <summary>The charts that these cells make: for each category and each parameter of at least two different sizes above 0.</summary>
    public static IReadOnlyList<SizeLines> Of(IEnumerable<Measured> cells) =>
    [
        .. from category in cells.GroupBy(cell => cell.Category, StringComparer.Ordinal)
           let parameter = category.SelectMany(cell => cell.Name.Parameters).Distinct(StringComparer.OrdinalIgnoreCase)
               // of several parameters, the one with the most sizes
               .MaxBy(part => Sizes(category, part))
           where parameter is not null && Sizes(category, parameter) is >= leastSizes and <= mostSizes
           let many = category.Select(cell => cell.Label).Distinct(StringComparer.Ordinal).Count() > mostLines
           from chart in category.Where(cell => SizeText.Parse(cell.Name[parameter]) > 0)
               .GroupBy(cell => Others(cell, parameter, many), StringComparer.Ordinal)
           let lines = Of(chart, parameter)
           where lines.Any(line => line.Cells.Count >= leastSizes)
           select new SizeLines(string.Join(", ", new[] { category.Key, chart.Key }.Where(part => part.Length > 0)), parameter, lines),
    ];

    static int Sizes(IEnumerable<Measured> cells, string parameter) =>
        cells.Select(cell => cell.Name[parameter]).OfType<string>().Distinct(StringComparer.Ordinal).Select(SizeText.Parse).OfType<double>()
            .Where(size => size > 0).Distinct().Count();

    static IReadOnlyList<(string Label, string Way, IReadOnlyList<(double Size, Measured Cell)> Cells)> Of(IEnumerable<Measured> cells,
        string parameter) =>
    [
        .. cells.GroupBy(cell => (cell.Label, cell.Way)).OrderBy(line => line.Key.Label, NaturalOrder.Instance)
            .Select(line =>
                (line.Key.Label, line.Key.Way,
                    (IReadOnlyList<(double, Measured)>)[.. line.Select(cell => (SizeText.Parse(cell.Name[parameter])!.Value, cell))
                        .OrderBy(cell => cell.Item1)])),
    ];

    static string Others(Measured cell, string parameter, bool withForm) =>
        string.Join(", ",
            cell.Name.Parameters.Where(part => part != parameter && cell.Name[part] != "?")
                .Select(part => $"{part}={cell.Name[part]}")
            .Append(SizeText.Of(cell.Name[parameter])).Append(withForm ? Form(cell) : "").Where(part => part.Length > 0));

    static string Form(Measured cell) =>
        cell.ShortLabel.StartsWith(cell.Way + "_", StringComparison.Ordinal) ? cell.ShortLabel[(cell.Way.Length + 1)..] : "";
}

/// <summary>Reads the values of parameters that are sizes: <c>8 KiB</c>, <c>64K</c>, <c>10,000</c>, <c>2^10-5 in all</c>.</summary>
public sealed partial class SizeText : IComparer<string>
{
    /// <summary>Orders values by size; those that are no sizes come after them, as text.</summary>
    public static SizeText Order { get; } = new();

    public static double? Parse(string? text)
    {
        if (Form().Match(text ?? "") is not { Success: true } match)
            return null;
        double Number(string group) =>
            match.Groups[group].Success
            ? double.Parse(match.Groups[group].Value.Replace(",", "", StringComparison.Ordinal)) : 0;
        if (match.Groups["power"].Success)
            return Math.Pow(2, Number("power")) - Number("less");
        var unit = match.Groups["unit"].Value;
        var factor = unit.Length == 0
            ? 1 : char.ToUpperInvariant(unit[0]) switch { 'K' => 1024.0, 'M' => 1024.0 * 1024, 'G' => 1024.0 * 1024 * 1024, _ => 1 };
        var size = Number("number") * factor;
        return double.IsFinite(size) ? size : null;
    }

    /// <summary>The words of a size beside its figure, which make it a size of something else: "in all"; empty without any.</summary>
    public static string Of(string? text) => Form().Match(text ?? "") is { Success: true } match ? match.Groups["of"].Value : "";

    public int Compare(string? x, string? y) => (Parse(x), Parse(y)) switch
    {
        ({ } a, { } b) when a != b => a.CompareTo(b),
        ({ }, null) => -1,
        (null, { }) => 1,
        _ => NaturalOrder.Instance.Compare(x, y),
    };

    [GeneratedRegex(@"^(2\^(?<power>\d{1,2})(-(?<less>\d{1,6}))?( (?<of>in all))?|(?<number>\d[\d,]{0,14}(\.\d{1,6})?) ?(?<unit>B|[KMG](i?B)?|[kmg]B?)?)$", RegexOptions.ExplicitCapture)]
    private static partial Regex Form();
}
