using System.CommandLine;
using System.Globalization;
using System.IO.Enumeration;
using System.Text.RegularExpressions;
using ProtoBench.DuetRunner;
using ProtoBench.Harness.Duet;
using ProtoBench.Results;

namespace ProtoBench;

static class TargetsVerb
{
    // Most of the time of a process is its start and its warm-up, so a pair is measured for a short time in many processes. A target that
    // is certain at a look has no further process, and the remaining time is used for targets near their limit. The time limit ends the run
    // before the last look.
    const double seconds = 0.15;
    const int pairsPerProcess = 16;
    static readonly int[] looks = [4, 8, 100];
    static readonly TimeSpan defaultLimit = TimeSpan.FromSeconds(285);

    public static Command Create()
    {
        var list = Arguments.Option("--list", "the list of targets", byDefault: "results/targets.txt");
        var filter = Arguments.Many("--filter", "only targets of which a cell matches one of these texts, with * and ?");
        var file = Arguments.Option<string?>("--out", "write the table to this file too");
        var save = Arguments.Option<bool>("--save", "keep the table and its figures as results/<cpu>/Duet.json");
        var limit = Arguments.Option("--limit", "stop after this time, but not before three processes for each pair; with more time more answers are certain",
            Arguments.Duration, defaultLimit);
        var command = new Command("targets",
            "Measure the list of target ratios (slow cell / fast cell >= times) by duet, in about five minutes")
        {
            list, filter, limit, file, save,
        };
        command.SetAction(async (parsed, stop) =>
        {
            var (output, error) = (parsed.InvocationConfiguration.Output, parsed.InvocationConfiguration.Error);
            var path = parsed.GetRequiredValue(list) is var named && File.Exists(named) ? named : Path.Combine(Checkout.Root ?? ".", named);
            var targets = Target.ParseAll(Read(path), path).Where(target => Chosen(target, parsed.GetValue(filter))).ToList();
            return targets.Count == 0
                ? throw new UsageException($"no target of {path} is chosen")
                : await RunAsync(targets, parsed.GetValue(limit), parsed.GetValue(file), parsed.GetValue(save), output, error, stop);
        });
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

    /// <returns>0 if no target is certainly missed, 1 if one is or a pair failed, 4 if this build lacks cells of a target.</returns>
    static async Task<int> RunAsync(List<Target> targets, TimeSpan limit, string? file, bool save, TextWriter output,
        TextWriter error, CancellationToken stop)
    {
        BuildFacts.Program.RequireRelease("targets");
        if (file is not null)
            ResultPath.Check(file);
        if (save)
            Saved.Check();
        var settings = DuetOptions.Defaults(isTwoProcesses: false, looks[^1]) with
        {
            SecondsPerProcess = seconds,
            Looks = looks.Length,
        };
        var rule = new StoppingRule(looks,
            pair => targets.Where(target => Is(pair.Cells, target))
                .All(target => TargetJudgement.IsCertain(pair.Ratios, target, settings, targets.Count)));
        var missing = new List<string>();
        var started = DateTimeOffset.Now;
        var run = new DuetRun(BuildFacts.Program.Current, BuildFacts.Program.Current,
            new(settings, PairsPerProcess: pairsPerProcess, Limit: limit, Rule: rule), error);
        var result = await run.RunAsync((_, cells) => Pairs(targets, cells, missing), stop);
        result.RequireAny();
        var table = Table(result, TargetJudgement.Of(result, targets), missing, DateTimeOffset.Now - started);
        var text = table.ToMarkdown() + string.Concat(table.About.Select(line => $"\n{line}\n"));
        await output.WriteAsync(text);
        MachineLoad.Write(output, result);
        if (file is not null)
            ResultPath.Write(file, () => File.WriteAllText(file, text));
        if (result.Partial)
            throw new StoppedException(measured: true, file);
        if (save)
            await output.WriteLineAsync($"\nSaved: {Saved.Write("Duet", result, table)}");
        return ExitCodeOf(result, targets, missing.Count);
    }

    internal static int ExitCodeOf(DuetResult result, IReadOnlyList<Target> targets, int missing) =>
        result.Failed.Count > 0 || TargetJudgement.Of(result, targets).Any(one => one is { Reached: false, Certain: true })
        ? ExitCode.Failed
        : missing > 0 ? ExitCode.Incomplete
        : ExitCode.Done;

    static bool Is(CellPair pair, Target target) =>
        TargetJudgement.Is(pair.Old.Name, target.Slow) && TargetJudgement.Is(pair.New.Name, target.Fast);

    static CellPair[] Pairs(IReadOnlyList<Target> targets, IReadOnlyList<RunnerCell> cells, List<string> missing)
    {
        var pairs = new List<CellPair>();
        foreach (var target in targets)
        {
            var (slow, fast) = (Find(target.Slow), Find(target.Fast));
            if (slow is null || fast is null)
                missing.Add($"{target.Fast} against {target.Slow}: this build has no cell {(slow is null ? target.Slow : target.Fast)}");
            else
                pairs.Add(new(slow, fast));
        }

        return pairs.Count > 0
            ? [.. pairs.Distinct()] : throw new UsageException($"targets: this build has the cells of none of them; {missing[0]}");

        RunnerCell? Find(string name) => cells.FirstOrDefault(cell => TargetJudgement.Is(cell.Name, name));
    }

    static SavedTable Table(DuetResult result, IReadOnlyList<TargetJudgement> judged, IReadOnlyList<string> missing, TimeSpan took)
    {
        List<string> about = [];
        if (judged.Count > 0)
        {
            string Count(string answer) =>
                $"{judged.Count(one => one.Answer == answer)} {answer.Replace(", ", " but ", StringComparison.Ordinal)}";
            var level = 1 - (result.Settings.Alpha / result.Settings.Looks);
            about.Add($"{judged.Count} targets in {took.TotalSeconds:F0} s: {Count("yes")}, {Count("yes, uncertain")}, "
                + $"{Count("no, uncertain")}, {Count("no")}. "
                + $"{judged.Min(one => one.Processes)} to {judged.Max(one => one.Processes)} processes of {seconds} s for a pair. "
                + $"Intervals at {level:P1}; "
                + $"p is corrected for {result.Settings.Looks} looks and, by Holm's method, over the targets.");
        }

        about.AddRange(missing.Concat(result.Failed.Select(failed => $"{Short(failed.New)} against {Short(failed.Old)}: {failed.Reason}"))
            .Select(line => $"Not measured: {line}"));
        return TargetJudgement.Table(judged) with { About = about };
    }

    static string Short(string cell) => cell[(cell.Split('(')[0].LastIndexOf('.') + 1)..];
}

/// <summary>Represents a line of results/targets.txt: the factor by which one cell must be faster than another.</summary>
/// <param name="Slow">The name in BenchmarkDotNet without namespace and class: <c>GRPC(Size: 1K, Concurrency: 4)</c>.</param>
sealed partial record Target(string Slow, string Fast, double Times)
{
    /// <summary>Parses the targets of a list. Each line is <c>slow / fast >= times</c>, and # starts a comment.</summary>
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

/// <summary>For each target two claims are tested: it is reached, and it is missed. Each test is one-sided over the processes. Its p-value
/// is multiplied by 2, because there are two claims. It is multiplied by the number of looks, because the measurement could have stopped at
/// each of them. Holm's method corrects it over all targets. The probability of a false claim in a table is then at most alpha.</summary>
/// <param name="Certain">Whether this answer is certain: its p-value is at most alpha.</param>
sealed record TargetJudgement(Target Target, double Times, double Low, double High, double P, bool Certain, int Processes)
{
    const int claims = 2;

