namespace ProtoBench.Report.Model;

/// <param name="Left">How many more there are: they stand in the table of all cells only.</param>
/// <param name="SpansSizes">Whether the cells have different parameters, so that their times may lie far apart.</param>
public sealed record Category(string Name, IReadOnlyList<Measured> Cells, int Left, bool SpansSizes)
{
    // So many rows are shown at once; of more, a reader sees the usual one of each library first.
    const int mostAtFirst = 12;

    // A chart with more bars is no picture any more; and with 10,000 cells the page has to stay small.
    const int mostInChart = 48, mostInAll = 600;

    /// <summary>Groups cells for their charts; of too many the slower ones are left to the table.</summary>
    public static IReadOnlyList<Category> Of(IEnumerable<Measured> cells)
    {
        var budget = mostInAll;
        var categories = new List<Category>();
        foreach (var (name, all, spansSizes) in Charts(cells))
        {
            var most = Math.Min(mostInChart, budget);
            var kept = all.OrderByDescending(cell => cell.IsFloor).ThenBy(cell => cell.Time.Value).Take(most).ToHashSet();
            Measured[] drawn = [.. all.Where(kept.Contains)];
            budget -= drawn.Length;
            if (drawn.Length > 0)
                categories.Add(new Category(name, drawn, all.Length - drawn.Length, spansSizes));
        }

        return categories;
    }

    // Groups of several cells that are too many for one chart get a chart each. Groups of one cell compare nothing within themselves: their
    // cells are bars of one group.
    static IEnumerable<(string Name, Measured[] Cells, bool SpansSizes)> Charts(IEnumerable<Measured> cells)
    {
        foreach (var category in cells.GroupBy(cell => cell.Category, StringComparer.Ordinal))
        {
            var groups = category.GroupBy(cell => cell.Group, StringComparer.Ordinal).Select(group => group.ToArray()).ToArray();
            var count = groups.Sum(group => group.Length);
            if (count < 2 * groups.Length && groups.Length > 1)
            {
                var single = groups.SelectMany(group => group)
                    .Select(cell => cell with { ShortLabel = $"{cell.ShortLabel} ({cell.Group})", Group = "" });
                yield return (category.Key, [.. single.OrderBy(cell => cell.Time.Value)], true);
            }
            else if (count > mostInChart && groups.Length > 1)
            {
                foreach (var group in groups)
                    yield return (group[0].Group.Length == 0 ? category.Key : $"{category.Key}, {group[0].Group}",
                        [.. group.Select(cell => cell with { Group = "" })], false);
            }
            else
            {
                yield return (category.Key,
                    groups is [_] && groups[0][0].Group.Length > 0
                    ? [.. groups[0].Select(cell => cell with { Group = "" })] : [.. groups.SelectMany(group => group)],
                    groups.SelectMany(group => group).Select(Parameters).Distinct(StringComparer.Ordinal).Count() > 1);
            }
        }
    }

    // a job is no size
    static string Parameters(Measured cell) => string.Join(',', cell.Name.Parameters.Select(part => cell.Name[part]));

    /// <summary>The cells that are shown before a reader asks for more: all, or of many the usual one of each library and group.</summary>
    public IReadOnlySet<Measured> AtFirst { get; } = (Cells.Count <= mostAtFirst ? Cells : Usual(Cells)).ToHashSet();

    /// <summary>Of each library and group the fastest without a form of memory. In a comparison each side has one.</summary>
    public static IEnumerable<Measured> Usual(IReadOnlyCollection<Measured> cells)
    {
        var bySide = cells.All(cell => cell.Side.Length > 0);
        return cells.GroupBy(cell => (cell.Group, cell.Way, bySide ? cell.Side : "")).Select(same => same
            .OrderBy(cell => cell.Name["verb"] is null ? cell.ShortLabel != cell.Way : cell.Name["memory"] is not null)
            .ThenBy(cell => cell.Time.Value).First());
    }

    /// <summary>The cells of which a headline may tell: those that are no lower bound, and not without a verdict.</summary>
    public IEnumerable<Measured> Telling => Cells.Where(cell => cell is { IsFloor: false, Doubtful: false });

    /// <summary>The one with the lowest median; null when there is none.</summary>
    public Measured? Lowest => Telling.MinBy(cell => cell.Time.Value);

    public IReadOnlyList<Measured> Floors => [.. Cells.Where(cell => cell.IsFloor).OrderBy(cell => cell.Time.Value)];

    public Measured? Floor => Floors.Count == 0 ? null : Floors[0];

    /// <summary>Until a reader chooses another one: Google.Protobuf's usual cell, or the cell that its file has first.</summary>
    public string Baseline =>
        (Google.MinBy(cell => cell.Name["buffer"] switch { "BW" => -2, "BA" => -1, _ => cell.Order })
        ?? Cells.Where(cell => !cell.IsFloor).MinBy(cell => cell.Order) ?? Cells[0]).Label;

    IEnumerable<Measured> Google => Cells.Where(cell => cell.Way == "Google" && cell.Name["memory"] is null);

    /// <summary>The cell of the same group with the label <see cref="Baseline"/>; null where that group has none.</summary>
    public Measured? BaselineOf(Measured cell) => Cells.FirstOrDefault(other => other.Label == Baseline && other.Group == cell.Group);

    public string TimesFloor(Measured cell) =>
        Floor is { Time.Value: > 0 } floor && !cell.IsFloor
        ? (cell.Time.Value / floor.Time.Value).ToString("0.#", System.Globalization.CultureInfo.InvariantCulture) + "x the floor" : "";
}
