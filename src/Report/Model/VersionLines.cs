namespace ProtoBench.Report.Model;

/// <summary>The cells of one file with each version of a package, in time against the newest.</summary>
/// <param name="Cells">For each older version its place in <paramref name="Versions"/> and its pair with the newest.</param>
public sealed record VersionLines(string Title, IReadOnlyList<string> Versions,
    IReadOnlyList<(string Name, IReadOnlyList<(int At, DuetPair Pair)> Older)> Cells)
{
    public static IReadOnlyList<VersionLines> Of(IEnumerable<ResultFile> files) =>
    [
        .. from file in files
           where file.Duet is not null
           let pairs = DuetVersions.Split(file.Duet!)
           where pairs.Count > 0
           let newest = pairs[0].Newest
           let older = pairs.Select(one => one.Version).Distinct().ToList()
           select new VersionLines($"{file.Duet!.Package}: {DuetVersions.SubjectOf(file.Path)}", [.. older, newest],
           [
               .. from cell in pairs.GroupBy(one => Name(one.Pair.New, pairs.Select(other => other.Pair.New)))
                  select (cell.Key, (IReadOnlyList<(int, DuetPair)>)[.. cell.Select(one => (older.IndexOf(one.Version), one.Pair))]),
           ]),
    ];

    /// <summary>The time of the older version in times of the newest, with its interval; null where a single process has none.</summary>
    public static (double Value, (double Low, double High)? Interval) Against(DuetPair pair) =>
        (1 / pair.Ratio, pair is { Low: > 0 and var low, High: { } high } ? (1 / high, 1 / low) : null);

    // parameters that are the same in all cells say nothing
    static string Name(DuetSide side, IEnumerable<DuetSide> all)
    {
        string[] told = [.. side.Parameters.Where(one => all.Any(other => other.Parameters.GetValueOrDefault(one.Key) != one.Value))
            .Select(one => $"{one.Key}={one.Value}")];
        return side.Method + (told.Length == 0 ? "" : $"({string.Join(", ", told)})");
    }
}
