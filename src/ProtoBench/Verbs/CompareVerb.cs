using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using ProtoBench.Results;

namespace ProtoBench.Verbs;

/// <summary>The verb <c>compare</c>: faster, slower, or cannot say.</summary>
public static class CompareVerb
{
    static readonly Dictionary<string, Action<Comparison, TextWriter>> formats = new(StringComparer.Ordinal)
    {
        ["text"] = TextTable.Write,
        ["md"] = MarkdownTable.Write,
        ["csv"] = CsvTable.Write,
        ["json"] = JsonTable.Write,
        ["customSmallerIsBetter"] = SmallerIsBetter.Write,
    };

    /// <summary>The verb with its options.</summary>
    public static Command Create()
    {
        var sides = new Argument<string[]>("sides")
        {
            Arity = ArgumentArity.OneOrMore,
            Description = "result files or folders of them: path, or label=path; equal labels are pooled, and every side is compared with the first",
        };
        var filter = new Option<string[]>("--filter") { Description = "only these cells: part=value,value (verb, message, library, buffer, memory, type, a parameter, unit, ...) or text with * and ?" };
        var row = new Option<string[]>("--row") { Description = "the parts of the name that make a row, separated by commas", CustomParser = List };
        var column = new Option<string?>("--col") { Description = "the part of the name whose values are compared side by side: library, or library=Google,Slab" };
        var pair = new Option<string[]>("--pair") { Description = "compare cells within one file: Google=Slab compares each cell named with Google with the one named with Slab" };
        var threshold = new Option<double>("--threshold") { Description = "a significant change below this is not called better or worse: 5%", CustomParser = Percentage };
        var failOn = new Option<string?>("--fail-on") { Description = "exit code 1: worse (a row is worse, or failed) or any (better too, and rows on one side only)" };
        var alpha = new Option<double>("--alpha") { Description = "the accepted chance of a false claim in the table", DefaultValueFactory = _ => 0.05, CustomParser = Probability };
        var correction = new Option<string>("--correction") { Description = "correct p over the table, or not", DefaultValueFactory = _ => "holm" };
        var format = new Option<string>("--format") { Description = "the form of the table", DefaultValueFactory = _ => "text" };
        failOn.AcceptOnlyFromAmong("worse", "any");
        correction.AcceptOnlyFromAmong("holm", "none");
        format.AcceptOnlyFromAmong([.. formats.Keys]);

        var command = new Command("compare", "Compare results of benchmarks or load runs: what changed, and is it real?")
        {
            sides, filter, row, column, pair, threshold, failOn, alpha, correction, format,
        };
        command.SetAction(parsed => Guarded.Run(parsed, (output, error) =>
        {
            var read = Side.Read(parsed.GetRequiredValue(sides), warning => error.WriteLine("warning: " + warning));
            var comparison = Comparer.Compare(read, new ComparisonOptions
            {
                Filters = parsed.GetValue(filter) ?? [],
                Row = parsed.GetValue(row) ?? [],
                Column = parsed.GetValue(column),
                Pairs = parsed.GetValue(pair) ?? [],
                Alpha = parsed.GetValue(alpha),
                Threshold = parsed.GetValue(threshold),
                Correct = parsed.GetValue(correction) == "holm",
            });
            foreach (var warning in comparison.Warnings)
                error.WriteLine("warning: " + warning);
            formats[parsed.GetRequiredValue(format)](comparison, output);
            return comparison.Fails(parsed.GetValue(failOn) switch { "worse" => FailOn.Worse, "any" => FailOn.Any, _ => FailOn.Never }) ? 1 : 0;
        }));
        return command;
    }

    static string[] List(ArgumentResult result) =>
        [.. result.Tokens.SelectMany(token => token.Value.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))];

    // By hand: System.CommandLine reads numbers by the user's culture, in which "0.5" may be 5.
    static double Percentage(ArgumentResult result)
    {
        var text = result.Tokens[^1].Value;
        if (text.EndsWith('%') && Number(text[..^1]) is >= 0 and var percent)
            return percent / 100;
        result.AddError($"--threshold: '{text}' is not a percentage such as 5%");
        return 0;
    }

    static double Probability(ArgumentResult result)
    {
        if (Number(result.Tokens[^1].Value) is > 0 and < 1 and var alpha)
            return alpha;
        result.AddError($"--alpha: '{result.Tokens[^1].Value}' is not a number between 0 and 1");
        return 0;
    }

    static double? Number(string text) =>
        double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number) ? number : null;
}
