using System.IO.Enumeration;
using ProtoBench.DuetRunner;

namespace ProtoBench.Duet;

/// <summary>Chooses cells as BenchmarkDotNet's --filter does: * and ?, in
/// any case, over the whole name, with or without its parameters.</summary>
static class CellGlob
{
    /// <summary>The cells that one of the patterns takes. A class that runs only when named
    /// is left out unless a pattern holds its name, as in a benchmark run.</summary>
    public static RunnerCell[] Choose(IEnumerable<RunnerCell> cells, IReadOnlyCollection<string> patterns) =>
        [.. cells.Where(cell => patterns.Any(pattern => Matches(pattern, cell.Name) || Matches(pattern, WithoutParameters(cell)))
        && (!cell.OnlyWhenNamed || patterns.Any(pattern => Names(pattern, cell))))];

    static bool Names(string pattern, RunnerCell cell) =>
        pattern.Contains(cell.Type.Replace("Benchmarks", "", StringComparison.Ordinal), StringComparison.OrdinalIgnoreCase);

    static string WithoutParameters(RunnerCell cell) => cell.Name.Split('(')[0];

    // A backslash escapes in this expression language, but is an ordinary character in a name.
    static bool Matches(string pattern, string name) =>
        FileSystemName.MatchesSimpleExpression(pattern.Replace(@"\", @"\\", StringComparison.Ordinal), name);
}
