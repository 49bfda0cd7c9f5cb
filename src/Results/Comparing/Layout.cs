namespace ProtoBench.Results;

sealed class Layout
{
    readonly bool severalSides;
    readonly int detail;
    readonly (string Old, string New)[] pairs;
    readonly ILookup<CellName, (string Row, int Column)> byName;

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

        List<(CellName Name, string Row, int Column)> places = [];
        foreach (var pair in pairs)
        {
            var cells = names
                .Select(name => (Name: name, Half: Half.Of(name, RowName(name, detail), pair, Stem(name), Sign(pair))))
                .Where(cell => cell.Half is not null).Select(cell => (cell.Name, Half: cell.Half!)).ToArray();
            var news = cells.Where(cell => cell.Half.IsNew).ToLookup(cell => cell.Half.Row);
            foreach (var (name, half) in cells.Where(cell => !cell.Half.IsNew))
            {
                // the buffers of libraries differ: Google_BA has no Slab_BA, but a Slab_ROM
                var partner = news.Contains(half.Row) || half.Stem is null ? default : cells
                    .Where(cell => cell.Half.IsNew && cell.Half.Stem == half.Stem)
                    .OrderBy(cell => cell.Half.Buffer == "ROM" ? 0 : 1).ThenBy(cell => cell.Half.Buffer, StringComparer.Ordinal).FirstOrDefault();
                if (partner.Name is null)
                {
                    places.Add((name, half.Row, 0));
                    continue;
                }

                var row = half.Row.Replace("_" + half.Buffer, $"_{{{half.Buffer}={partner.Half.Buffer}}}", StringComparison.Ordinal);
                places.AddRange([(name, row, 0), (partner.Name, row, 1)]);
                OtherBuffers++;
            }

            var olds = cells.Where(cell => !cell.Half.IsNew).Select(cell => cell.Half.Row).ToHashSet(StringComparer.Ordinal);
            foreach (var (name, half) in cells.Where(cell => cell.Half.IsNew))
            {
                if (olds.Contains(half.Row) || !places.Any(place => place.Column == 1 && place.Name.Equals(name)))
                    places.Add((name, half.Row, 1));
            }
        }

        byName = places.ToLookup(place => place.Name, place => (place.Row, place.Column));
    }

    /// <summary>Gets the number of rows whose two cells have different buffers.</summary>
    public int OtherBuffers { get; private set; }

    public IReadOnlyList<string> Columns { get; }

    public IEnumerable<(string Row, string Column)> Places(Side side, CellName name)
    {
        if (pairs.Length == 0)
            yield return (RowName(name, detail), side.Label);
        foreach (var (row, column) in byName[name])
            yield return ((severalSides ? side.Label + ": " : "") + row, Columns[column]);
    }

    string? Stem(CellName name) => detail == 2 || name["buffer"] is null
        ? null : name.Of([.. detail == 1 ? ["type"] : Array.Empty<string>(), .. name.Telling.Where(part => part != "buffer")]);

    string Sign((string Old, string New) pair) => pairs.Length > 1 ? $"{{{pair.Old}={pair.New}}}" : "*";

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

/// <summary>One of the two cells of a pair.</summary>
/// <param name="Row">The name of the row if both have the same buffer.</param>
/// <param name="Stem">The same without the buffer; null if the pair does not name what is left.</param>
sealed record Half(bool IsNew, string Row, string? Stem, string? Buffer)
{
    public static Half? Of(CellName name, string text, (string Old, string New) pair, string? stem, string sign)
    {
        // "Google" also occurs in "GoogleBytes", so the longer text decides.
        var isNew = text.Contains(pair.New, StringComparison.Ordinal)
            && (pair.New.Length > pair.Old.Length || !text.Contains(pair.Old, StringComparison.Ordinal));
        var named = isNew ? pair.New : pair.Old;
        return !text.Contains(named, StringComparison.Ordinal) ? null : new(isNew, text.Replace(named, sign, StringComparison.Ordinal),
            stem?.Contains(named, StringComparison.Ordinal) == true ? stem.Replace(named, sign, StringComparison.Ordinal) : null, name["buffer"]);
    }
}
