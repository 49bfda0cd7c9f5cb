using ProtoBench.DuetRunner;

namespace ProtoBench.Harness.Duet;

sealed record CellPair(RunnerCell Old, RunnerCell New)
{
    public string? Refused => (Old.Refused, New.Refused) switch
    {
        ({ } reason, _) => $"{Old.Method}: {reason}",
        (_, { } reason) => $"{New.Method}: {reason}",
        _ => null,
    };

    public bool Waits => Old.Waits || New.Waits;

    public string Name => Old.Name == New.Name ? Short(New) : $"{Short(New)} against {Short(Old)}";

    static string Short(RunnerCell cell) => cell.Name[cell.Name.IndexOf("." + cell.Method, StringComparison.Ordinal)..].TrimStart('.');
}

static class CellPairs
{
    /// <summary>If <paramref name="against"/> matches several cells, the partner is the one with the same parameters.</summary>
    public static CellPair[] Against(IReadOnlyList<RunnerCell> cells, IReadOnlyCollection<string> filters, string against)
    {
        var chosen = Chosen(cells, filters, "--filter");
        var olds = Chosen(cells, [against], "--against");
        CellPair[] pairs = [.. chosen.Except(olds).Select(cell => new CellPair(olds.Length == 1 ? olds[0] : Partner(cell), cell))];
        return pairs.Length > 0
            ? pairs
            : throw new UsageException("--against takes the same cell as --filter; --same compares a cell with itself");

        RunnerCell Partner(RunnerCell cell)
        {
            RunnerCell[] alike = [.. olds.Where(old => SameParameters(old, cell))];
            return alike.Length == 1
                ? alike[0] : throw new UsageException(
                    $"--against takes {olds.Length} cells, and {alike.Length} of them have the parameters of {cell.Name}; it has to be one");
        }
    }

    /// <summary>The methods of <c>Old=New</c> differ only in this text.</summary>
    public static CellPair[] Named(IReadOnlyList<RunnerCell> cells, IReadOnlyCollection<string> filters, IEnumerable<string> pairs) =>
        [.. pairs.SelectMany(pair => Named(cells, Chosen(cells, filters, "--filter"), pair)).Distinct()];

    public static CellPair[] Same(IReadOnlyList<RunnerCell> cells, IReadOnlyCollection<string> filters) =>
        [.. Chosen(cells, filters, "--filter").Select(cell => new CellPair(cell, cell))];

    /// <summary>Pairs each chosen cell that two builds have with the same name.</summary>
    public static CellPair[] Builds(IReadOnlyList<RunnerCell> old, IReadOnlyList<RunnerCell> @new, IReadOnlyCollection<string> filters,
        Action<string> warn)
    {
        var (olds, news) = (CellGlob.Choose(old, filters), CellGlob.Choose(@new, filters));
        foreach (var (there, other, name) in new[] { (olds, news, "base"), (news, olds, "current build") })
        {
            RunnerCell[] alone = [.. there.ExceptBy(other.Select(cell => cell.Name), cell => cell.Name)];
            if (alone.Length > 0)
                warn($"{alone.Length} cells are in the {name} only, and are left out: "
                    + $"{string.Join(", ", alone.Take(3).Select(cell => cell.Method))}{(alone.Length > 3 ? ", ..." : "")}");
        }

        var pairs = news.Join(olds, cell => cell.Name, cell => cell.Name, (cell, oldCell) => new CellPair(oldCell, cell)).ToArray();
        return pairs.Length > 0
            ? pairs : throw new UsageException($"--filter {string.Join(' ', filters)} matches no cell that both builds have");
    }

    static CellPair[] Named(IReadOnlyList<RunnerCell> cells, RunnerCell[] chosen, string pair)
    {
        if (pair.Split('=') is not [{ Length: > 0 } from, { Length: > 0 } to])
            throw new UsageException($"--pair: '{pair}' is not Old=New");
        CellPair[] found =
        [
            .. chosen
                .Where(cell => cell.Method.Contains(from, StringComparison.Ordinal))
                .Select(cell => (Old: cell, New: Partner(cells, cell, from, to)))
                .Where(found => found.New is not null)
                .Select(found => new CellPair(found.Old, found.New!)),
        ];
        return found.Length > 0
            ? found : throw new UsageException($"--pair: no two chosen cells differ in {from} and {to}, and in their buffers, only");
    }

    // The last part of a cell's name is the buffer, and the usual buffers of libraries differ: Google_BA has no Slab_BA, but a Slab_ROM.
    // If the last part is what the pair replaces, no other one will do.
    static RunnerCell? Partner(IReadOnlyList<RunnerCell> cells, RunnerCell cell, string from, string to)
    {
        var same = cell.Method.Replace(from, to, StringComparison.Ordinal);
        var stem = same.Split('_') is [var before, _] && before != cell.Method.Split('_')[0] ? before : null;
        return cells
            .Where(other => SameParameters(other, cell)
                && (other.Method == same || (stem is not null && other.Method.Split('_') is [var otherStem, _] && otherStem == stem)))
            .OrderBy(other => other.Type == cell.Type ? 0 : 1)
            .ThenBy(other => other.Method == same ? 0 : 1)
            .ThenBy(other => other.Method.EndsWith("_ROM", StringComparison.Ordinal) ? 0 : 1).FirstOrDefault();
    }

    static RunnerCell[] Chosen(IReadOnlyList<RunnerCell> cells, IReadOnlyCollection<string> patterns, string option)
    {
        var chosen = CellGlob.Choose(cells, patterns);
        return chosen.Length > 0
            ? chosen : throw new UsageException(UnknownCell.Message(option, patterns, cells.Select(cell => cell.Method)));
    }

    static bool SameParameters(RunnerCell one, RunnerCell other) =>
        one.Parameters.Count == other.Parameters.Count
        && one.Parameters.All(parameter => other.Parameters.GetValueOrDefault(parameter.Key) == parameter.Value);
}

/// <summary>As BenchmarkDotNet's --filter: * and ?, ignoring case, over the whole name, with or without its parameters.</summary>
static class CellGlob
{
    /// <summary>A class that runs only when named is left out unless a pattern contains its name, as in a benchmark run.</summary>
    public static RunnerCell[] Choose(IEnumerable<RunnerCell> cells, IReadOnlyCollection<string> patterns) =>
        [.. cells.Where(cell => patterns.Any(pattern =>
            CellFilter.Matches(pattern, cell.Name) || CellFilter.Matches(pattern, WithoutParameters(cell)))
        && (!cell.OnlyWhenNamed || patterns.Any(pattern => Names(pattern, cell))))];

    static bool Names(string pattern, RunnerCell cell) =>
        pattern.Contains(cell.Type.Replace("Benchmarks", "", StringComparison.Ordinal), StringComparison.OrdinalIgnoreCase);

    static string WithoutParameters(RunnerCell cell) => cell.Name.Split('(')[0];
}
