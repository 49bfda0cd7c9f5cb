using System.CommandLine;
using ProtoBench.Results;

namespace ProtoBench.Verbs;

/// <summary>The verb <c>targets</c>: does this project still hold the ratios of results/targets.txt?</summary>
static class TargetsVerb
{
    public static Command Create()
    {
        var files = new Argument<string[]>("launches") { Arity = ArgumentArity.OneOrMore, Description = "result files of launches, or folders of them, as repeat leaves them" };
        var list = new Option<string>("--list") { Description = "the targets", DefaultValueFactory = _ => "results/targets.txt" };
        var save = new Option<string?>("--out") { Description = "write the table to this file too" };
        var command = new Command("targets", "Hold launches against a list of ratios: slow cell / fast cell >= times") { files, list, save };
        command.SetAction(parsed => Guarded.Run(parsed, (output, error) =>
        {
            var path = Path.Combine(Checkout.Root ?? ".", parsed.GetRequiredValue(list));
            if (!File.Exists(path))
                throw new UsageException($"{path}: no such list of targets");
            var launches = Side.Read([.. parsed.GetRequiredValue(files).Select(file => "launches=" + file)], warning => error.WriteLine("warning: " + warning)).SelectMany(side => side.Files).ToList();
            var judged = Targets.Judge(Target.ParseAll(File.ReadAllText(path), path), launches);
            if (judged.Count == 0)
                throw new UsageException("no target's two cells are in these files");
            output.Write(Targets.ToMarkdown(judged));
            if (parsed.GetValue(save) is { } to)
                File.WriteAllText(to, Targets.ToMarkdown(judged));
            return judged.All(one => one.Reached) ? ExitCode.Done : ExitCode.Failed;
        }));
        return command;
    }
}
