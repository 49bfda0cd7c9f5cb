using System.CommandLine;
using Google.Protobuf;
using ProtoBench.Gpb;
using ProtoBench.Results;

namespace ProtoBench.Harness.Tests;

public sealed class BenchmarkProgramTests : IDisposable
{
    readonly TempFolder folder = new();

    public void Dispose() => folder.Dispose();

    [Fact]
    public void A_saved_answer_is_printed_as_its_run_printed_it_for_another_rate_and_nothing_is_measured()
    {
        var file = Save("2026-01-02-0304.json", "Order");
        var (exit, output, error) = Saved("--saved", file, "--rate", "5000");
        Assert.Equal((0, ""), (exit, error));
        Assert.StartsWith("// 1 payload, 7 bytes: ", output, StringComparison.Ordinal);
        Assert.Contains("measured on 2026-01-02 03:04\n\nRead every field (Google.Protobuf: 100 ns)\n", output, StringComparison.Ordinal);
        Assert.Contains("A service that reads every field of 5,000 messages a second and writes as many (--rate) pays\n", output, StringComparison.Ordinal);
        Assert.Contains("\nRecommendation\n  For a service that reads every field of 5,000 messages", output, StringComparison.Ordinal);
        Assert.Single(Directory.GetFiles(folder.Path));
        Assert.Contains("of 1,000 messages a second", Saved("--rate", "1000", "--saved=" + file).Output, StringComparison.Ordinal);
    }

    [Fact]
    public void A_file_that_is_no_answer_of_the_project_is_refused_in_a_line()
    {
        var other = Save("other.json", "Receipt");
        Assert.Equal((2, $"{other}: no answer of this project: it has no pair of MadeUpOrders, but of Receipt\n"), Refused(other));
        var missing = Path.Combine(folder.Path, "missing.json");
        Assert.Equal((2, $"{missing}: no such file\n"), Refused(missing));
        var text = Path.Combine(folder.Path, "text.json");
        File.WriteAllText(text, "{}");
        var (exit, error) = Refused(text);
        Assert.Equal(2, exit);
        Assert.StartsWith($"{text}: not a duet result: ", error, StringComparison.Ordinal);
        Assert.Equal((2, "--saved measures nothing, so it has no --processes\n"), Refused(other, "--processes", "5"));
    }

    // The second file of a minute has "-2" behind the name of the first one.
    [Fact]
    public void The_last_answer_is_the_one_of_the_last_time()
    {
        string[] names = ["2026-01-02-0304-2.json", "2026-01-02-0304.json", "2025-12-31-2359.json"];
        foreach (var name in names)
            Save(name, "Order");
        Assert.Equal(["2025-12-31-2359.json", "2026-01-02-0304.json", "2026-01-02-0304-2.json"],
            CompareVerb.Saved(folder.Path).Select(Path.GetFileName));
        Assert.Empty(CompareVerb.Saved(Path.Combine(folder.Path, "none")));
    }

    static (int Exit, string Error) Refused(string file, params string[] more)
    {
        var (exit, _, error) = Saved(["--saved", file, .. more]);
        return (exit, error);
    }

    static (int Exit, string Output, string Error) Saved(params string[] args)
    {
        using StringWriter output = new() { NewLine = "\n" }, error = new() { NewLine = "\n" };
        ComparedLibrary[] libraries = [new("Google", "Google.Protobuf 3.36.2", bytes => bytes), new("Slab", "ProtoBench.Codec 0.1.0", bytes => bytes)];
        var payload = new ForwardRequest { TraceId = "trace" }.ToByteArray();
        var exit = new BenchmarkProgram(typeof(MadeUpOrders), ForwardRequest.Parser, libraries)
            .Start(args, () => new([new("a.bin", payload)]), new() { Output = output, Error = error });
        return (exit, output.ToString().ReplaceLineEndings("\n"), error.ToString());
    }

    string Save(string name, string message)
    {
        var mix = new Dictionary<string, string> { ["Payloads"] = PayloadSet.Mix };
        DuetPair Pair(string verb)
        {
            var pair = MadeDuet.Pair($"{verb}{message}Google", $"{verb}{message}Slab", [0.5, 0.5, 0.5]);
            return pair with
            {
                Old = pair.Old with { Parameters = mix },
                New = pair.New with { Parameters = mix, Facts = new(verb, message, "Slab") },
            };
        }

        var file = Path.Combine(folder.Path, name);
        DuetResultFile.Write(file, MadeDuet.Result(Pair("DeserializeTouch"), Pair("Serialize")));
        return file;
    }

    [Fact]
    public void A_misspelled_verb_measures_nothing_and_the_verbs_are_named()
    {
        Assert.Equal(2, new BenchmarkProgram(typeof(MadeUpOrders), ForwardRequest.Parser, [])
            .Start(["versoins"], () => throw new InvalidOperationException("payloads were read")));
        Assert.Equal("'versoins' is not a verb; there are: duet, versions. Did you mean versions? Cells are chosen with --filter.",
            Assert.Throws<UsageException>(() => UnknownVerb.Refuse("versoins", ["duet", "versions"])).Message);
    }

    [Theory]
    [InlineData("--filtr", "*")]
    [InlineData("--")]
    [InlineData("--proceses", "10")]
    public void An_unknown_option_is_refused_before_the_payloads_are_read(params string[] args) =>
        Assert.Equal(2, new BenchmarkProgram(typeof(MadeUpOrders), ForwardRequest.Parser, [])
            .Start(args, () => throw new InvalidOperationException("payloads were read")));

    [Fact]
    public void A_misspelled_option_of_BenchmarkDotNet_is_named() =>
        Assert.Equal("Option 'iterationCont' is unknown. Did you mean --iterationCount? (--help lists all options)",
            Assert.Throws<InvalidDataException>(() =>
                BenchmarkArguments.Parse(["--iterationCont", "3"], BenchmarkDotNet.Configs.ManualConfig.CreateEmpty(), "--help")).Message);
}
