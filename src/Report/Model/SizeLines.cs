using ProtoBench.Results;

namespace ProtoBench.Report.Model;

/// <summary>The same work at several sizes: one line for each way to do it.</summary>
/// <param name="Title">What is done, with the parameters that stay the same.</param>
/// <param name="Parameter">The parameter that is the size.</param>
/// <param name="Lines">Each way with its cells by ascending size; at least two sizes on one of them.</param>
public sealed record SizeLines(string Title, string Parameter,
    IReadOnlyList<(string Label, string Way, IReadOnlyList<(double Size, Measured Cell)> Cells)> Lines)
{
    static readonly string[] grammar = ["type", "method", "job", "verb", "message", "library", "buffer", "memory"];

    // Fewer sizes are no line; more are no choice of sizes but a number of something else.
    const int leastSizes = 2, mostSizes = 64;

    /// <summary>The charts that these cells make: for each category and each parameter of at least two different sizes above 0.</summary>
    /// <param name="cells">All cells.</param>
    public static IReadOnlyList<SizeLines> Of(IEnumerable<Measured> cells) =>
    [
        .. from category in cells.GroupBy(cell => cell.Category, StringComparer.Ordinal)
           let parameter = category.SelectMany(cell => cell.Name.Parts).Distinct(StringComparer.OrdinalIgnoreCase)
               // of several parameters, the one with the most sizes
               .Where(part => !grammar.Contains(part)).MaxBy(part => Sizes(category, part))
           where parameter is not null && Sizes(category, parameter) is >= leastSizes and <= mostSizes
           from chart in category.Where(cell => SizeText.Parse(cell.Name[parameter]) > 0)
               .GroupBy(cell => Others(cell, parameter), StringComparer.Ordinal)
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

    static string Others(Measured cell, string parameter) =>
        string.Join(", ",
            cell.Name.Parts.Where(part => !grammar.Contains(part) && part != parameter && cell.Name[part] != "?")
                .Select(part => $"{part}={cell.Name[part]}")
            .Append(SizeText.Of(cell.Name[parameter])).Where(part => part.Length > 0));
}