    public bool Reached => Times >= Target.Times;

    public string Answer => (Reached, Certain) switch
    {
        (true, true) => "yes",
        (true, false) => "yes, uncertain",
        (false, false) => "no, uncertain",
        _ => "no",
    };

    /// <summary>Judges the targets whose pairs were measured, in the order of the list.</summary>
    public static IReadOnlyList<TargetJudgement> Of(DuetResult result, IReadOnlyList<Target> targets)
    {
        var measured = targets
            .Select(target =>
                (Target: target,
                    Pair: result.Duets.FirstOrDefault(pair => Is(pair.Old.Cell, target.Slow) && Is(pair.New.Cell, target.Fast))))
            .Where(one => one.Pair is not null)
            .Select(one => (one.Target, Ratios: (IReadOnlyList<double>)[.. one.Pair!.Processes.Select(process => process.Ratio)]))
            .ToArray();
        var looks = result.Settings.Looks;
        var reached = Holm.Correct([.. measured.Select(one => POf(one.Ratios, one.Target, reached: true, looks))]);
        var missed = Holm.Correct([.. measured.Select(one => POf(one.Ratios, one.Target, reached: false, looks))]);
        return
        [
            .. measured.Select((one, i) =>
            {
                var mean = ProcessMean.Of([.. one.Ratios.Select(ratio => 1 / ratio)], result.Settings.Alpha / looks);
                var p = mean.Value >= one.Target.Times ? reached[i] : missed[i];
                return new TargetJudgement(one.Target, mean.Value, mean.Low, mean.High, p, p <= result.Settings.Alpha, one.Ratios.Count);
            }),
        ];
    }

    /// <summary>Returns whether one of the two answers is certain for any result of the other targets.</summary>
    /// <param name="ratios">The times of the fast cell divided by those of the slow one, for each process.</param>
    /// <param name="targets">The number of targets of the table. Bonferroni's factor is used, which is the largest of Holm's.</param>
    public static bool IsCertain(IReadOnlyList<double> ratios, Target target, DuetSettings settings, int targets) =>
        targets * Math.Min(POf(ratios, target, reached: true, settings.Looks),
            POf(ratios, target, reached: false, settings.Looks)) <= settings.Alpha;

    public static SavedTable Table(IReadOnlyList<TargetJudgement> all) => new(
        [], ["Pair", "Times faster", "Interval", "Target", "Reached", "p", "Processes"],
        [.. all.Select(one => (string[])
        [
            $"{one.Target.Fast} against {one.Target.Slow}", $"{one.Times:0.00}", $"{one.Low:0.00} to {one.High:0.00}",
            $"{one.Target.Times:0.0#}", one.Answer, DuetFigures.P(one.P).TrimStart('='), $"{one.Processes}",
        ])]);

    public static bool Is(string cell, string name) => cell.EndsWith("." + name, StringComparison.Ordinal);

    static double POf(IReadOnlyList<double> ratios, Target target, bool reached, double looks)
    {
        var p = reached
            ? ProcessMean.PAbove([.. ratios.Select(ratio => 1 / ratio)], target.Times) : ProcessMean.PAbove([.. ratios], 1 / target.Times);
        return Math.Min(1, claims * looks * p);
    }
}
