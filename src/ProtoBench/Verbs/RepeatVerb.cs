using System.CommandLine;
using System.Globalization;

namespace ProtoBench.Verbs;

/// <summary>The verb <c>repeat</c>: several launches, each a result file, for <c>compare</c>.</summary>
public static class RepeatVerb
{
    /// <summary>The verb with its options.</summary>
    public static Command Create()
    {
        var launches =
            Count("launches", "how many launches; 5 a side can show a difference, 6 also have an interval of the median", least: 1);
        var filter = Filter();
        var folder = Out("the folder for the files; launch-01.json and so on");
        var resume = Resume();
        var arguments = Rest();
        var command =
            new Command("repeat", "Run the benchmarks N times, each time in a new process and in alternated order, and keep N result files")
        {
            launches, filter, folder, resume, arguments,
        };
        command.SetAction((parsed, stop) => Guarded.RunAsync(parsed, async (output, error) =>
        {
            var total = parsed.GetValue(launches);
            var series = new Launches(parsed.GetRequiredValue(folder), parsed.GetRequiredValue(filter), parsed.GetValue(arguments) ?? []);
            series.Prepare(parsed.GetValue(resume));
            for (var number = 1; number <= total; number++)
                await output.WriteLineAsync(
                    await series.RunAsync(number, total, "launch-" + number.ToString("D2", CultureInfo.InvariantCulture), error, stop));
            return Ended(series, error);
        }));
        return command;
    }

    /// <summary>Says which cells failed, and turns that into the exit code.</summary>
    internal static int Ended(Launches series, TextWriter error)
    {
        foreach (var failed in series.FailedCells)
            error.WriteLine(failed);
        return series.FailedCells.Count > 0 ? ExitCode.Failed : ExitCode.Done;
    }

    internal static Argument<int> Count(string name, string description, int least) => new(name)
    {
        Description = description,
        CustomParser = result =>
        {
            var text = result.Tokens.Single().Value;
            if (!int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var count) || count < least)
                result.AddError($"{name}: '{text}' is not a number of at least {least}");
            return count;
        },
    };

    internal static Option<string[]> Filter() =>
        new("--filter") { Required = true, AllowMultipleArgumentsPerToken = true, Description = "BenchmarkDotNet's filter of the cells" };

    internal static Option<string> Out(string description) => new("--out") { Required = true, Description = description };

    internal static Option<bool> Resume() =>
        new("--resume") { Description = "go on with the launches that --out has, after a run that was stopped or failed" };

    internal static Argument<string[]> Rest() =>
        new("arguments") { Arity = ArgumentArity.ZeroOrMore, Description = "after --: more arguments for BenchmarkDotNet" };
}
