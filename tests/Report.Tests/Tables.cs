using System.Net;
using System.Text.RegularExpressions;

namespace ProtoBench.Report.Tests;

static partial class Tables
{
    /// <summary>Each field by the head of its column, as text and, where there is one, as figure.</summary>
    public static IReadOnlyList<IReadOnlyDictionary<string, (string Text, double? Figure)>> Read(string page, string caption)
    {
        var rows = new List<IReadOnlyDictionary<string, (string, double?)>>();
        foreach (var table in Table().Matches(page).Select(match => match.Value)
            .Where(table => WebUtility.HtmlDecode(Caption().Match(table).Groups[1].Value).StartsWith(caption, StringComparison.Ordinal)))
        {
            string[] heads = [.. Head().Matches(table).Select(head => WebUtility.HtmlDecode(head.Groups[1].Value))];
            foreach (var row in Row().Matches(table).Select(row => Field().Matches(row.Value)).Where(row => row.Count > 0))
            {
                Assert.Equal(heads.Length, row.Count);
                rows.Add(heads.Zip(row).ToDictionary(
                    field => field.First,
                    field => (WebUtility.HtmlDecode(field.Second.Groups["text"].Value),
                        field.Second.Groups["figure"] is { Success: true, Value: var figure }
                        ? double.Parse(figure) : (double?)null)));
            }
        }

        return rows;
    }

    [GeneratedRegex("<table.*?</table>", RegexOptions.Singleline)]
    private static partial Regex Table();

    [GeneratedRegex("<caption>(.*?)</caption>")]
    private static partial Regex Caption();

    [GeneratedRegex("<th scope=\"col\"[^>]*><button type=\"button\">(.*?)</button>")]
    private static partial Regex Head();

    [GeneratedRegex("<tr[^>]*>.*?</tr>", RegexOptions.Singleline)]
    private static partial Regex Row();

    [GeneratedRegex("<td( data-v=\"(?<figure>[^\"]*)\"| class=\"figure\")?>(?<text>.*?)</td>", RegexOptions.Singleline)]
    private static partial Regex Field();
}
