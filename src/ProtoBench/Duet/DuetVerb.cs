using System.CommandLine;
using System.Globalization;
using ProtoBench.Results;
using ProtoBench.Saving;
using ProtoBench.Verbs;

namespace ProtoBench.Duet;

/// <summary>Represents the verb <c>duet</c>, which compares two cells, or a cell of two builds, in alternating slices, so that noise of the
/// machine affects both in the same way.</summary>
static class DuetVerb
{
    /// <summary>Creates the verb with its options.</summary>
    public static Command Create()
    {
        var options = new DuetOptions();
        var command =
            new Command("duet",
                "Compare two cells, or two builds, by slices of milliseconds in turns: a change of a few percent in seconds, on a "
                    + "noisy machine");
        options.AddTo(command);
        command.SetAction((parsed, stop) => Guarded.RunAsync(parsed, async (output, error) =>
        {
            var (asked, name) = (options.Read(parsed), options.Save(parsed));
            if (asked.Out is { } path)
                ResultPath.Check(path);
            if (!string.Equals(BuildFacts.Configuration, "Release", StringComparison.Ordinal))
                throw new UsageException("duet: this is a Debug build; build with -c Release");
            var @new = Build.Current;
            var old = asked.Base is { } @base ? await BaseBuild.MakeAsync(@base, error, stop) : @new;
            var run = new DuetRun(old, @new, asked, error);
            var result = await run.RunAsync(run.Choose, stop);
            if (asked.Out is { } file)
                DuetResultFile.Write(file, result);
            DuetTable.Formats[asked.Format](result, output);
            if (name is not null && !result.Partial)
            {
                using var table = new StringWriter(CultureInfo.InvariantCulture);
                DuetTable.Formats["md"](result, table);
                await error.WriteLineAsync($"Saved: {SavedDuet.Write(name, result, table.ToString())}");
            }

            if (asked.Settings.Same)
                await (DuetTable.IsForPrograms(asked.Format) ? error : output).WriteLineAsync("\n" + SameReport.Of(result));
            if (result.Partial)
                throw new OperationCanceledException(stop);
            return ExitCodeOf(result, asked.FailOn);
        }));
        return command;
    }

    /// <summary>Returns 1 if a pair failed or the guard finds a forbidden change, and 0 otherwise.</summary>
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

/// <summary>Represents the request of a <c>duet</c>.</summary>
/// <param name="Filters">The patterns of the cells.</param>
/// <param name="Against">The pattern of the cell to compare them with; null if another option sets the pairs.</param>
/// <param name="Pairs">Pairs of texts in the names.</param>
/// <param name="Base">The other build.</param>
/// <param name="Settings">The settings of the measurement.</param>
/// <param name="PairsPerProcess">The number of pairs that share a process.</param>
/// <param name="FailOn">The changes on which the exit code is not 0.</param>
/// <param name="Format">The form of the output.</param>
/// <param name="Out">The result file.</param>
/// <param name="Limit">The time after which no more processes are started.</param>
/// <param name="Rule">The rule that decides when a pair has enough processes; null for the rule of the settings.</param>
/// <param name="Lanes">The number of concurrent processes.</param>
sealed record DuetRequest(
    IReadOnlyList<string> Filters, string? Against, IReadOnlyList<string> Pairs, string? Base, DuetSettings Settings, int PairsPerProcess,
        string? FailOn, string Format, string? Out, TimeSpan? Limit = null, StoppingRule? Rule = null, int Lanes = 1);

/// <summary>Represents the options of <c>duet</c>.</summary>
sealed class DuetOptions
{
    readonly Option<string[]> filter =
        new("--filter")
        {
            Required = true,
            AllowMultipleArgumentsPerToken = true,
            Description = "the cells, as in a benchmark run: names with * and ?"
        };
    readonly Option<string?> against =
        new("--against") { Description = "compare them with this cell, or with the one of these that has the same parameters" };
    readonly Option<string[]> pair =
        new("--pair")
        {
            Description = "Google=Slab compares each cell named with Google with the one named with Slab",
            AllowMultipleArgumentsPerToken = true,
        };
    readonly Option<string?> @base =
        new("--base")
        {
            Description =
            "compare them with another build: a commit, a folder, or a package version as GoogleProtobufVersion=3.21.9"
        };
    readonly Option<bool> same =
        new("--same") { Description = "compare each cell with itself: how often is a difference claimed where there is none?" };
    readonly Option<bool> twoProcesses = new("--two-processes") { Description = "give each side a process of its own, as --base does" };
    readonly Option<int> processes =
        new("--processes")
        {
            Description = "processes for each pair, each one sample",
            DefaultValueFactory = _ => 10,
            CustomParser = result => OptionValue.Whole(result, "--processes", 1, 1000)
        };
    readonly Option<int> pairsPerProcess =
        new("--pairs-per-process")
        {
            Description =
            "pairs of the same two methods, with other parameters, that share a process and its warm-up",
            DefaultValueFactory = _ => 1,
            CustomParser = result => OptionValue.Whole(result, "--pairs-per-process", 1, 1000)
        };
    readonly Option<double?> time =
        new("--time")
        {
            Description = "the time to measure a pair in one process, such as 500ms [default: 0.5s]",
            CustomParser = result => OptionValue.Read(result, "--time", "a duration such as 0.5s or 500ms", Seconds)
        };
    readonly Option<double?> slice =
        new("--slice")
        {
            Description = "the length of a slice; without it 1ms, 2ms between two processes, and 5ms where a cell allocates",
            CustomParser = result => OptionValue.Read(result, "--slice", "a duration such as 1ms", Seconds) * 1e3
        };
    readonly Option<double?> until =
        new("--until")
        {
            Description = "stop a pair when its interval is within this of the ratio: 1%",
            CustomParser = result => OptionValue.Read(result, "--until", "a percentage such as 1%", Percent)
        };
    readonly Option<double> threshold =
        new("--threshold")
        {
            Description = "claim only what is surely larger than this: 5%",
            CustomParser = result => OptionValue.Read(result, "--threshold", "a percentage such as 5%", Percent)
        };
    readonly Option<string?> failOn = new("--fail-on") { Description = "exit code 1: worse (a pair is worse) or any (better too)" };
    readonly Option<string> format = new("--format") { Description = "the form of the answer", DefaultValueFactory = _ => "text" };
    readonly Option<string?> @out = new("--out") { Description = "keep the result in this file, for compare and report" };
    readonly Option<string?> save =
        new("--save")
        {
            Description = "keep the table as results/<cpu>/NAME.md, and its figures in NAME.json",
            HelpName = "NAME",
        };
    readonly Option<int> seed =
        new("--seed")
        {
            Description = "seed of the random order",
            DefaultValueFactory = _ => Environment.TickCount & int.MaxValue,
            CustomParser = result => OptionValue.Whole(result, "--seed", 0)
        };

