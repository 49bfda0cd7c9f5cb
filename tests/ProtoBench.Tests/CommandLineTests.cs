namespace ProtoBench.Tests;

public class CommandLineTests
{
    [Fact]
    public void Without_arguments_it_shows_four_commands_and_waits_for_nothing()
    {
        var (exit, output, _) = Run();
        Assert.Equal(0, exit);
        Assert.Contains("dotnet run -c Release --project src/ProtoBench --", output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("'bogus' is not a verb", "bogus")]
    [InlineData("'bogus' is not a verb", "help", "bogus")]
    [InlineData("absent.txt: no such list of targets", "targets", "--list", "absent.txt")]
    [InlineData("Option 'filer' is unknown. Did you mean --filter", "--filer", "x")]
    [InlineData("Option 'colums' is unknown. Did you mean --columns", "--colums", "wide")]
    [InlineData("'--proceses' is neither a command nor an option here: did you mean --processes? quick --help shows the options", "quick", "--proceses", "3")]
    [InlineData("'compair' is not a verb; there are: ", "compair")]
    [InlineData(" Did you mean compare? Cells", "compair")]
    [InlineData("Required argument 'results' missing", "report")]
    [InlineData("--filter *Nope* matches no cell; --list shows all of them", "--filter", "*Nope*")]
    [InlineData("matches no cell; similar names are DeserializeRequestGoogle_", "--filter", "*DeserialiseRequestGoogle*")]
    [InlineData("matches no cell; similar names are MeasureRe", "--filter", "*Reqest*")]
    [InlineData("matches only cells of ColdStartBenchmarks, which run only when the class is named: --filter '*ColdStartBenchmarks*'",
        "--filter", "*FirstReadSlab")]
    [InlineData("no cell has the category Nope; there are: ", "--anyCategories", "Nope")]
    [InlineData("--runtimes: net9.0 cannot run these cells", "--filter", "*", "--runtimes", "net9.0")]
    [InlineData("--columns: 'all' is none of narrow, wide", "--filter", "*", "--columns", "all")]
    [InlineData("--job: 'hurry' is none of default, dry", "--filter", "*", "--job", "hurry")]
    [InlineData("--note: the text is missing", "--filter", "*", "--note")]
    [InlineData("'a/b' is not a file name", "--filter", "*", "--save", "a/b")]
    public void Wrong_usage_is_one_line_on_stderr_and_exit_code_2(string said, params string[] args)
    {
        var (exit, output, error) = Run(args);
        Assert.Equal((2, ""), (exit, output));
        Assert.Contains(said, error, StringComparison.Ordinal);
        Assert.Single(error.TrimEnd().Split('\n'));
    }

    [Theory]
    [InlineData("--help")]
    [InlineData("help")]
    public void Help_is_ours(string asked)
    {
        var (exit, output, _) = Run(asked);
        Assert.Equal((0, Help.Text), (exit, output.TrimEnd()));
        Assert.InRange(output.Split('\n').Length, 20, 50);
        Assert.DoesNotContain(output.Split('\n'), line => line.Length > Help.Width);
    }

    [Theory]
    [InlineData(0, "--iterationCount", "", "--help", "all")]
    [InlineData(0, "--iterationCount", "", "help", "all")]
    [InlineData(0, "ProtoBench ", "", "--version")]
    [InlineData(0, "BenchmarkDotNet v", "", "--info")]
    [InlineData(0, "ProtoBench compare ", "", "compare", "--help")]
    [InlineData(2, "", "'bogus' is not a verb", "bogus")]
    [InlineData(2, "", "--filter *Nope* matches no cell", "--filter", "*Nope*")]
    [InlineData(2, "", "Quote it", "--filter", "src", "README.md")] // files of the process's folder
    public void The_process_says_it_on_the_console(int exit, string said, string complained, params string[] args)
    {
        var ended = TheProgram.Run(args);
        Assert.Equal((exit, said.Length > 0, complained.Length > 0), (ended.Exit, ended.Output.Length > 0, ended.Error.Length > 0));
        Assert.Contains(said, ended.Output, StringComparison.Ordinal);
        Assert.Contains(complained, ended.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Help_of_a_verb_is_that_of_the_verb() => Assert.All(Verbs, verb => Assert.Equal(Run(verb, "--help"), Run("help", verb)));

    // wrong usage lists the verbs
    static IEnumerable<string> Verbs => Run("bogus").Error.Split("there are: ")[1].Split('.')[0].Split(", ");

    [Fact]
    public void Every_verb_has_a_help_of_100_columns() => Assert.All(Verbs.SelectMany(verb => (string[][])[[verb, "--help"], [verb, "-h"], [verb, "-?"]]), args =>
    {
        var (exit, output, error) = Run(args);
        Assert.Equal((0, ""), (exit, error));
        Assert.Contains($" {args[0]} ", output, StringComparison.Ordinal);
        Assert.DoesNotContain(output.Split('\n'), line => line.Length > Help.Width);
    });

    [Fact]
    public void The_help_shows_defaults_as_they_are_typed()
    {
        Assert.Contains("[default: 0..8]", Run("new", "--help").Output, StringComparison.Ordinal);
        Assert.Contains("[default: 0.5s]", Run("duet", "--help").Output, StringComparison.Ordinal);
    }

    [Fact]
    public void The_list_has_the_cells()
    {
        Assert.Equal(Run("--list", "flat"), Run("--list"));
        Assert.Contains("DeserializeBenchmarks.DeserializeRequestGoogle_BA\n", Run("--list").Output, StringComparison.Ordinal);
    }

    [Fact]
    public void The_list_has_the_parameters_of_cells() => Assert.Contains("(Items: 1, 10, 100, 1000, 10000, 100000; LeafBytes: 0, 4, 64, 1024, 16384)\n",
        Run("--list", "flat", "--filter", "*BreakEven*").Output, StringComparison.Ordinal);

    [Fact]
    public void A_cell_s_files_are_named_and_saved_by_their_processor()
    {
        Assert.Equal("amd-epyc-7763-64-core-processor", Saved.FolderOf("AMD EPYC 7763 64-Core Processor"));
        Assert.Equal("unknown-cpu", Saved.FolderOf(" "));
    }

    static (int Exit, string Output, string Error) Run(params string[] args)
    {
        using StringWriter output = new() { NewLine = "\n" }, error = new() { NewLine = "\n" };
        var exit = Program.RunAsync(args, new() { Output = output, Error = error }).GetAwaiter().GetResult();
        return (exit, output.ToString(), error.ToString());
    }
}
