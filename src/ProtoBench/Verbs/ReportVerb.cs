using System.CommandLine;
using ProtoBench.Report;
using ProtoBench.Report.Model;
using ProtoBench.Results;

namespace ProtoBench;

public static class ReportVerb
{
    public static Command Create()
    {
        var results = Arguments.Files("results",
            "result files of benchmarks and load runs, or folders of them; as label=path each label is a side, and every side is "
                + "compared with the first");
        var file = Arguments.Option("--out", "the page", byDefault: "report.html");
        var links = Arguments.Many("--link", "other pages, for the navigation of this one: NAME=ADDRESS, such as Load=load.html");
        var command =
            new Command("report", "Make one self-contained HTML page of results: pictures, tables, environment") { results, file, links };
        command.SetAction(async (parsed, _) =>
        {
            var (output, error) = (parsed.InvocationConfiguration.Output, parsed.InvocationConfiguration.Error);
            var (arguments, path) = (parsed.GetRequiredValue(results), parsed.GetRequiredValue(file));
            var content = ReportContent.Read(arguments, new ComparisonOptions());
            ResultFile[] files = [.. content.Sides.SelectMany(side => side.Files.Concat(side.Tables))];
            if (files.Any(read => Path.GetFullPath(read.Path) == Path.GetFullPath(path)))
                throw new UsageException($"--out: {path} is one of the results");
            if (content.Warnings.Count > 0)
                await error.WriteLineAsync(
                    $"{content.Warnings.Count} remark{(content.Warnings.Count == 1 ? "" : "s")} on these results, which the page lists");
            (string Name, string Address)[] others = [.. (parsed.GetValue(links) ?? []).Select(Link)];
            var said = string.Join(' ', arguments.Select(Arguments.Quoted));
            var linked = string.Concat(others.Select(link => " --link " + Arguments.Quoted($"{link.Name}={link.Address}")));
            var page = await ReportPage.RenderAsync(content with
            {
                MadeAt = DateTimeOffset.Now,
                Command = $"dotnet run -c Release --project src/ProtoBench -- report {said} --out {Arguments.Quoted(path)}{linked}",
                Links = others,
                // files of older versions have no libraries
                Libraries = [.. content.Libraries.UnionBy(MeasuredLibraries.Facts, library => library.Name)],
            });
            await WriteAsync(path, page);
            var duets = files.Sum(read => read.Duet?.Duets.Count ?? 0);
            var tables = files.Count(read => read.Table is not null);
            (int Number, string What)[] counts =
                [(content.Cells.Count, "cell"), (content.Loads.Count, "load result"), (duets, "duet pair"), (tables, "table")];
            var held = counts.Where(count => count.Number > 0).Select(count => Counted(count.Number, count.What)).DefaultIfEmpty("no figures");
            await output.WriteLineAsync($"{Path.GetFullPath(path)}: {string.Join(", ", held)}"
                + (files.Length > 1 ? $", of {files.Length} files" : ""));
            return ExitCode.Done;
        });
        return command;
    }

    static string Counted(int number, string what) => $"{number} {what}{(number == 1 ? "" : "s")}";

    static (string Name, string Address) Link(string text) =>
        text.Split('=', 2) is [{ Length: > 0 } name, { Length: > 0 } address]
        ? (name, address) : throw new UsageException($"--link: '{text}' is not NAME=ADDRESS, such as Load=load.html");

    static async Task WriteAsync(string path, string page)
    {
        try
        {
            await File.WriteAllTextAsync(path, page);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new UsageException($"--out: cannot write {path}: {e.Message}", e);
        }
    }
}
