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

    public SampleSummary Summary() => new(Values.Count, Median.Of(Values)) { Bimodal = Bimodality.Of(values) || Bimodality.Of(iterations) };
}

sealed class Layout
{
    readonly bool severalSides;
    readonly int detail;
    readonly (string Old, string New)[] pairs;

    public Layout(ComparisonOptions options, IReadOnlyList<Side> sides, IReadOnlyCollection<CellName> names)
    {
        severalSides = sides.Count > 1;
        pairs = [.. options.Pairs.Select(Pair).Distinct()];
        Columns = pairs.Length switch
        {
            0 => [.. sides.Select(side => side.Label)],
            1 => [pairs[0].Old, pairs[0].New],
            _ => ["left", "right"],
        };
        if (Columns.Count < 2)
            throw new UsageException("two sides are needed, or --pair");

        // The name of a row has the type, or the namespace and the type, only if two cells would otherwise have the same name.
        detail = Enumerable.Range(0, 2).FirstOrDefault(Unambiguous, 2);
        bool Unambiguous(int candidate) =>
            names.GroupBy(name => RowName(name, candidate)).All(row => row.Distinct().Count() == 1);
    }

    public IReadOnlyList<string> Columns { get; }

    public IEnumerable<(string Row, string Column)> Places(Side side, CellName name)
    {
        var text = RowName(name, detail);
        if (pairs.Length == 0)
            yield return (text, side.Label);
        foreach (var (old, @new) in pairs)
        {
            // "Google" also occurs in "GoogleBytes", so the longer text decides.
            var right = text.Contains(@new, StringComparison.Ordinal)
                && (@new.Length > old.Length || !text.Contains(old, StringComparison.Ordinal));
            if (right || text.Contains(old, StringComparison.Ordinal))
            {
                var row = text.Replace(right ? @new : old, pairs.Length > 1 ? $"{{{old}={@new}}}" : "*", StringComparison.Ordinal);
                yield return ((severalSides ? side.Label + ": " : "") + row, Columns[right ? 1 : 0]);
            }
        }
    }

    static string RowName(CellName name, int detail)
    {
        var row = detail switch
        {
            0 => name.Of([.. name.Telling]),
            1 => name.Of(["type", .. name.Telling]),
            _ => name.Full,
        };
        return row.Length == 0 ? "all" : row;
    }

    static (string Old, string New) Pair(string pair) => pair.Split('=') switch
    {
        [{ Length: > 0 } old, { Length: > 0 } @new] when old != @new => (old, @new),
        _ => throw new UsageException($"--pair: '{pair}' is not of the form Old=New"),
    };
}

/// <summary>Compares names with numbers by value: 2 before 10. Other parts are compared ordinally.</summary>
sealed class NaturalOrder : IComparer<string>
{
    public static NaturalOrder Instance { get; } = new();

    public int Compare(string? x, string? y)
    {
        var a = x.AsSpan();
        var b = y.AsSpan();
        while (a.Length > 0 && b.Length > 0)
        {
            var (digitsA, digitsB) = (Digits(a), Digits(b));
            var order = digitsA > 0 && digitsB > 0 ? Number(a[..digitsA], b[..digitsB]) : a[0].CompareTo(b[0]);
            if (order != 0)
                return order;
            a = a[Math.Max(1, digitsA)..];
            b = b[Math.Max(1, digitsB)..];
        }

        var lengths = a.Length.CompareTo(b.Length);
        return lengths != 0 ? lengths : string.CompareOrdinal(x, y);
    }

    static int Digits(ReadOnlySpan<char> text)
    {
        var end = text.IndexOfAnyExceptInRange('0', '9');
        return end < 0 ? text.Length : end;
    }

    static int Number(ReadOnlySpan<char> a, ReadOnlySpan<char> b)
    {
        a = a.TrimStart('0');
        b = b.TrimStart('0');
        return a.Length != b.Length ? a.Length.CompareTo(b.Length) : a.SequenceCompareTo(b);
    }
}
