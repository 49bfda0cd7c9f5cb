using System.CommandLine;
using ProtoBench.Results;

namespace ProtoBench.Verbs;

/// <summary>The verb <c>noise</c>: a program compared with itself.</summary>
public static class NoiseVerb
{
    /// <summary>The verb with its options.</summary>
    public static Command Create()
    {
        var launches = RepeatVerb.Count("launches", "how many launches a side", least: 2);
        var filter = RepeatVerb.Filter();
        var folder = RepeatVerb.Out("the folder for the files; a-01.json, b-02.json and so on");
        var resume = RepeatVerb.Resume();
        var arguments = RepeatVerb.Rest();
        var command =
            new Command("noise",
                "Compare the program with itself, 2 N launches in ABBA order: the noise floor, false positives, and a threshold for compare")
        {
            launches, filter, folder, resume, arguments,
        };
        command.SetAction((parsed, stop) => Guarded.RunAsync(parsed, async (output, error) =>
        {
            var total = 2 * parsed.GetValue(launches);
            var series = new Launches(parsed.GetRequiredValue(folder), parsed.GetRequiredValue(filter), parsed.GetValue(arguments) ?? []);
            series.Prepare(parsed.GetValue(resume));
            var files = new List<string>();
            for (var number = 1; number <= total; number++)
                files.Add(await series.RunAsync(number, total, $"{Side(number)}-{number:D2}", error, stop));
            var sides = files.GroupBy(file => Path.GetFileName(file)[..1])
                .Select(side => new Side(side.Key, [.. side.Select(ResultFile.Read)])).ToArray();
            var comparison = Comparer.Compare(sides, new ComparisonOptions());
            TextTable.Write(comparison, output);
            await output.WriteLineAsync();
            NoiseReport.Of(comparison).Write(output);
            return RepeatVerb.Ended(series, error);
        }));
        return command;
    }

    // A B B A A B B A: a steady drift adds the same to both sides, and each side has as many launches in declared as in reversed order.
    static string Side(int number) => number % 4 is 1 or 0 ? "a" : "b";
}
