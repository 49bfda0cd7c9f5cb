namespace ProtoBench.Results;

/// <summary>The version of what is measured. It is raised when a cell, a data set, a round of load or a statistic is no longer what it was
/// under the same name, so that figures of two versions differ although no library has changed. docs/methodology.md has what each version
/// changed.</summary>
public static class Suite
{
    /// <summary>The version of this program.</summary>
    public const int Version = 5;

    // the version of the files that have none
    const int first = 4;

    /// <summary>Returns the fact about a file, by which <c>compare</c> and <c>report</c> warn.</summary>
    internal static (string Fact, string? Value) Fact(int? version) =>
        ("suite", version is { } known ? known.ToString(System.Globalization.CultureInfo.InvariantCulture) : $"{first} or older");
}
