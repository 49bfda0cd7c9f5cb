using System.CommandLine;
using System.Globalization;
using ProtoBench.DuetRunner;
using ProtoBench.Results;
using ProtoBench.Saving;
using ProtoBench.Verbs;

namespace ProtoBench.Duet;

/// <summary><c>targets --measure</c>: measures every pair of the list by duet, in one run, and says which targets hold, and how surely.</summary>
sealed class MeasuredTargets
{
    // A process takes about a second for a pair, most of it to start and to warm up. What does not fit into the limit is left, so a busy machine measures fewer processes.
    const int processes = 8;
    const double seconds = 0.1;
    static readonly TimeSpan limit = TimeSpan.FromSeconds(290);

    readonly Option<bool> measure = new("--measure") { Description = "measure the pairs of the list now, by duet, instead of reading launches" };
    readonly Option<bool> save = new("--save") { Description = "with --measure: keep the table as results/<cpu>/Duet.md" };
    readonly Option<string[]> only = new("--filter") { Description = "with --measure: only targets whose fast cell this takes, names with * and ?", DefaultValueFactory = _ => ["*"] };

    public void AddTo(Command command)
    {
        foreach (var option in new Option[] { measure, save, only })
            command.Options.Add(option);
    }

    public bool IsAsked(ParseResult parsed) => parsed.GetValue(measure);

    /// <summary>Measures and prints. 0: every target holds, or may hold. 1: one is surely missed, or could not be measured.</summary>
    /// <exception cref="UsageException">No target is meant.</exception>
    public async Task<int> RunAsync(ParseResult parsed, IReadOnlyList<Target> targets, string? file, TextWriter output, TextWriter error, CancellationToken stop)
    {
        if (!string.Equals(BuildFacts.Configuration, "Release", StringComparison.Ordinal))
            throw new UsageException("targets: this is a Debug build; build with -c Release");
        if (file is not null)
            ResultPath.Check(file);
        var filters = parsed.GetRequiredValue(only);
        var request = new DuetRequest(
            filters,
            null,
            [],
            null,
            new()
            {
                CommandLine = string.Join(' ', Environment.GetCommandLineArgs().Skip(1).Select(RunFacts.Quoted)),
                Form = "oneProcess",
                Processes = processes,
                SecondsPerProcess = seconds,
                SliceMilliseconds = 1,
                AllocatingSliceMilliseconds = 5,
                Alpha = 0.05,
                Seed = Environment.TickCount & int.MaxValue,
            },
            PairsPerProcess: 1, // cells that share a process share compiled code too, and its profile is that of whoever came first
            null,
            "md",
            null,
            limit);
        var missing = new List<string>();
        var started = DateTimeOffset.Now;
        var run = new DuetRun(Build.Current, Build.Current, request, error);
        var result = await run.RunAsync((_, cells) => Pairs(targets, cells, filters, missing), stop);
        var judged = TargetJudgement.Of(result, targets);
        var table = TargetJudgement.ToMarkdown(judged) + string.Concat(missing.Concat(result.Failed.Select(failed => $"{Short(failed.New)} against {Short(failed.Old)}: {failed.Reason}")).Select(line => $"\nNot measured: {line}\n"));
        await output.WriteAsync(table);
        await error.WriteLineAsync(string.Create(CultureInfo.InvariantCulture, $"{judged.Count} targets in {(DateTimeOffset.Now - started).TotalSeconds:F0} s"));
        if (file is not null)
            await File.WriteAllTextAsync(file, table, stop);
        if (parsed.GetValue(save))
            await output.WriteLineAsync($"Saved: {Save(result, table)}");
        if (result.Partial)
            throw new OperationCanceledException(stop);
        return missing.Count + result.Failed.Count > 0 || judged.Any(one => one.Answer == TargetAnswer.Missed) ? ExitCode.Failed : ExitCode.Done;
    }

    static CellPair[] Pairs(IReadOnlyList<Target> targets, IReadOnlyList<RunnerCell> cells, string[] filters, List<string> missing)
    {
        var pairs = new List<CellPair>();
        foreach (var target in targets)
        {
            var (slow, fast) = (Find(target.Slow), Find(target.Fast));
            if (slow is null || fast is null)
                missing.Add($"{target.Fast} against {target.Slow}: this build has no cell {(slow is null ? target.Slow : target.Fast)}");
            else if (CellGlob.Choose([fast], filters).Length > 0)
                pairs.Add(new(slow, fast));
        }

        return pairs.Count > 0 ? [.. pairs.Distinct()] : throw new UsageException($"--filter {string.Join(' ', filters)} takes no target");

        RunnerCell? Find(string name) => cells.FirstOrDefault(cell => cell.Name.EndsWith("." + name, StringComparison.Ordinal));
    }

    static string Save(DuetResult result, string table)
    {
        var folder = Path.Combine("results", SavedTable.FolderOf(result.Environment.Process.Cpu));
        var root = Checkout.Root ?? Directory.GetCurrentDirectory();
        Directory.CreateDirectory(Path.Combine(root, folder));
        var path = Path.Combine(folder, "Duet.md");
        var environment = result.Environment;
        var head = string.Create(CultureInfo.InvariantCulture, $"Measured by `targets --measure`, {result.Duets.Max(pair => pair.Processes.Count)} processes of {seconds} s for each pair; {environment.Process.Cpu}, {environment.Process.Cores} cores, {environment.Process.Runtime}, commit {environment.Commit ?? "unknown"}{(environment.Clean == false ? " with other changes" : "")}.\n\n");
        File.WriteAllText(Path.Combine(root, path), head + table);
        return path;
    }

    static string Short(string cell) => cell[(cell.Split('(')[0].LastIndexOf('.') + 1)..];
}
