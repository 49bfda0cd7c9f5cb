namespace ProtoBench.Report.Model;

/// <summary>The cells of one verb by data set and library. Any class whose cells have the parameter DataSet is in one.</summary>
/// <param name="Columns">The libraries with their forms, in the order of the files, and behind them the lower bound.</param>
/// <param name="Cells">The cells; combinations that were not measured are absent.</param>
public sealed record SetGrid(string Verb, IReadOnlyList<string> Sets, IReadOnlyList<string> Columns,
    IReadOnlyDictionary<(string Set, string Library), Measured> Cells)
{
    const string dataSet = "DataSet";
    const string strings = "_Strings";

    /// <summary>The columns without the lower bound, which is not the best of a row.</summary>
    public IReadOnlyList<string> Libraries =>
        [.. Columns.Where(column => !Cells.Any(cell => cell.Key.Library == column && cell.Value.IsFloor))];

    /// <summary>The libraries whose cells create .NET strings. If a library has a form "_Strings", its other forms create none.</summary>
    public IReadOnlyList<string> WithStrings =>
    [
        .. Libraries.Where(library => library.EndsWith(strings, StringComparison.Ordinal)
            || !Libraries.Contains(library.Split('_')[0] + strings)),
    ];

    public static bool IsPart(Measured cell) => cell.Name[dataSet] is not null && cell.Name["verb"] is not null;

    public static IReadOnlyList<SetGrid> Of(IEnumerable<Measured> cells) =>
    [
        .. from cell in cells
           where IsPart(cell)
           orderby cell.Order
           group cell by (cell.Name["verb"]!, cell.Side) into grid
           select new SetGrid(
               string.Join(", ", new[] { grid.Key.Item1, grid.Key.Side }.Where(part => part.Length > 0)),
               [.. grid.Select(cell => cell.Name[dataSet]!).Distinct()],
               [.. grid.OrderBy(cell => cell.IsFloor).Select(cell => cell.ShortLabel).Distinct()],
               grid.GroupBy(cell => (cell.Name[dataSet]!, cell.ShortLabel)).ToDictionary(same => same.Key, same => same.First())),
    ];

    /// <summary>The values of a measure for one data set, with the share of each in the best of the libraries: 1 for the best. The lower
    /// bound has a time only, and a share above 1.</summary>
    public IEnumerable<(string Library, double? Value, double Share)> Row(string set, SetMeasure measure)
    {
        var values = Columns.Select(Value).ToArray();
        var libraries = values.Take(Libraries.Count);
        var best = measure.Unit.HigherIsBetter ? libraries.Max() : libraries.Min();
        return Columns.Zip(values, (library, value) => (library, value, Share(value, best)));

        double? Value(string library) =>
            Cells.TryGetValue((set, library), out var cell) && (!cell.IsFloor || measure == SetMeasure.All[0]) ? measure.Of(cell) : null;

        double Share(double? one, double? top) =>
            one is null || top is null ? 0 : one == top ? 1 : measure.Unit.HigherIsBetter ? one.Value / top.Value : top.Value / one.Value;
    }
}

public sealed record SetMeasure(string Id, string Name, Unit Unit, Func<Measured, double?> Of)
{
    // of a network with 1 Gbit/s
    const double bytesPerSecond = 1e9 / 8;

    static readonly Unit perSecond = new("messages/s", Scale.Plain) { HigherIsBetter = true };

    /// <summary>All measures; the first one is shown first.</summary>
    public static IReadOnlyList<SetMeasure> All { get; } =
    [
        new("time", "Time", Measured.TimeUnit, cell => cell.Time.Value),
        new("size", "Size in bytes", new("B", Scale.Plain), Size),
        new("allocated", "Allocated bytes", Measured.AllocatedUnit, cell => cell.Allocated),
        new("core", "Messages/s of one core", perSecond, cell => 1e9 / cell.Time.Value),
        new("network", "Messages/s of one core and 1 Gbit/s", perSecond,
            cell => Size(cell) is { } size ? Math.Min(1e9 / cell.Time.Value, bytesPerSecond / size) : null),
    ];

    // MB/s are bytes of the message by its time
    static double? Size(Measured cell) => cell.Rate is { } rate ? Math.Round(rate * cell.Time.Value / 1e3) : null;
}
