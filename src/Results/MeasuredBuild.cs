namespace ProtoBench.Results;

/// <summary>What was measured, as each result file of a duet, a load and <c>settings</c> has it.</summary>
public abstract record MeasuredBuild
{
    public string? Commit { get; init; }

    /// <summary>Whether the tree had no change that is not in <see cref="Commit"/>.</summary>
    public bool? Clean { get; init; }

    /// <summary>The version of the suite, see <see cref="Results.Suite"/>; null in files of older versions.</summary>
    public int? Suite { get; init; } = Results.Suite.Version;

    public IReadOnlyDictionary<string, string> PackageVersions { get; init => field = value ?? new Dictionary<string, string>(); } =
        new Dictionary<string, string>();

    /// <summary>Returns the commit for the text above a saved table.</summary>
    public static string Describe(string? commit, bool? clean) =>
        $"commit {commit ?? "unknown"}{(clean == false ? ", with changes that are not committed" : "")}";
}
