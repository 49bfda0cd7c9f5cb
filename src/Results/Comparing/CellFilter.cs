using System.IO.Enumeration;

namespace ProtoBench.Results;

/// <summary>Chooses cells by their names.</summary>
sealed class CellFilter
{
    readonly List<Func<Cell, bool>> conditions = [];

    /// <exception cref="UsageException">A filter names a part that no cell has.</exception>
    public CellFilter(IEnumerable<string> filters, IReadOnlyCollection<string> knownParts)
    {
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

            CheckPart("--filter", part, knownParts);
            conditions.Add(cell => cell.Name[part] is { } actual && values.Any(value => Matches(value, actual)));
        }
    }

    public bool Passes(Cell cell) => conditions.All(condition => condition(cell));

    public bool Passes(CellName name) => Passes(new Cell(name, new Unit("", Scale.Plain), [], ""));

    public static void CheckPart(string option, string part, IReadOnlyCollection<string> known)
    {
        if (!known.Contains(part, StringComparer.OrdinalIgnoreCase))
            throw new UsageException(
                $"{option}: no cell has a part named '{part}'; there are {string.Join(", ", known.Order(StringComparer.Ordinal))}");
    }

    // A backslash escapes in this expression language, but is an ordinary character in a name.
    static bool Matches(string pattern, string text) =>
        FileSystemName.MatchesSimpleExpression(pattern.Replace(@"\", @"\\", StringComparison.Ordinal), text);
}
