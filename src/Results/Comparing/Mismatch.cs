namespace ProtoBench.Results;

/// <summary>Says in which facts the files of a comparison disagree, before anybody reads a figure.</summary>
static class Mismatch
{
    const int longest = 3;

    public static IEnumerable<string> Of(IReadOnlyList<Side> sides)
    {
        foreach (var fact in sides.SelectMany(side => side.Files).SelectMany(file => file.Facts.Keys).Distinct(StringComparer.Ordinal))
        {
            var values = sides.Select(side => (side.Label, Values: Values(side, fact))).ToArray();
            if (values.SelectMany(side => side.Values).Distinct(StringComparer.Ordinal).Count() > 1)
                yield return $"{fact} differs: "
                    + $"{string.Join("; ", values.Where(side => side.Values.Length > 0).Select(side => $"{side.Label} has {Listed(side.Values)}"))}";
        }

        foreach (var side in sides)
        {
            string[] commits = [.. side.Files.Select(file => file.Commit).OfType<string>().Distinct(StringComparer.Ordinal)];
            if (commits.Length > 1)
                yield return $"{side.Label} pools files of different commits: {Listed(commits)}";
        }
    }

    static string[] Values(Side side, string fact) =>
        [.. side.Files.Select(file => file.Facts.GetValueOrDefault(fact)).OfType<string>().Distinct(StringComparer.Ordinal)
            .Order(StringComparer.Ordinal)];

    static string Listed(string[] values) =>
        string.Join(" and ", values.Take(longest)) + (values.Length > longest ? $" and {values.Length - longest} more" : "");
}
