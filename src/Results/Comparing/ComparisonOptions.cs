using System.IO.Enumeration;

namespace ProtoBench.Results;

/// <summary>What to compare, and how strictly.</summary>
public sealed record ComparisonOptions
{
    /// <summary>Only cells that pass every one of these: <c>part=value,value</c> or text, with * and ?.</summary>
    public IReadOnlyList<string> Filters { get; init; } = [];

    /// <summary>The parts of the name that make a row; empty for all that are not the column.</summary>
    public IReadOnlyList<string> Row { get; init; } = [];

    /// <summary>The part of the name whose values become the columns,
    /// <c>part</c> or <c>part=first,second</c>; null for the sides.</summary>
    public string? Column { get; init; }

    /// <summary>Cells to compare within a side, each <c>Old=New</c>, texts that stand in their names.</summary>
    public IReadOnlyList<string> Pairs { get; init; } = [];

    /// <summary>The chance of a false claim that is accepted, for the whole table where it is corrected.</summary>
    public double Alpha { get; init; } = 0.05;

    /// <summary>The relative change that a verdict needs: better and worse are claimed where the samples show, at <see cref="Alpha"/>, that
    /// the change is larger than this. A significant change that may be smaller is called small.</summary>
    public double Threshold { get; init; }

    /// <summary>The absolute change, in nanoseconds, that a verdict on a time
    /// needs beside <see cref="Threshold"/>; other units ignore it.</summary>
    public double Floor { get; init; }

    /// <summary>Whether to correct p over the table.</summary>
    public bool Correct { get; init; } = true;
}

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
