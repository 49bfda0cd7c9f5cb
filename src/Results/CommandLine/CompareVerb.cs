using System.CommandLine;
using ProtoBench.Results;

namespace ProtoBench;

public static class CompareVerb
{
    static readonly Dictionary<string, Action<Comparison, TextWriter>> formats = new(StringComparer.Ordinal)
    {
        ["text"] = TextTable.Write,
        ["md"] = MarkdownTable.Write,
        ["json"] = JsonTable.Write,
        ["customSmallerIsBetter"] = SmallerIsBetter.Write,
    };

    /// <param name="results">A folder with answers of a created project, named by their times. Without arguments, the last two are
    /// compared.</param>
    public static Command Create(string? results = null)
    {
        var sides = Arguments.Files("sides",
            "result files or folders of them: path, or label=path; equal labels are pooled, and every side is compared with the first"
                + (results is null ? "" : $"; without them, the last two files in {Path.GetFileName(results)}"));
        if (results is not null)
            sides.Arity = ArgumentArity.ZeroOrMore;
        var filter = Arguments.Option<string[]>("--filter",
            "only these cells: part=value,value (verb, message, library, buffer, memory, type, a parameter, unit, ...) or text with * and ?");
        var pair = Arguments.Option<string[]>("--pair",
            "compare cells within one file: Google=Slab compares each cell named with Google with the one named with Slab");
        var threshold = Arguments.Option("--threshold",
            "better and worse are claimed only where the change is surely larger than this: 5%. The whole interval counts, not its middle",
            Arguments.Percent);
        var changed = Arguments.Option<bool>("--changed", "show only rows that are better or worse");
        var failOn = Arguments.Option<string?>("--fail-on",
            "guard: exit code 1 where a row is worse or failed (any: better too, and rows on one side only), 3 where a row cannot be "
                + "judged, 4 where cells are missing");
        var format = Arguments.Option("--format", "the form of the table", byDefault: "text");
        failOn.AcceptOnlyFromAmong("worse", "any");
        format.AcceptOnlyFromAmong([.. formats.Keys]);

        var command = new Command("compare", "Compare result files of benchmarks or load runs, with significance")
        {
            sides, filter, pair, threshold, failOn, changed, format,
        };
        command.SetAction(parsed =>
        {
            var (output, error) = (parsed.InvocationConfiguration.Output, parsed.InvocationConfiguration.Error);
            var given = parsed.GetValue(sides) is { Length: > 0 } named ? named : LastTwo(results!);
            var read = Side.Read(given, warning => error.WriteLine("warning: " + warning));
            if (read.FirstOrDefault(side => side.Files.Count == 0) is { } side)
            {
                var files = string.Join(", ", side.Tables.Select(file => file.Path));
                throw new UsageException($"{files}: a table, without figures to compare");
            }

            var comparison = Comparer.Compare(read, new ComparisonOptions
            {
                Filters = parsed.GetValue(filter) ?? [],
                Pairs = parsed.GetValue(pair) ?? [],
                Threshold = parsed.GetValue(threshold),
            });
            foreach (var warning in comparison.Warnings)
                error.WriteLine("warning: " + warning);
            formats[parsed.GetRequiredValue(format)](parsed.GetValue(changed) ? comparison.OnlyChanged() : comparison, output);
            var on = parsed.GetValue(failOn) switch { "worse" => FailOn.Worse, "any" => FailOn.Any, _ => FailOn.Never };
            var answer = comparison.Guard(on);
            foreach (var line in Explained(comparison, on, answer))
                error.WriteLine(line);
            return answer;
        });
        return command;
    }

    static IEnumerable<string> Explained(Comparison comparison, FailOn on, int answer)
    {
        var blind = comparison.Changes().Count(change => !change.Judgeable);
        if (on != FailOn.Never && blind > 0)
        {
            yield return $"--fail-on: {blind} of {comparison.Changes().Count()} changes could not have been called better or worse, "
                + $"however large; "
                + comparison.Remedy;
        }

        if (answer == ExitCode.Incomplete)
        {
            yield return comparison.Changes().Any()
                ? $"--fail-on: {comparison.Unmatched.Count(row => row.Columns.Contains(comparison.Columns[0]))} rows of "
                    + $"{comparison.Columns[0]} are missing in another column; --filter leaves them out"
                : $"nothing was compared: no row is in {comparison.Columns[0]} and in another column";
        }
    }

    static string[] LastTwo(string folder) => Saved(folder) is [.., var one, var other] ? [one, other]
        : throw new UsageException($"compare: {folder} has no two results to compare");

    /// <summary>Returns the answers that a created project has saved, the oldest first. Without the extension, because the second file of a
    /// minute has the name of the first one with "-2".</summary>
    public static string[] Saved(string folder) => !Directory.Exists(folder) ? []
        : [.. Directory.GetFiles(folder, "*.json").OrderBy(Path.GetFileNameWithoutExtension, StringComparer.Ordinal)];
}
