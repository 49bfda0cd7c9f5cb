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
    [InlineData("Option 'filer' is unknown", "--filer", "x")]
    [InlineData("Required argument 'results' missing", "report")]
    [InlineData("--filter *Nope* matches no cell; --list shows all of them", "--filter", "*Nope*")]
    [InlineData("matches no cell; similar names are DeserializeRequestGoogle_", "--filter", "*DeserialiseRequestGoogle*")]
    [InlineData("matches no cell; similar names are MeasureRe", "--filter", "*Reqest*")]
    [InlineData("no cell has the category Nope; there are: ", "--anyCategories", "Nope")]
    [InlineData("--runtimes: net9.0 cannot run these cells", "--filter", "*", "--runtimes", "net9.0")]
    [InlineData("--columns: 'all' is none of narrow, wide", "--filter", "*", "--columns", "all")]
    [InlineData("Quote it", "--filter", "src", "README.md")]
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
    [InlineData("--list")]
    [InlineData("--list", "flat")]
    [InlineData("--help")]
    [InlineData("--version")]
    [InlineData("--info")]
    public void A_question_is_answered_with_exit_code_0(params string[] args) => Assert.Equal(0, Run(args).Exit);

    [Theory]
    [InlineData("--help")]
    [InlineData("help")]
    public void Help_is_ours(string asked)
    {
        var (exit, output, _) = Run(asked);
        Assert.Equal((0, Help.Text), (exit, output.TrimEnd()));
        Assert.InRange(output.Split('\n').Length, 20, 50);
    }

    [Theory]
    [InlineData("--help")]
    [InlineData("duet", "--help")]
    [InlineData("new", "--help")]
    [InlineData("report", "--help")]
    [InlineData("versions", "--help")]
    public void Help_fits_100_columns(params string[] args) =>
        Assert.DoesNotContain(Run(args).Output.Split('\n'), line => line.Length > Help.Width);

    [Theory]
    [InlineData("--help")]
    [InlineData("help")]
    public void Help_all_is_BenchmarkDotNet_s(string asked)
    {
        var (exit, output, _) = Run(asked, "all");
        Assert.Equal(0, exit);
        Assert.Contains("--iterationCount", output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("compare")]
    [InlineData("targets")]
    public void Help_of_a_verb_is_that_of_the_verb(string verb) => Assert.Equal(Run(verb, "--help"), Run("help", verb));

    // wrong usage lists the verbs
    static IEnumerable<string> Verbs => Run("bogus").Error.Split("there are: ")[1].Split('.')[0].Split(", ");

    [Fact]
    public void Every_verb_has_a_help() => Assert.All(Verbs.SelectMany(verb => (string[][])[[verb, "--help"], [verb, "-h"], [verb, "-?"]]), args =>
    {
        var (exit, output, error) = Run(args);
        Assert.Equal((0, ""), (exit, error));
        Assert.Contains($"ProtoBench {args[0]} ", output, StringComparison.Ordinal);
    });

    [Fact]
    public void The_help_shows_defaults_as_they_are_typed()
    {
        Assert.Contains("[default: 0..8]", Run("new", "--help").Output, StringComparison.Ordinal);
        Assert.Contains("[default: 0.5s]", Run("duet", "--help").Output, StringComparison.Ordinal);
    }

    [Fact]
    public void The_list_has_the_cells() =>
        Assert.Contains("DeserializeBenchmarks.DeserializeRequestGoogle_BA\n", Run("--list", "flat").Output, StringComparison.Ordinal);

    [Fact]
    public void The_list_has_the_parameters_of_cells() => Assert.Contains("(Items: 1, 10, 100, 1000, 10000, 100000; LeafBytes: 0, 4, 64, 1024, 16384)\n",
        Run("--list", "flat", "--filter", "*BreakEven*").Output, StringComparison.Ordinal);

    [Fact]
    public void A_cell_s_files_are_named_and_saved_by_their_processor()
    {
        Assert.Equal("amd-epyc-7763-64-core-processor", Saved.FolderOf("AMD EPYC 7763 64-Core Processor"));
        Assert.Equal("unknown-cpu", Saved.FolderOf(" "));
    }

    static (int Exit, string Output, string Error) Run(params string[] args) => TheProgram.Run(args);
}
