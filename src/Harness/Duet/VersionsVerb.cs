using System.CommandLine;

namespace ProtoBench.Harness.Duet;

static class VersionsVerb
{
    static readonly Option<string[]> filter = Arguments.Many(
        "--filter", "the cells, as in a benchmark run: names with * and ?", required: true);

    static readonly Option<string?> package = Arguments.Option<string?>("--package",
        "the package, such as Google.Protobuf; Microsoft.NETCore.App is the runtime");

    static readonly Option<string?> versions = Arguments.Option<string?>(
        "--versions", "at least two versions of the package with commas between them: 3.25.1,3.36.2");

    static readonly Option<string?> commits = Arguments.Option<string?>(
        "--commits", "instead of a package: commits with commas between them, the oldest first, each compared with the current build");

    static readonly Option<int> processes = Arguments.Option(
        "--processes", "pairs of processes for each cell and version, each one sample", Arguments.Between(3, 1000), 10);

    static readonly Option<string> format = Arguments.Option("--format", "text, md or csv", byDefault: "text");

    static readonly Option<string?> @out = Arguments.Option<string?>(
        "--out", "keep the result of all versions in this file, for compare and report");

    public static Command Create(MeasuredProgram program)
    {
        format.AcceptOnlyFromAmong("text", "md", "csv");
        var command = new Command("versions",
            "What an upgrade of a measured package costs: the newest version against each other one, by duet; or each commit of a history")
        {
            filter, package, versions, commits, processes, format, @out,
        };
        command.Validators.Add(result =>
        {
            var (named, listed) = (result.GetValue(package) is not null, result.GetValue(versions) is not null);
            if (result.GetValue(commits) is null ? !(named && listed) : named || listed)
                result.AddError("versions takes either --package with --versions, or --commits");
        });
        command.SetAction((parsed, stop) =>
            RunAsync(program, parsed, parsed.InvocationConfiguration.Output, parsed.InvocationConfiguration.Error, stop));
        return command;
    }

    static async Task<int> RunAsync(MeasuredProgram program, ParseResult parsed, TextWriter output, TextWriter error,
        CancellationToken stop)
    {
        var file = parsed.GetValue(@out);
        if (file is not null)
            ResultPath.Check(file);
        var (name, builds) = parsed.GetValue(package) is { } asked
            ? (asked, await OfVersionsAsync(program, asked, parsed.GetValue(versions)!, error, stop))
            : (program.Name, await OfCommitsAsync(program, parsed.GetValue(commits)!, error, stop));
        var (newest, current) = builds[^1];

        var settings = DuetOptions.Defaults(isTwoProcesses: true, parsed.GetValue(processes));
        var results = new List<(string Version, DuetResult Result)>();
        UsageException? unsaved = null;
        foreach (var (version, old) in builds.SkipLast(1))
        {
            await error.WriteLineAsync($"{name} {version} and {newest}");
            var request = new DuetRequest(settings, Base: old.Label) { Filters = parsed.GetRequiredValue(filter) };
            var run = new DuetRun(old, current, request, error) { FactsOf = program.FactsOf };
            DuetResult result;
            try
            {
                result = await run.RunAsync(run.Choose, stop);
            }
            catch (RunException broken) when (parsed.GetValue(commits) is not null)
            {
                await LeaveOutAsync(broken, error);
                continue;
            }

            if (results.Count == 0)
                result.RequireAny();
            results.Add((version, result));
            unsaved = TryWrite(file, DuetVersions.Join(name, newest, results));
            if (result.Partial)
                break;
        }

        if (results.Count == 0)
            throw new RunException(ExitCode.Failed, "--commits: none of them can be measured");

        var joined = DuetVersions.Join(name, newest, results);
        VersionsTable.Write(parsed.GetRequiredValue(format), joined, output);
        MachineLoad.Write(error, joined);
        if (unsaved is not null)
            throw unsaved;
        return joined.Partial ? throw new StoppedException(measured: true, file)
            : joined.Failed.Count > 0 ? ExitCode.Failed : ExitCode.Done;
    }

    // the table has not been printed yet
    static UsageException? TryWrite(string? file, DuetResult result)
    {
        try
        {
            if (file is not null)
                DuetResultFile.Write(file, result);
            return null;
        }
        catch (UsageException e)
        {
            return e;
        }
    }

    static async Task<(string Version, Build Build)[]> OfVersionsAsync(MeasuredProgram program, string package, string versions,
        TextWriter error, CancellationToken stop)
    {
        var builds = new List<(string, Build)>();
        foreach (var version in PackageVersion.List(versions).Order())
            builds.Add((version.Text, await new BaseBuild(program, error).OfVersionAsync(package, version.Text, stop)));
        return [.. builds];
    }

    static async Task<(string Version, Build Build)[]> OfCommitsAsync(MeasuredProgram program, string commits, TextWriter error,
        CancellationToken stop)
    {
        var builds = new List<(string, Build)>();
        foreach (var commit in commits.Split(',', StringSplitOptions.TrimEntries))
        {
            try
            {
                var build = await new BaseBuild(program, error).MakeAsync(commit, stop);
                builds.Add((build.Commit?[..8] ?? commit, build));
            }
            catch (RunException broken) when (broken is not UsageException)
            {
                await LeaveOutAsync(broken, error);
            }
        }

        return [.. builds, (program.Current.Commit?[..8] ?? "current", program.Current)];
    }

