using System.Text.RegularExpressions;
using ProtoBench.Report;
using ProtoBench.Report.Model;
using ProtoBench.Results;

namespace ProtoBench.Saving;

/// <summary>A picture of a page: <c>&lt;!-- picture FILE.svg ; RESULT.json ; NAME --&gt;</c>, drawn as the report draws it.</summary>
/// <param name="File">The SVG file, from the root of the checkout.</param>
/// <param name="Result">The saved result, from there too.</param>
/// <param name="Name">A name of <see cref="ReportPage.PictureAsync"/>.</param>
public sealed partial record ReadmePicture(string File, string Result, string Name)
{
    /// <summary>The pictures that a text marks.</summary>
    /// <param name="text">The text with its markers.</param>
    public static IEnumerable<ReadmePicture> In(string text) =>
        Marker().Matches(text).Select(match => new ReadmePicture(match.Groups["file"].Value, match.Groups["result"].Value,
            match.Groups["name"].Value));

    /// <summary>The content of <see cref="File"/>.</summary>
    /// <param name="root">The folder of the checkout.</param>
    /// <exception cref="DamagedFileException">The result cannot be read.</exception>
    /// <exception cref="UsageException">It has no such picture.</exception>
    public async Task<string> DrawAsync(string root) =>
        await ReportPage.PictureAsync(ReportContent.Read([Path.Combine(root, Result)], new ComparisonOptions()), Name) + "\n";

    [GeneratedRegex(@"<!-- picture (?<file>\S+\.svg) ; (?<result>\S+) ; (?<name>[^>]+?) -->", RegexOptions.ExplicitCapture)]
    private static partial Regex Marker();
}
