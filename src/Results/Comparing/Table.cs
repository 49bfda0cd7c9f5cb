namespace ProtoBench.Results;

/// <summary>Represents the samples of every row, column and unit before they are compared.</summary>
sealed class Table(IReadOnlyList<string> columns)
{
    readonly Dictionary<(string Row, string Column, string Unit), Pool> pools = [];
    readonly Dictionary<string, Unit> units = new(StringComparer.Ordinal);

    public IReadOnlyList<string> Columns => columns;

    public void Add(string row, string column, Cell cell)
    {
        units.TryAdd(cell.Unit.Name, cell.Unit);
        if (!pools.TryGetValue((row, column, cell.Unit.Name), out var pool))
            pools.Add((row, column, cell.Unit.Name), pool = new Pool(cell.Sample));
        pool.Add(cell);
    }

    public IEnumerable<Unit> Units() => units.Values.OrderBy(unit => unit.Order);

    public IEnumerable<string> Rows(Unit unit) =>
        pools.Keys.Where(place => place.Unit == unit.Name).Select(place => place.Row).Distinct(StringComparer.Ordinal)
            .Order(NaturalOrder.Instance);

    public Pool?[] Pools(string row, Unit unit) => [.. columns.Select(column => pools.GetValueOrDefault((row, column, unit.Name)))];

    public IEnumerable<(string Row, string Column)> Places() => pools.Keys.Select(place => (place.Row, place.Column)).Distinct();
}

/// <summary>Represents the samples of one cell in one unit, from all files of a side.</summary>
sealed class Pool(string sample)
{
    readonly List<double> values = [];
    readonly List<double> doubtful = [];
    readonly List<double> iterations = [];
    bool invalid;

    public string Sample => sample;

    /// <summary>Doubtful launches are used only if there are no others, and the pool is then not valid.</summary>
    public IReadOnlyList<double> Values => values.Count > 0 ? values : doubtful;

    public bool Valid => !invalid && values.Count > 0;

    public string WhyInvalid => invalid ? "an INVALID run: no verdict" : "every launch was too short or still warming up: no verdict";

    public void Add(Cell cell)
    {
        (cell.Doubtful ? doubtful : values).AddRange(cell.Values);
        iterations.AddRange(cell.Doubtful ? [] : cell.Iterations);
        invalid |= !cell.Valid;
    }

    public SampleSummary Summary() => new(Values.Count, Median.Of(Values), Bimodality.Of(values) || Bimodality.Of(iterations));
}