    // An old commit may not build or start with the tools of today, or lack the cells. The rest of a history is still worth its time.
    static Task LeaveOutAsync(RunException broken, TextWriter error) => error.WriteLineAsync($"left out: {broken.Message}");
}

/// <summary>Represents the version of a package, in NuGet's order: a prerelease precedes its release.</summary>
sealed record PackageVersion(string Text) : IComparable<PackageVersion>
{
    public static PackageVersion[] List(string text)
    {
        var all = text.Split(',', StringSplitOptions.TrimEntries);
        return all.Length >= 2 && all.All(one => BaseBuild.IsVersion(one) && Version.TryParse(one.Split('-')[0], out _))
            && all.Distinct().Count() == all.Length
            ? [.. all.Select(one => new PackageVersion(one))]
            : throw new UsageException($"--versions: '{text}' is not a list of at least two different versions such as 3.25.1,3.36.2");
    }

    Version Numbers => Version.Parse(Text.Split('-')[0]);

    string Suffix => Text.Contains('-', StringComparison.Ordinal) ? Text[(Text.IndexOf('-', StringComparison.Ordinal) + 1)..] : "";

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

static class VersionsTable
{
    /// <summary>Writes a row for each cell and a column for each older version as text or md, or a line for each of both as csv.</summary>
    public static void Write(string format, DuetResult result, TextWriter output)
    {
        if (format == "csv")
            WriteCsv(result, output);
        else
            WriteTable(format == "md", result, output);
    }

    /// <summary>From the second newest version to the newest: a row of Markdown for each file.</summary>
    public static string Upgrades(IEnumerable<ResultFile> files)
    {
        return Markdown.Table(["Measured", "Upgrade", "Slower", "Faster", "Cannot say:"], files.Select(Row));

        static string[] Row(ResultFile file)
        {
            if (file.Duet is not { } result || DuetVersions.Split(result) is not [.., var last] pairs)
                throw new InvalidDataException($"{file.Path} holds no versions of a package");
            var judged = pairs.Zip(DuetVerdict.Of(result, result.Settings.Threshold)).Where(one => one.First.Version == last.Version)
                .ToArray();
            return
            [
                DuetVersions.SubjectOf(file.Path), $"{result.Package} {last.Version} to {last.Newest}", Changes(Verdict.Worse),
                Changes(Verdict.Better),
                judged.Count(one => one.Second is not (Verdict.Worse or Verdict.Better)).ToString(CultureInfo.InvariantCulture),
            ];

            string Changes(Verdict verdict) => string.Join(", ", judged.Where(one => one.Second == verdict)
                .OrderByDescending(one => Math.Abs(Math.Log(one.First.Pair.Ratio)))
                .Select(one => $"{one.First.Pair.New.Name} {Percent(one.First.Pair.Ratio)}").DefaultIfEmpty("-"));
        }

        static string Percent(double ratio) => (ratio - 1).ToString("+0 %;-0 %", CultureInfo.InvariantCulture);
    }

    static void WriteCsv(DuetResult result, TextWriter output)
    {
        output.WriteLine("package,version,newest,cell,version ns/op,newest ns/op,ratio,low,high,version B/op,newest B/op");
        foreach (var (version, newest, pair) in DuetVersions.Split(result))
        {
            output.WriteLine(string.Create(CultureInfo.InvariantCulture,
                $"{result.Package},{version},{newest},{Csv.Quote(pair.New.Cell)},{pair.Old.NanosecondsPerOperation},{pair.New.NanosecondsPerOperation},{pair.Ratio},{pair.Low},{pair.High},{pair.Old.AllocatedBytesPerOperation},{pair.New.AllocatedBytesPerOperation}"));
        }
    }

    static void WriteTable(bool markdown, DuetResult result, TextWriter output)
    {
        var pairs = DuetVersions.Split(result);
        string[] versions = [.. pairs.Select(one => one.Version).Distinct()];
        var newest = pairs.Select(one => one.Newest).FirstOrDefault() ?? "";
        string[] heads = ["Cell", .. versions.Select(version => "from " + version), newest];
        string[][] rows = [.. pairs.GroupBy(one => one.Pair.New.Name).Select(cell => (string[])
        [
            cell.Key, .. versions.Select(version => Change(cell.FirstOrDefault(one => one.Version == version).Pair)),
            Figures.Nanoseconds(cell.Last().Pair.New.NanosecondsPerOperation),
        ])];
        output.WriteLine($"{result.Package} {newest}: the change of the time from each older version [95% interval], and the time with {newest}"
            + (markdown ? "\n" : ""));
        if (markdown)
        {
            output.Write(Markdown.Table([heads[0], .. heads[1..].Select(head => head + ":")], rows));
        }
        else
        {
            rows = [heads, .. rows];
            int[] widths = [.. heads.Select((_, column) => rows.Max(row => row[column].Length))];
            foreach (var row in rows)
                output.WriteLine(string.Join("  ", row.Select((text, at) => at == 0 ? text.PadRight(widths[0]) : text.PadLeft(widths[at]))));
        }

        foreach (var failure in result.Failed)
            output.WriteLine($"\n{failure.Old} failed: {failure.Reason}");
    }

    static string Change(DuetPair? pair) =>
        pair is null ? "-" : $"{DuetFigures.Change(pair.Ratio)} {DuetFigures.Interval(pair.Low, pair.High)}";
}
