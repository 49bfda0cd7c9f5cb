namespace ProtoBench.Results;

/// <summary>Represents a measurement of the verb <c>versions</c> as one duet result. Each pair is a cell with an older version of a package
/// and with the newest. The version is a parameter of the side with the name of the package.</summary>
public static class DuetVersions
{
    /// <summary>Joins several results into one. The p-values are corrected over all pairs.</summary>
    /// <param name="results">Of the older versions, ascending, at least one. Each compares its build with the newest one.</param>
    public static DuetResult Join(string package, string newest, IReadOnlyList<(string Version, DuetResult Result)> results)
    {
        DuetPair[] pairs =
        [
            .. from one in results
               from pair in one.Result.Duets
               select pair with { Old = With(pair.Old, package, one.Version), New = With(pair.New, package, newest) },
        ];
        var corrected = Holm.Correct([.. pairs.Select(pair => pair.P ?? 1)]);
        return results[0].Result with
        {
            Package = package,
            Base = null,
            Partial = results.Any(one => one.Result.Partial),
            OtherCores = results.Max(one => one.Result.OtherCores),
            Duets = [.. pairs.Select((pair, i) => pair with { CorrectedP = pair.P is null ? null : corrected[i] })],
            Failed =
            [
                .. from one in results
                   from failure in one.Result.Failed
                   select failure with { Old = failure.Old + Suffix(package, one.Version), New = failure.New + Suffix(package, newest) },
            ],
        };
    }

    /// <summary>Each pair without versions in its names, with both versions; empty for a result without a package.</summary>
    public static IReadOnlyList<(string Version, string Newest, DuetPair Pair)> Split(DuetResult result) =>
        result.Package is not { } package ? [] :
        [
            .. result.Duets.Select(pair => (pair.Old.Parameters[package], pair.New.Parameters[package],
                pair with { Old = Without(pair.Old, package), New = Without(pair.New, package) })),
        ];

    /// <summary>Returns the subject of a file from its name <c>ANYTHING-SUBJECT.json</c>: the text after the last dash.</summary>
    public static string SubjectOf(string path) => Path.GetFileNameWithoutExtension(path).Split('-')[^1];

    static DuetSide With(DuetSide side, string package, string version) => side with
    {
        Cell = side.Cell + Suffix(package, version),
        Parameters = new Dictionary<string, string>(side.Parameters) { [package] = version },
    };

    static DuetSide Without(DuetSide side, string package) => side with
    {
        Cell = side.Cell.Replace(Suffix(package, side.Parameters[package]), "", StringComparison.Ordinal),
        Parameters = side.Parameters.Where(parameter => parameter.Key != package).ToDictionary(),
    };

    static string Suffix(string package, string version) => $" [{package} {version}]";
}
