namespace ProtoBench;

/// <summary>Finds the names that a user may have meant. Compiled into Schemas too, which uses no other class of this project.</summary>
static class SimilarNames
{
    // of a list of names, more are no help
    const int most = 3;

    // a name of a cell with a smaller share of common trigrams is not similar to a pattern, unless it contains half of the pattern's, as it
    // does where a short pattern has one wrong letter
    const double fewest = 0.3;

    /// <summary>Returns "did you mean X or Y?" for the names of which at most a third of the letters differ; null if there are none.</summary>
    public static string? Meant(string text, IEnumerable<string> names)
    {
        var (typed, limit) = (Bare(text), Math.Max(1, Bare(text).Length / 3));
        (string Name, int Distance)[] near =
        [
            .. names.Distinct().Select(name => (Name: name, Distance: Distance(typed, Bare(name))))
                .Where(one => one.Distance <= limit || (typed.Length > 2 && Bare(one.Name).StartsWith(typed, StringComparison.Ordinal)))
                .OrderBy(one => one.Distance).ThenBy(one => one.Name, StringComparer.Ordinal),
        ];
        string[] close = [.. near.TakeWhile(one => one.Distance <= near[0].Distance + 1).Select(one => one.Name).Take(most)];
        return close.Length == 0 ? null : $"did you mean {string.Join(" or ", close)}?";

        static string Bare(string name) => name.TrimStart('-').ToLowerInvariant();
    }

    /// <summary>Returns the cells whose names have most in common with one of the patterns, the most similar first.</summary>
    public static string[] OfCells(IEnumerable<string> patterns, IEnumerable<string> methods)
    {
        var asked = patterns.Select(pattern => Trigrams(pattern.Split('(')[0].Split('.')[^1].Replace("*", "", StringComparison.Ordinal)))
            .ToArray();
        return
        [
            .. methods.Distinct()
                .Select(name => (Name: name, Likeness: asked.Select(trigrams => Likeness(trigrams, Trigrams(name))).DefaultIfEmpty().Max()))
                .Where(cell => cell.Likeness >= fewest || asked.Any(trigrams => ContainsHalf(Trigrams(cell.Name), trigrams)))
                .OrderByDescending(cell => cell.Likeness).ThenBy(cell => cell.Name, StringComparer.Ordinal)
                .Select(cell => cell.Name).Take(most),
        ];
    }

    /// <summary>The letters to replace, add, leave out or exchange with the next: optimal string alignment, R. A. Wagner and R. Lowrance,
    /// Journal of the ACM 22 (1975), 177-183.</summary>
    internal static int Distance(string a, string b)
    {
        int[][] rows = [.. Enumerable.Range(0, a.Length + 1).Select(_ => new int[b.Length + 1])];
        for (var i = 0; i <= a.Length; i++)
        {
            for (var j = 0; j <= b.Length; j++)
            {
                rows[i][j] = i == 0 || j == 0 ? i + j
                    : Math.Min(Math.Min(rows[i - 1][j], rows[i][j - 1]) + 1, rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1));
                if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                    rows[i][j] = Math.Min(rows[i][j], rows[i - 2][j - 2] + 1);
            }
        }

        return rows[a.Length][b.Length];
    }

    static double Likeness(HashSet<string> asked, HashSet<string> name) =>
        asked.Count == 0 ? 0 : (double)asked.Count(name.Contains) / asked.Union(name).Count();

    static bool ContainsHalf(HashSet<string> name, HashSet<string> asked) =>
        asked.Count(name.Contains) is >= 2 and var common && common * 2 >= asked.Count;

    static HashSet<string> Trigrams(string text) =>
        [.. Enumerable.Range(0, Math.Max(0, text.Length - 2)).Select(i => text.Substring(i, 3).ToUpperInvariant())];
}
