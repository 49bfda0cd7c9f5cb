using System.Globalization;
using System.Text.RegularExpressions;
using ProtoBench.Results;

namespace ProtoBench;

static class RatioTable
{
    /// <summary>Returns a row of Markdown for each data set and a column for each kind of work, with the time of a library by the time of
    /// the other one in its pair, and the interval. If the library has cells for two destinations, the faster one counts. A result with
    /// several other libraries has a column for each of them.</summary>
    /// <param name="library">The library's name in cells, such as Slab.</param>
    public static string Of(DuetResult duet, string library)
    {
        var others = duet.Duets.Select(pair => Other(pair)).Distinct().Count();
        var pairs = (from pair in duet.Duets
                     let name = Regex.Match(pair.New.Method, $"^(?<verb>[A-Za-z]+)Set{library}(_BW)?$", RegexOptions.ExplicitCapture)
                     where name.Success
                     select (Set: pair.New.Parameters["DataSet"],
                         Verb: name.Groups["verb"].Value + (others > 1 ? " against " + Other(pair) : ""), Pair: pair))
            .ToLookup(cell => (cell.Set, cell.Verb), cell => cell.Pair);
        string[] verbs = [.. pairs.Select(cell => cell.Key.Verb).Distinct()];
        return Markdown.Table(["Data set", .. verbs.Select(verb => verb + ":")],
            pairs.Select(cell => cell.Key.Set).Distinct().Order(StringComparer.Ordinal)
                .Select(set => (string[])[set, .. verbs.Select(verb => Text(pairs[(set, verb)].MinBy(pair => pair.Ratio)))]));
    }

    static string Other(DuetPair pair) => Regex.Match(pair.Old.Method, "(?<=Set)[A-Za-z]+").Value;

    static string Text(DuetPair? pair) => pair is null ? "-" : string.Create(CultureInfo.InvariantCulture, $"{pair.Ratio:F2}")
        + (pair is { Low: { } low, High: { } high } ? string.Create(CultureInfo.InvariantCulture, $" [{low:F2} to {high:F2}]") : "");
}
