using System.CommandLine;
using System.Globalization;
using ProtoBench.Results;
using ProtoBench.Saving;
using ProtoBench.Verbs;

namespace ProtoBench.Duet;

/// <summary>The verb <c>versions</c>: what an upgrade of a measured package costs. The newest of several versions is compared with each of
/// the others by duet.</summary>
static class VersionsVerb
{
    static readonly Option<string[]> filter = new("--filter")
    {
        Required = true,
        AllowMultipleArgumentsPerToken = true,
        Description = "the cells, as in a benchmark run: names with * and ?",
    };

    static readonly Option<string> package = new("--package") { Required = true, Description = "the package, such as Google.Protobuf" };

    static readonly Option<string> versions = new("--versions")
    {
        Required = true,
        Description = "at least two versions with commas between them: 3.25.1,3.36.2",
    };

    static readonly Option<string?> project = new("--project")
    {
        Description = "the folder of a project that the verb new has made; without it the cells of this program",
    };

    static readonly Option<int> processes = new("--processes")
    {
        Description = "pairs of processes for each cell and version, each one sample",
        DefaultValueFactory = _ => 10,
        CustomParser = result => OptionValue.Whole(result, "--processes", 3, 1000),
    };

    static readonly Option<string> format = new("--format") { Description = "text, md or csv", DefaultValueFactory = _ => "text" };

    static readonly Option<string?> @out = new("--out")
    {
        Description = "keep a result file for each version in this folder, for compare and report",
    };

    /// <summary>The verb with its options.</summary>
    public static Command Create()
    {
        format.AcceptOnlyFromAmong("text", "md", "csv");
        var command = new Command("versions",
            "What an upgrade of a measured package costs: the newest version against each other one, by duet")
        {
            filter, package, versions, project, processes, format, @out,
        };
        command.SetAction((parsed, stop) => Guarded.RunAsync(parsed, (output, error) => RunAsync(parsed, output, error, stop)));
        return command;
    }

    static async Task<int> RunAsync(ParseResult parsed, TextWriter output, TextWriter error, CancellationToken stop)
    {
        var (name, folder) = (parsed.GetRequiredValue(package), parsed.GetValue(@out));
        if (folder is not null)
            ResultPath.Check(Path.Combine(folder, "version.json"));
        PackageVersion[] ascending = [.. PackageVersion.List(parsed.GetRequiredValue(versions)).Order()];
        var builds = new List<Build>();
        foreach (var version in ascending)
            builds.Add(await BaseBuild.OfVersionAsync(parsed.GetValue(project), name, version.Text, error, stop));

        var settings = DuetOptions.Defaults(isTwoProcesses: true, parsed.GetValue(processes));
        var results = new List<(string Version, DuetResult Result)>();
        foreach (var (version, old) in ascending.Zip(builds).SkipLast(1))
        {
            await error.WriteLineAsync($"{name} {version.Text} and {ascending[^1].Text}");
            var request = new DuetRequest(parsed.GetRequiredValue(filter), null, [], old.Label, settings, PairsPerProcess: 1, FailOn: null,
                "text", Out: null);
            var run = new DuetRun(old, builds[^1], request, error);
            var result = await run.RunAsync(run.Choose, stop);
            results.Add((version.Text, result));
            if (folder is not null)
                DuetResultFile.Write(Path.Combine(folder, $"{name}-{version.Text}.json"), result);
            if (result.Partial)
                break;
        }

        VersionsTable.Write(parsed.GetRequiredValue(format), name, ascending[^1].Text, results, output);
        return results.Exists(one => one.Result.Partial) ? throw new OperationCanceledException(stop)
            : results.Exists(one => one.Result.Failed.Count > 0) ? ExitCode.Failed : ExitCode.Done;
    }
}

/// <summary>The version of a package, in NuGet's order: a prerelease comes before its release.</summary>
/// <param name="Text">As it was given.</param>
sealed record PackageVersion(string Text) : IComparable<PackageVersion>
{
    /// <summary>At least two different versions with commas between them.</summary>
    /// <exception cref="UsageException">They are not.</exception>
    public static PackageVersion[] List(string text)
    {
        var all = text.Split(',', StringSplitOptions.TrimEntries);
        return all.Length >= 2 && all.All(BaseBuild.IsVersion) && all.Distinct().Count() == all.Length
            ? [.. all.Select(one => new PackageVersion(one))]
            : throw new UsageException($"--versions: '{text}' is not a list of at least two different versions such as 3.25.1,3.36.2");
    }

