using System.CommandLine;

namespace ProtoBench.Harness.Duet;

static class DuetVerb
{
    public static Command Create(MeasuredProgram program)
    {
        var options = new DuetOptions(canSave: program.Save is not null);
        var command = options.CreateCommand();
        command.SetAction(async (parsed, stop) =>
        {
            var (output, error) = (parsed.InvocationConfiguration.Output, parsed.InvocationConfiguration.Error);
            var (asked, name) = (options.Read(parsed), options.Save(parsed));
            if (asked.Out is { } path)
                ResultPath.Check(path);
            if (name is not null)
                program.CheckSave!();
            program.RequireRelease("duet");
            var @new = program.Current;
            var old = asked.Base is { } @base ? await new BaseBuild(program, error).MakeAsync(@base, stop) : @new;
            var run = new DuetRun(old, @new, asked, error) { FactsOf = program.FactsOf };
            var result = await run.RunAsync(run.Choose, stop);
            result.RequireAny();
            DuetTable.Formats[asked.Format](result, output);
            var sentences = DuetTable.IsForPrograms(asked.Format) ? error : output;
            if (asked.Settings.Same)
                await sentences.WriteLineAsync("\n" + SameReport.Of(result));
            MachineLoad.Write(sentences, result);
            if (asked.Out is { } file)
                DuetResultFile.Write(file, result);
            if (name is not null && !result.Partial)
                await error.WriteLineAsync($"Saved: {program.Save!(name, result, DuetTable.Of(result))}");
            if (result.Partial)
                throw new StoppedException(measured: true, asked.Out);
            return ExitCodeOf(result, asked.FailOn);
        });
        return command;
    }

    /// <summary>1 if a pair failed or the guard finds a forbidden change, and 0 otherwise.</summary>
    internal static int ExitCodeOf(DuetResult result, string? failOn)
    {
        var verdicts = DuetVerdict.Of(result, result.Settings.Threshold);
        var found = failOn switch
        {
            "worse" => verdicts.Contains(Verdict.Worse),
            "any" => verdicts.Any(verdict => verdict is Verdict.Worse or Verdict.Better),
            _ => false,
        };
        return found || result.Failed.Count > 0 ? ExitCode.Failed : ExitCode.Done;
    }
}

/// <param name="Against">The pattern of the cell to compare them with; null if another option sets the pairs.</param>
/// <param name="PairsPerProcess">Pairs of the same two methods, one after the other in random order. They share the start and the
/// warm-up.</param>
/// <param name="Limit">No process starts after it, once each pair has three. It ignores ratios, so claims are no more likely.</param>
/// <param name="Rule">The rule that decides when a pair has enough processes; null for the rule of the settings.</param>
/// <param name="IsBrief">Whether the progress is how many processes have ended, without figures.</param>
sealed record DuetRequest(
    DuetSettings Settings, string? Against = null, string? Base = null, int PairsPerProcess = 1, string? FailOn = null,
    string Format = "text", string? Out = null, TimeSpan? Limit = null, StoppingRule? Rule = null, bool IsBrief = false)
{
    public IReadOnlyList<string> Filters { get; init; } = [];

    public IReadOnlyList<string> Pairs { get; init; } = [];
}

sealed class DuetOptions(bool canSave)
{
    readonly Option<string[]> filter = Arguments.Many(
        "--filter", "the cells, as in a benchmark run: names with * and ?", required: true);

    readonly Option<string?> against = Arguments.Option<string?>(
        "--against", "compare them with this cell, or with the one of these that has the same parameters");

    readonly Option<string[]> pair = Arguments.Many(
        "--pair", "Google=Slab compares each cell named with Google with the one named with Slab");

    readonly Option<string?> @base = Arguments.Option<string?>(
        "--base", "compare them with another build: a commit, a folder, or a package version as GoogleProtobufVersion=3.21.9");

    readonly Option<bool> same = Arguments.Option<bool>(
        "--same", "compare each cell with itself: how often is a difference claimed where there is none?");

    readonly Option<int> processes = Arguments.Option(
        "--processes", "processes for each pair, each one sample; an interval of use needs 3", Arguments.Between(1, 1000), 10);

    readonly Option<int> pairsPerProcess = Arguments.Option("--pairs-per-process",
        "pairs of the same two methods, with other parameters, that share a process and its warm-up", Arguments.Between(1, 1000), 1);

