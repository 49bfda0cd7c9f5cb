using System.CommandLine;
using ProtoBench.Results;
using ProtoBench.Verbs;

namespace ProtoBench.Duet;

/// <summary>The verb <c>duet</c>: two cells, or a cell of two builds, slice
/// by slice in turns, so that a noisy machine slows both alike.</summary>
static class DuetVerb
{
    /// <summary>The verb with its options.</summary>
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
            var asked = options.Read(parsed);
            if (asked.Out is { } path)
                ResultPath.Check(path);
            if (!string.Equals(BuildFacts.Configuration, "Release", StringComparison.Ordinal))
                throw new UsageException("duet: this is a Debug build; build with -c Release");
            var @new = Build.Current;
            var old = asked.Base is { } name ? await BaseBuild.MakeAsync(name, error, stop) : @new;
            var run = new DuetRun(old, @new, asked, error);
            var result = await run.RunAsync(run.Choose, stop);
            if (asked.Out is { } file)
                DuetResultFile.Write(file, result);
            DuetTable.Formats[asked.Format](result, output);
            if (asked.Settings.Same)
                await (DuetTable.IsForPrograms(asked.Format) ? error : output).WriteLineAsync("\n" + SameReport.Of(result));
            if (result.Partial)
                throw new OperationCanceledException(stop);
            return ExitCodeOf(result, asked.FailOn);
        }));
        return command;
    }

    /// <summary>1 where a pair failed, or where the guard finds what it was asked to find.</summary>
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