    public void AddTo(Command command)
    {
        failOn.AcceptOnlyFromAmong("worse", "any");
        format.AcceptOnlyFromAmong([.. DuetTable.Formats.Keys]);
        foreach (var option in new Option[] { filter, against, pair, @base, same, twoProcesses, processes, pairsPerProcess, time, slice,
            until, threshold, failOn, format, @out, save, seed })
            command.Options.Add(option);
    }

    /// <summary>Returns the name under which the result is saved; null for none.</summary>
    /// <exception cref="UsageException">Thrown when it is not a file name.</exception>
    public string? Save(ParseResult parsed) =>
        parsed.GetValue(save) is { } name && name.AsSpan().ContainsAny(Path.GetInvalidFileNameChars())
            ? throw new UsageException($"--save: '{name}' is not a file name") : parsed.GetValue(save);

    /// <exception cref="UsageException">Thrown when the options contradict each other.</exception>
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
        var defaults = Defaults(parsed.GetValue(@base) is not null || parsed.GetValue(twoProcesses), parsed.GetValue(processes));
        return new(
            parsed.GetRequiredValue(filter),
            parsed.GetValue(against),
            pairs,
            parsed.GetValue(@base),
            defaults with
            {
                SecondsPerProcess = parsed.GetValue(time) ?? defaults.SecondsPerProcess,
                SliceMilliseconds = parsed.GetValue(slice) ?? defaults.SliceMilliseconds,
                AllocatingSliceMilliseconds = parsed.GetValue(slice) ?? defaults.AllocatingSliceMilliseconds,
                Until = parsed.GetValue(until),
                Looks = parsed.GetValue(until) is null ? 1 : Looks.Of(parsed.GetValue(processes)).Count,
                Threshold = parsed.GetValue(threshold),
                Same = parsed.GetValue(same),
                Seed = parsed.GetValue(seed),
            },
            parsed.GetValue(pairsPerProcess),
            parsed.GetValue(failOn),
            parsed.GetRequiredValue(format),
            parsed.GetValue(@out));
    }

    /// <summary>Returns the settings of this command line without options.</summary>
    /// <param name="isTwoProcesses">Whether each side has a process of its own.</param>
    /// <param name="processes">The number of processes, or pairs of processes, for each pair of cells.</param>
    public static DuetSettings Defaults(bool isTwoProcesses, int processes) => new()
    {
        CommandLine = string.Join(' ', Environment.GetCommandLineArgs().Skip(1).Select(RunFacts.Quoted)),
        Form = isTwoProcesses ? "twoProcesses" : "oneProcess",
        Processes = processes,
        SecondsPerProcess = 0.5,
        // so that passing the turn, which takes 6 to 8 μs, is less than 1 % of a slice
        SliceMilliseconds = isTwoProcesses ? 2 : 1,
        AllocatingSliceMilliseconds = 5,
        Alpha = 0.05,
        Seed = Environment.TickCount & int.MaxValue,
    };

    static double? Percent(string text) => Positive(OptionValue.Percent(text));

    static double? Seconds(string text) =>
        text.EndsWith("ms", StringComparison.Ordinal) ? Positive(OptionValue.Number(text[..^2])) / 1e3
        : text.EndsWith('s') ? Positive(OptionValue.Number(text[..^1])) : null;

    static double? Positive(double? number) => number > 0 ? number : null;
}

/// <summary>Checks the path of the result file.</summary>
static class ResultPath
{
    /// <summary>Checks before the measurement that the file can be written.</summary>
    /// <exception cref="UsageException">Thrown when it cannot.</exception>
    public static void Check(string path)
    {
        try
        {
            if (Directory.Exists(path))
                throw new UsageException($"--out: {path} is a folder");
            if (Path.GetDirectoryName(Path.GetFullPath(path)) is { } folder)
                Directory.CreateDirectory(folder);
            var existed = File.Exists(path);
            using (File.Open(path, FileMode.OpenOrCreate, FileAccess.Write))
            {
            }

            if (!existed)
                File.Delete(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new UsageException($"--out: cannot write {path}: {e.Message}", e);
        }
    }
}
