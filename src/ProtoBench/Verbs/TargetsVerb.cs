using System.CommandLine;
using System.IO.Enumeration;
using ProtoBench.Duet;
using ProtoBench.Results;

namespace ProtoBench.Verbs;

/// <summary>The verb <c>targets</c>: checks results against the ratios of results/targets.txt.</summary>
static class TargetsVerb
{
    public static Command Create()
    {
        var files = new Argument<string[]>("launches")
        {
            Arity = ArgumentArity.ZeroOrMore,
            Description = "result files of launches, or folders of them, as repeat leaves them"
        };
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