    readonly Option<double?> time = Arguments.Option(
        "--time", "the time to measure a pair in one process, such as 500ms [default: 0.5s]", Arguments.Seconds);

    readonly Option<double?> until = Arguments.Option<double?>(
        "--until", "stop a pair when its interval is within this of the ratio: 1%", result => Arguments.PositivePercent(result));

    readonly Option<double> threshold = Arguments.Option(
        "--threshold", "claim only what is surely larger than this: 5%", Arguments.PositivePercent);

    readonly Option<string?> failOn = Arguments.Option<string?>("--fail-on", "exit code 1: worse (a pair is worse) or any (better too)");

    readonly Option<string> format = Arguments.Option("--format", "the form of the answer", byDefault: "text");

    readonly Option<string?> @out = Arguments.Option<string?>("--out", "keep the result in this file, for compare and report");

    readonly Option<string?> save =
        new("--save")
        {
            Description = "keep the table and its figures as results/<cpu>/NAME.json",
            HelpName = "NAME",
        };

    readonly Option<int?> seed = Arguments.Option<int?>(
        "--seed", "seed of the order; another one for each run without it", result => Arguments.AtLeast0(result));

    public Command CreateCommand()
    {
        failOn.AcceptOnlyFromAmong("worse", "any");
        format.AcceptOnlyFromAmong([.. DuetTable.Formats.Keys]);
        var command = new Command("duet",
            "Compare two cells, or two builds (--base), by alternating slices of milliseconds: a change of a few percent in seconds, on a "
                + "noisy machine")
        {
            filter, against, pair, @base, same, processes, pairsPerProcess, time, until, threshold, failOn, format,
            @out, seed,
        };
        if (canSave)
            command.Options.Add(save);
        return command;
    }

    public string? Save(ParseResult parsed) =>
        canSave && parsed.GetValue(save) is { } name
            ? name.AsSpan().ContainsAny(Path.GetInvalidFileNameChars())
                ? throw new UsageException($"--save: '{name}' is not a file name") : name
            : null;

    public DuetRequest Read(ParseResult parsed)
    {
        var pairs = parsed.GetValue(pair) ?? [];
        var said = new[] { (parsed.GetValue(against) is not null, "--against"), (pairs.Length > 0, "--pair"),
            (parsed.GetValue(@base) is not null, "--base"), (parsed.GetValue(same), "--same") }.Where(one => one.Item1)
                .Select(one => one.Item2).ToArray();
        if (said.Length != 1)
            throw new UsageException(said.Length == 0
                ? "duet: compared with what? --against, --pair, --base or --same"
                : $"duet: {string.Join(" and ", said)} say two different things");
        if (parsed.GetValue(until) is not null && parsed.GetValue(processes) < 3)
            throw new UsageException("--until: an interval needs --processes of at least 3");
        if (parsed.GetValue(failOn) is not null && parsed.GetValue(processes) < 3)
            throw new UsageException("--fail-on: a verdict needs --processes of at least 3");
        var defaults = Defaults(parsed.GetValue(@base) is not null, parsed.GetValue(processes));
        var settings = defaults with
        {
            SecondsPerProcess = parsed.GetValue(time) ?? defaults.SecondsPerProcess,
            Until = parsed.GetValue(until),
            Looks = parsed.GetValue(until) is null ? 1 : Looks.Of(parsed.GetValue(processes)).Count,
            Threshold = parsed.GetValue(threshold),
            Same = parsed.GetValue(same),
            Seed = parsed.GetValue(seed) ?? defaults.Seed,
        };
        return new(settings, parsed.GetValue(against), parsed.GetValue(@base), parsed.GetValue(pairsPerProcess), parsed.GetValue(failOn),
            parsed.GetRequiredValue(format), parsed.GetValue(@out))
        {
            Filters = parsed.GetRequiredValue(filter),
            Pairs = pairs,
        };
    }

    public static DuetSettings Defaults(bool isTwoProcesses, int processes) => new()
    {
        CommandLine = Arguments.ThisCommandLine,
        Form = isTwoProcesses ? "twoProcesses" : "oneProcess",
        Processes = processes,
        SecondsPerProcess = 0.5,
        // so that passing the turn, which takes 6 to 8 μs, is less than 1 % of a slice
        SliceMilliseconds = isTwoProcesses ? 2 : 1,
        AllocatingSliceMilliseconds = 5,
        Alpha = 0.05,
        Seed = Environment.TickCount & int.MaxValue,
    };
}
