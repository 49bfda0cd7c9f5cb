using System.CommandLine;
using System.Globalization;
using ProtoBench.Results;

namespace ProtoBench.Verbs;

/// <summary>Represents the verb <c>repeat</c>, which runs several launches, each with a result file, for <c>compare</c>.</summary>
public static class RepeatVerb
{
    /// <summary>Creates the verb with its options.</summary>
    public static Command Create()
    {
        var options = new LaunchOptions("how many launches; 5 a side can show a difference, 6 also have an interval of the median", least: 1,
            "the folder for the files; launch-01.json and so on");
        var command =
            new Command("repeat", "Run the benchmarks N times, each time in a new process and in alternated order, and keep N result files");
        options.AddTo(command);
        command.SetAction((parsed, stop) => Guarded.RunAsync(parsed, async (output, error) =>
        {
            var (series, total) = options.Prepare(parsed);
            for (var number = 1; number <= total; number++)
                await output.WriteLineAsync(
                    await series.RunAsync(number, total, "launch-" + number.ToString("D2", CultureInfo.InvariantCulture), error, stop));
            return LaunchOptions.Ended(series, error);
        }));
        return command;
    }
}

/// <summary>Represents the verb <c>noise</c>, which compares a program with itself.</summary>
public static class NoiseVerb
{
    /// <summary>Creates the verb with its options.</summary>
    public static Command Create()
    {
        var options = new LaunchOptions("how many launches a side", least: 2, "the folder for the files; a-01.json, b-02.json and so on");
        var command =
            new Command("noise",
                "Compare the program with itself, 2 N launches in ABBA order: the noise floor, false positives, and a threshold for compare");
        options.AddTo(command);
        command.SetAction((parsed, stop) => Guarded.RunAsync(parsed, async (output, error) =>
        {
            var (series, launches) = options.Prepare(parsed);
            var total = 2 * launches;
            var files = new List<string>();
            for (var number = 1; number <= total; number++)
                files.Add(await series.RunAsync(number, total, $"{Side(number)}-{number:D2}", error, stop));
            var sides = files.GroupBy(file => Path.GetFileName(file)[..1])
                .Select(side => new Side(side.Key, [.. side.Select(ResultFile.Read)])).ToArray();
            var comparison = Comparer.Compare(sides, new ComparisonOptions());
            TextTable.Write(comparison, output);
            await output.WriteLineAsync();
            NoiseReport.Of(comparison).Write(output);
            return LaunchOptions.Ended(series, error);
        }));
        return command;
    }

    // A B B A A B B A: a steady drift adds the same to both sides, and each side has as many launches in declared as in reversed order.
    static string Side(int number) => number % 4 is 1 or 0 ? "a" : "b";
}

/// <summary>Represents the options of the verbs that start launches.</summary>
sealed class LaunchOptions(string launchesHelp, int least, string folderHelp)
{
    readonly Argument<int> launches = new("launches")
    {
        Description = launchesHelp,
        CustomParser = result => OptionValue.Whole(result, "launches", least),
    };

    readonly Option<string[]> filter =
        new("--filter") { Required = true, AllowMultipleArgumentsPerToken = true, Description = "BenchmarkDotNet's filter of the cells" };

    readonly Option<string> folder = new("--out") { Required = true, Description = folderHelp };

    readonly Option<bool> resume =
        new("--resume") { Description = "go on with the launches that --out has, after a run that was stopped or failed" };

    readonly Argument<string[]> rest =
        new("arguments") { Arity = ArgumentArity.ZeroOrMore, Description = "after --: more arguments for BenchmarkDotNet" };

    public void AddTo(Command command)
    {
        command.Add(launches);
        command.Add(filter);
        command.Add(folder);
        command.Add(resume);
        command.Add(rest);
    }

    public (Launches Series, int Count) Prepare(ParseResult parsed)
    {
        var series = new Launches(parsed.GetRequiredValue(folder), parsed.GetRequiredValue(filter), parsed.GetValue(rest) ?? []);
        series.Prepare(parsed.GetValue(resume));
        return (series, parsed.GetValue(launches));
    }

    /// <summary>Prints the cells that failed, and returns the exit code.</summary>
    public static int Ended(Launches series, TextWriter error)
    {
        foreach (var failed in series.FailedCells)
            error.WriteLine(failed);
        return series.FailedCells.Count > 0 ? ExitCode.Failed : ExitCode.Done;
    }
}
