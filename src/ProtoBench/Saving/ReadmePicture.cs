using System.Text.RegularExpressions;
using ProtoBench.Report;
using ProtoBench.Report.Model;
using ProtoBench.Results;

namespace ProtoBench.Saving;

/// <summary>Represents a picture of a page: <c>&lt;!-- picture FILE.svg ; RESULT.json ; NAME --&gt;</c>. It is drawn as in the
/// report.</summary>
/// <param name="File">The path of the SVG file, relative to the root of the checkout.</param>
/// <param name="Result">The path of the saved result, relative to the root.</param>
/// <param name="Name">A name of <see cref="ReportPage.PictureAsync"/>.</param>
public sealed partial record ReadmePicture(string File, string Result, string Name)
{
    /// <summary>Returns the pictures of a text.</summary>
    /// <param name="text">The text with its markers.</param>
    public static IEnumerable<ReadmePicture> In(string text) =>
        Marker().Matches(text).Select(match => new ReadmePicture(match.Groups["file"].Value, match.Groups["result"].Value,
            match.Groups["name"].Value));

    /// <summary>Returns the content of <see cref="File"/>.</summary>
    /// <param name="root">The folder of the checkout.</param>
    /// <exception cref="DamagedFileException">Thrown when the result cannot be read.</exception>
    /// <exception cref="UsageException">Thrown when it has no such picture.</exception>
    public async Task<string> DrawAsync(string root) =>
        await ReportPage.PictureAsync(ReportContent.Read([Path.Combine(root, Result)], new ComparisonOptions()), Name) + "\n";

    [GeneratedRegex(@"<!-- picture (?<file>\S+\.svg) ; (?<result>\S+) ; (?<name>[^>]+?) -->", RegexOptions.ExplicitCapture)]
    private static partial Regex Marker();
}