    Version Numbers => Version.Parse(Text.Split('-')[0]);

    string Suffix => Text.Contains('-', StringComparison.Ordinal) ? Text[(Text.IndexOf('-', StringComparison.Ordinal) + 1)..] : "";

    /// <inheritdoc/>
    public int CompareTo(PackageVersion? other)
    {
        if (other is null)
            return 1;
        var numbers = Numbers.CompareTo(other.Numbers);
        return numbers != 0 ? numbers
            : (Suffix.Length == 0).CompareTo(other.Suffix.Length == 0) is not 0 and var release ? release
            : string.CompareOrdinal(Suffix, other.Suffix);
    }
}

/// <summary>Writes what <c>versions</c> has found: a row for each cell, a column for each version.</summary>
static class VersionsTable
{
    /// <summary>Writes one of the forms of <c>--format</c>.</summary>
    /// <param name="format">text, md or csv.</param>
    /// <param name="package">The package.</param>
    /// <param name="newest">The version that was compared with the others.</param>
    /// <param name="results">The other versions, each with its duet result, whose new side is the newest version.</param>
    /// <param name="output">Takes the table.</param>
    public static void Write(string format, string package, string newest, IReadOnlyList<(string Version, DuetResult Result)> results,
        TextWriter output)
    {
        if (format == "csv")
            WriteCsv(package, newest, results, output);
        else
            WriteTable(format == "md", package, newest, results, output);
    }

    static void WriteCsv(string package, string newest, IReadOnlyList<(string Version, DuetResult Result)> results, TextWriter output)
    {
        output.WriteLine("package,version,newest,cell,version ns/op,newest ns/op,ratio,low,high,version B/op,newest B/op");
        foreach (var (version, result) in results)
        {
            foreach (var pair in result.Duets)
            {
                output.WriteLine(string.Create(CultureInfo.InvariantCulture,
                    $"{package},{version},{newest},{CsvTable.Quote(pair.New.Cell)},{pair.Old.NanosecondsPerOperation},{pair.New.NanosecondsPerOperation},{pair.Ratio},{pair.Low},{pair.High},{pair.Old.AllocatedBytesPerOperation},{pair.New.AllocatedBytesPerOperation}"));
            }
        }
    }

    static void WriteTable(bool markdown, string package, string newest, IReadOnlyList<(string Version, DuetResult Result)> results,
        TextWriter output)
    {
        string[] cells = [.. results.SelectMany(one => one.Result.Duets).Select(pair => DuetTable.Cell(pair.New)).Distinct()];
        List<string[]> rows = [["Cell", .. results.Select(one => "from " + one.Version), newest]];
        rows.AddRange(cells.Select(cell => (string[])[cell, .. results.Select(one => Change(one.Result, cell)), Newest(results, cell)]));
        output.WriteLine($"{package} {newest}: how much longer a call takes than with an older version [95% interval], and its time"
            + (markdown ? "\n" : ""));
        if (markdown)
        {
            rows.Insert(1, ["---", .. Enumerable.Repeat("---:", results.Count + 1)]);
            foreach (var row in rows)
                output.WriteLine($"| {string.Join(" | ", row)} |");
        }
        else
        {
            int[] widths = [.. Enumerable.Range(0, rows[0].Length).Select(column => rows.Max(row => row[column].Length))];
            foreach (var row in rows)
                output.WriteLine(string.Join("  ", row.Select((text, at) => at == 0 ? text.PadRight(widths[0]) : text.PadLeft(widths[at]))));
        }

        foreach (var (version, result) in results)
        {
            foreach (var failure in result.Failed)
                output.WriteLine($"\n{version}: {failure.New} failed: {failure.Reason}");
        }
    }

    static string Change(DuetResult result, string cell) =>
        result.Duets.FirstOrDefault(pair => DuetTable.Cell(pair.New) == cell) is { } pair
            ? $"{DuetFigures.Change(pair.Ratio)} {DuetFigures.Interval(pair.Low, pair.High)}" : "-";

    static string Newest(IEnumerable<(string Version, DuetResult Result)> results, string cell) =>
        Figures.Nanoseconds(
            results.SelectMany(one => one.Result.Duets).Last(pair => DuetTable.Cell(pair.New) == cell).New.NanosecondsPerOperation);
}
