using System.IO.Enumeration;

namespace ProtoBench.Results;

public sealed record ComparisonOptions
{
    /// <summary>Selects cells that match each of these: <c>part=value,value</c> or text, with * and ?.</summary>
    public IReadOnlyList<string> Filters { get; init; } = [];

    /// <summary>Cells to compare within a side, each as <c>Old=New</c>, two texts that occur in their names.</summary>
    public IReadOnlyList<string> Pairs { get; init; } = [];

    /// <summary>The accepted probability of a false claim, for the whole table.</summary>
    public double Alpha { get; init; } = 0.05;

    /// <summary>The smallest relative change for a verdict. A change is better or worse if the samples show, at <see cref="Alpha"/>, that
    /// it is larger than this. A significant change that may be smaller is called small.</summary>
    public double Threshold { get; init; }
}

sealed class CellFilter
{
    readonly IReadOnlyCollection<string> filters;
    readonly List<Func<Cell, bool>> conditions = [];

    public CellFilter(IReadOnlyCollection<string> filters, IReadOnlyCollection<string> knownParts)
    {
        this.filters = filters;
        foreach (var filter in filters)
        {
            var at = filter.IndexOf('=', StringComparison.Ordinal);
            if (at < 0)
            {
                conditions.Add(cell => Matches(filter.AsSpan().ContainsAny('*', '?') ? filter : $"*{filter}*", cell.Name.Full));
                continue;
            }

            var part = filter[..at].Trim();
            string[] values = [.. filter[(at + 1)..].Split(',', StringSplitOptions.TrimEntries)];
            if (part.Equals("unit", StringComparison.OrdinalIgnoreCase))
            {
                conditions.Add(cell => values.Any(value => Matches(value, cell.Unit.Name)));
                continue;
            }

            if (!knownParts.Contains(part, StringComparer.OrdinalIgnoreCase))
                throw new UsageException(
                    $"--filter: no cell has a part named '{part}'; there are {string.Join(", ", knownParts.Order(StringComparer.Ordinal))}");
            conditions.Add(cell => cell.Name[part] is { } actual && values.Any(value => Matches(value, actual)));
        }
    }

    /// <summary>Returns the message for filters that nothing passes, with what may have been meant.</summary>
    /// <param name="subject">What is filtered: "cell" or "pair".</param>
    public string Nothing(string subject, IEnumerable<CellName> names)
    {
        CellName[] all = [.. names.Distinct()];
        return $"no {subject} passes --filter" + string.Concat(filters.Select(Meant).OfType<string>().Select(meant => "; " + meant));

        string? Meant(string filter)
        {
            if (filter.Split('=', 2) is not [var part, var values])
            {
                return SimilarNames.OfCells([filter], all.Select(name => name["method"]).OfType<string>()) is { Length: > 0 } close
                    && !close.Any(name => Matches($"*{filter.Trim('*')}*", name)) ? $"similar names are {string.Join(", ", close)}" : null;
            }

            string[] known = [.. all.Select(name => name[part.Trim()]).OfType<string>().Distinct().Order(NaturalOrder.Instance)];
            return values.Split(',', StringSplitOptions.TrimEntries).Where(value => !known.Any(one => Matches(value, one)))
                .Select(value => SimilarNames.Meant(value, known)).FirstOrDefault(meant => meant is not null);
        }
    }

    public bool Passes(Cell cell) => conditions.All(condition => condition(cell));

    public bool Passes(CellName name) => Passes(new Cell(name, new Unit("", Scale.Plain), [], ""));

    // A backslash is an escape in this expression language, and an ordinary character in a name.
    internal static bool Matches(string pattern, string text) =>
        FileSystemName.MatchesSimpleExpression(pattern.Replace(@"\", @"\\", StringComparison.Ordinal), text);
}
