using System.CommandLine;
using System.Globalization;
using System.IO.Enumeration;
using System.Text;
using System.Text.RegularExpressions;
using ProtoBench.Duet;
using ProtoBench.Results;

namespace ProtoBench.Verbs;

/// <summary>Represents the verb <c>targets</c>, which compares results with the ratios of results/targets.txt.</summary>
static class TargetsVerb
{
    public static Command Create()
    {
        var files = new Argument<string[]>("launches")
        {
            Arity = ArgumentArity.ZeroOrMore,
            Description = "result files of launches, or folders of them, as repeat leaves them"
        };
        files.Validators.Add(OptionValue.RefuseUnknownOptions);
        var list = new Option<string>("--list") { Description = "the list of targets", DefaultValueFactory = _ => "results/targets.txt" };
        var filter = new Option<string[]>("--filter")
        {
            AllowMultipleArgumentsPerToken = true,
            Description = "only targets of which a cell matches one of these texts, with * and ?"
        };
        var save = new Option<string?>("--out") { Description = "write the table to this file too" };
        var command =
            new Command("targets", "Check results against the list of target ratios: slow cell / fast cell >= times")
            {
                files, list, filter, save,
            };
        var measuring = new MeasuredTargets();
        measuring.AddTo(command);
        command.SetAction((parsed, stop) => Guarded.RunAsync(parsed, async (output, error) =>
        {
            var path = parsed.GetRequiredValue(list) is var named && File.Exists(named) ? named : Path.Combine(Checkout.Root ?? ".", named);
            var targets = Target.ParseAll(Read(path), path).Where(target => Chosen(target, parsed.GetValue(filter))).ToList();
            if (targets.Count == 0)
                throw new UsageException($"no target of {path} is chosen");
            if (measuring.IsAsked(parsed))
                return await measuring.RunAsync(parsed, targets, parsed.GetValue(save), output, error, stop);
            if (parsed.GetValue(files) is not { Length: > 0 } asked)
                throw new UsageException("targets: no result files are named; name those of launches, or measure now with --measure");
            var launches =
                Side.Read([.. asked.Select(file => "launches=" + file)],
                    warning => error.WriteLine("warning: " + warning)).SelectMany(side => side.Files).ToList();
            var judged = Targets.Judge(targets, launches);
            var table = Targets.ToMarkdown(judged);
            await output.WriteAsync(table);
            if (parsed.GetValue(save) is { } to)
                Write(to, table);
            var missing = Targets.Missing(targets, launches);
            foreach (var target in missing)
                await error.WriteLineAsync($"not measured: {target.Slow} / {target.Fast}");
            if (missing.Count > 0)
                await error.WriteLineAsync(
                    $"the cells of {missing.Count} of {targets.Count} targets are not in these files; --filter chooses targets");
            return judged.Any(one => !one.Reached) ? ExitCode.Failed : missing.Count > 0 ? ExitCode.Incomplete : ExitCode.Done;
        }));
        return command;
    }

    static bool Chosen(Target target, string[]? filters) =>
        filters is null or [] || filters.Any(filter => new[] { target.Slow, target.Fast }.Any(cell =>
        FileSystemName.MatchesSimpleExpression(filter.AsSpan().ContainsAny('*', '?') ? filter : $"*{filter}*", cell)));

    static string Read(string path)
    {
        try
        {
            return File.ReadAllText(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new UsageException(e is FileNotFoundException or DirectoryNotFoundException
                ? $"{path}: no such list of targets" : $"{path}: cannot be read: {e.Message}", e);
        }
    }

    static void Write(string path, string table)
    {
        try
        {
            File.WriteAllText(path, table);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new UsageException($"--out: cannot write {path}: {e.Message}", e);
        }
    }
}

/// <summary>Represents a line of results/targets.txt: the factor by which one cell must be faster than another.</summary>
/// <param name="Slow">The slow cell, with its name in BenchmarkDotNet without namespace and class: <c>GRPC(Size: 1K, Concurrency:
/// 4)</c>.</param>
/// <param name="Fast">The fast cell.</param>
/// <param name="Times">The required ratio of their medians.</param>
sealed partial record Target(string Slow, string Fast, double Times)
{
    /// <summary>Parses the targets of a list. Each line is <c>slow / fast >= times</c>, and # starts a comment.</summary>
    /// <exception cref="UsageException">Thrown when a line has another form. The message has the line.</exception>
    public static IReadOnlyList<Target> ParseAll(string text, string path) =>
        [.. text.Split('\n').Select((line, i) => (Line: line.Trim(), Number: i + 1))
            .Where(line => line.Line.Length > 0 && line.Line[0] != '#').Select(line => Parse(line.Line, $"{path}:{line.Number}"))];

