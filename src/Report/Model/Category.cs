namespace ProtoBench.Report.Model;

/// <summary>The cells of one chart.</summary>
/// <param name="Name">What they have in common.</param>
/// <param name="Cells">The cells that are drawn, the floor last.</param>
/// <param name="Left">How many more there are: they stand in the table of all cells only.</param>
public sealed record Category(string Name, IReadOnlyList<Measured> Cells, int Left)
{
    // A chart with more bars is no picture any more; and with 10,000 cells the page has to stay small.
    const int mostInChart = 40, mostInAll = 600;

    /// <summary>Groups cells for their charts; of too many the slower ones are left to the table.</summary>
    /// <param name="cells">All cells, in the order in which they are drawn.</param>
    public static IReadOnlyList<Category> Of(IEnumerable<Measured> cells)
    {
        var budget = mostInAll;
        var categories = new List<Category>();
        foreach (var group in cells.GroupBy(cell => cell.Category, StringComparer.Ordinal))
        {
            var all = group.ToArray();
            var most = Math.Min(mostInChart, budget);
            var kept = all.OrderByDescending(cell => cell.IsFloor).ThenBy(cell => cell.Time.Value).Take(most).ToHashSet();
            Measured[] drawn = [.. all.Where(kept.Contains)];
            budget -= drawn.Length;
            if (drawn.Length > 0)
                categories.Add(new Category(group.Key, drawn, all.Length - drawn.Length));
        }

        return categories;
    }

    /// <summary>The cell with the lowest median that is not the floor; null when there is only the floor.</summary>
    public Measured? Lowest => Cells.Where(cell => !cell.IsFloor).MinBy(cell => cell.Time.Value);

    /// <summary>The lowest floor; null without one.</summary>
    public Measured? Floor => Cells.Where(cell => cell.IsFloor).MinBy(cell => cell.Time.Value);

    /// <summary>How many times the floor a cell takes, in words; empty without a floor.</summary>
    /// <param name="cell">The cell.</param>
    public string TimesFloor(Measured cell) =>
        Floor is { Time.Value: > 0 } floor && !cell.IsFloor ? (cell.Time.Value / floor.Time.Value).ToString("0.#", System.Globalization.CultureInfo.InvariantCulture) + "x the floor" : "";
}
