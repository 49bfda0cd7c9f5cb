using System.CommandLine;
using ProtoBench.Duet;
using ProtoBench.Results;

namespace ProtoBench.Verbs;

/// <summary>The verb <c>targets</c>: does this project still hold the ratios of results/targets.txt?</summary>
static class TargetsVerb
{
    public static Command Create()
    {
        var files = new Argument<string[]>("launches") { Arity = ArgumentArity.ZeroOrMore, Description = "result files of launches, or folders of them, as repeat leaves them" };
        var list = new Option<string>("--list") { Description = "the targets", DefaultValueFactory = _ => "results/targets.txt" };
        var save = new Option<string?>("--out") { Description = "write the table to this file too" };
        var command = new Command("targets", "Hold launches against a list of ratios: slow cell / fast cell >= times") { files, list, save };
        var measuring = new MeasuredTargets();
        measuring.AddTo(command);
        command.SetAction((parsed, stop) => Guarded.RunAsync(parsed, async (output, error) =>
        {
            var path = Path.Combine(Checkout.Root ?? ".", parsed.GetRequiredValue(list));
            if (!File.Exists(path))
                throw new UsageException($"{path}: no such list of targets");
            var targets = Target.ParseAll(await File.ReadAllTextAsync(path, stop), path);
            if (measuring.IsAsked(parsed))
                return await measuring.RunAsync(parsed, targets, parsed.GetValue(save), output, error, stop);
            if (parsed.GetRequiredValue(files).Length == 0)
                throw new UsageException("targets: which launches? Name their files, or measure now with --measure");
            var launches = Side.Read([.. parsed.GetRequiredValue(files).Select(file => "launches=" + file)], warning => error.WriteLine("warning: " + warning)).SelectMany(side => side.Files).ToList();
            var judged = Targets.Judge(targets, launches);
            if (judged.Count == 0)
                throw new UsageException("no target's two cells are in these files");
            await output.WriteAsync(Targets.ToMarkdown(judged));
            if (parsed.GetValue(save) is { } to)
                await File.WriteAllTextAsync(to, Targets.ToMarkdown(judged), stop);
            return judged.All(one => one.Reached) ? ExitCode.Done : ExitCode.Failed;
        }));
        return command;
    }
}