    static Target Parse(string line, string place)
    {
        var match = Form().Match(line);
        var number = match.Success
            && double.TryParse(match.Groups["times"].Value, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var times)
            && times > 0 && double.IsFinite(times)
            ? times
            : (double?)null;
        return number is { } asked
            ? new(match.Groups["slow"].Value, match.Groups["fast"].Value, asked)
            : throw new UsageException($"{place}: '{line}' is no target; the form is: slow cell / fast cell >= times");
    }

    [GeneratedRegex(@"^(?<slow>\S.*?) / (?<fast>\S.*?) >= (?<times>[0-9.]+)$", RegexOptions.ExplicitCapture)]
    private static partial Regex Form();
}

/// <summary>Compares launches with targets.</summary>
static class Targets
{
    /// <summary>Represents a target and its result in the launches: the ratio of the two cells' medians, and its range.</summary>
    /// <param name="Target">The target.</param>
    /// <param name="Times">The ratio of the medians over all launches.</param>
    /// <param name="Low">The smallest ratio within one launch.</param>
    /// <param name="High">The largest ratio within one launch.</param>
    /// <param name="Launches">The number of launches with both cells.</param>
    internal sealed record Judged(Target Target, double Times, double Low, double High, int Launches)
    {
        /// <summary>Gets whether the ratio is at least the target.</summary>
        public bool Reached => Times >= Target.Times;
    }

    /// <summary>Judges the targets whose two cells are in the launches.</summary>
    public static IReadOnlyList<Judged> Judge(IEnumerable<Target> targets, IReadOnlyList<ResultFile> launches) =>
        [.. targets.Select(target => Judge(target, launches)).OfType<Judged>()];

    /// <summary>Returns the targets with a cell that is not in the launches.</summary>
    public static IReadOnlyList<Target> Missing(IEnumerable<Target> targets, IReadOnlyList<ResultFile> launches) =>
        [.. targets.Where(target => Judge(target, launches) is null)];

    /// <summary>Returns the results as a Markdown table.</summary>
    public static string ToMarkdown(IReadOnlyList<Judged> all)
    {
        var table = new StringBuilder("| Pair | Times faster | Range | Asked for | Launches |\n| --- | ---: | ---: | ---: | ---: |\n");
        foreach (var judged in all)
        {
            table.Append(CultureInfo.InvariantCulture,
                $"| {judged.Target.Fast} against {judged.Target.Slow} | {judged.Times:0.0#} | {judged.Low:0.0#} to {judged.High:0.0#} | ");
            table.Append(CultureInfo.InvariantCulture,
                $"{judged.Target.Times:0.0#}{(judged.Reached ? "" : ", not reached")} | {judged.Launches} |\n");
        }

        return table.ToString();
    }

    static Judged? Judge(Target target, IReadOnlyList<ResultFile> launches)
    {
        var pairs = launches.Select(launch => (Slow: MedianOf(launch, target.Slow), Fast: MedianOf(launch, target.Fast)))
            .Where(pair => pair is { Slow: not null, Fast: not null }).ToList();
        if (pairs.Count == 0)
            return null;
        var ratios = pairs.Select(pair => pair.Slow!.Value / pair.Fast!.Value).ToList();
        return new(target,
            Median.Of([.. pairs.Select(pair => pair.Slow!.Value)]).Value / Median.Of([.. pairs.Select(pair => pair.Fast!.Value)]).Value,
                ratios.Min(), ratios.Max(), pairs.Count);
    }

    static double? MedianOf(ResultFile launch, string cell)
    {
        var found = launch.Cells.FirstOrDefault(measured => measured.Unit.Name == "ns/op"
            && measured.Name.Full.EndsWith("." + cell, StringComparison.Ordinal));
        return found is null ? null : Median.Of(found.Values).Value;
    }
}
