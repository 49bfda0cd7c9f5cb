using ProtoBench.Harness.Duet;
using ProtoBench.Results;

namespace ProtoBench.Tests;

public sealed class DuetVerbTests : IDisposable
{
    static readonly string[] quick = ["--processes", "3", "--time", "20ms", "--seed", "1"];

    readonly Sandbox sandbox = new();

    string File => Path.Combine(sandbox.Folder, "deep", "duet.json");

    [Fact]
    public void Two_cells_of_one_build()
    {
        Assert.SkipWhen(BuildFacts.Program.Configuration != "Release", "duet measures Release builds");
        var (exit, output, error) =
            Sandbox.Run(DuetVerb.Create(BuildFacts.Program),
                ["--filter", "*DeserializeRequestSlab_ROM", "--against", "*DeserializeRequestGoogle_BA", "--out", File, "--fail-on",
                    "worse", .. quick]);
        Assert.Equal((0, ""),
            (exit, string.Join('\n', error.Split('\n').Where(line => line.Contains("failed", StringComparison.Ordinal)))));
        Assert.Contains("DeserializeRequestSlab_ROM against DeserializeRequestGoogle_BA", output, StringComparison.Ordinal);
        Assert.Contains("3 of 3", error, StringComparison.Ordinal);
        var result = ResultFile.Read(File).Duet!;
        var pair = Assert.Single(result.Duets);
        Assert.Equal(("oneProcess", null, 3), (result.Settings.Form, result.Base, pair.Processes.Count));
        Assert.Equal(0, pair.New.AllocatedBytesPerOperation);
        Assert.InRange(pair.Old.AllocatedBytesPerOperation, 770_000, 772_000);
        Assert.True(pair.Ratio < 1); // ten times faster: no machine is so noisy
        Assert.Equal(3, pair.Processes.Count(process => process.Pairs >= 5));
    }

    // The other build is this one, named as a folder: what a folder of build output needs is beside it.
    [Fact]
    public void A_cell_of_two_builds()
    {
        Assert.SkipWhen(BuildFacts.Program.Configuration != "Release", "duet measures Release builds");
        var (exit, _, error) =
            Sandbox.Run(DuetVerb.Create(BuildFacts.Program),
                ["--filter", "*MeasureRequestSlab", "--base", AppContext.BaseDirectory, "--out", File, .. quick]);
        Assert.True(exit == 0, error);
        var result = ResultFile.Read(File).Duet!;
        var pair = Assert.Single(result.Duets);
        Assert.Equal(("twoProcesses", AppContext.BaseDirectory), (result.Settings.Form, result.Base?.Label));
        Assert.Equal(pair.Old.Cell, pair.New.Cell);
        Assert.All(pair.Processes, process => Assert.True(process.HandOverNanoseconds > 0));
    }

    [Fact]
    public void Equal_programs_have_a_report_and_every_form_is_written()
    {
        Assert.SkipWhen(BuildFacts.Program.Configuration != "Release", "duet measures Release builds");
        var (exit, output, _) =
            Sandbox.Run(DuetVerb.Create(BuildFacts.Program),
                ["--filter", "*MeasureRequestSlab", "*MeasureResponseSlab", "--same", "--pairs-per-process", "2", "--until", "50%",
                    "--format", "md", .. quick]);
        Assert.Equal(0, exit);
        Assert.Contains("| MeasureRequestSlab |", output, StringComparison.Ordinal);
        Assert.Contains("equal programs: bias", output, StringComparison.Ordinal);
        Assert.Contains("over 2 comparisons", output, StringComparison.Ordinal);
    }

    [Fact]
    public void What_programs_read_is_alone_on_standard_output()
    {
        Assert.SkipWhen(BuildFacts.Program.Configuration != "Release", "duet measures Release builds");
        var (exit, output, error) =
            Sandbox.Run(DuetVerb.Create(BuildFacts.Program), ["--filter", "*MeasureRequestSlab", "--same", "--format", "json", .. quick]);
        Assert.Equal(0, exit);
        var pair = Assert.Single(DuetResultFile.Parse(output, "standard output").Duets);
        Assert.All([pair.Old, pair.New], side => Assert.Equal(new("Measure", "Request", "Slab", null, null, 3_500), side.Facts));
        Assert.Contains("equal programs: bias", error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("compared with what?", "--filter", "*")]
    [InlineData("two different things", "--filter", "*", "--same", "--base", "HEAD")]
    [InlineData("matches no cell", "--filter", "*Nope*", "--same")]
    [InlineData("neither a commit", "--filter", "*", "--base", "no-such-commit")]
    [InlineData("is not a percentage", "--filter", "*", "--same", "--until", "1")]
    [InlineData("is not a duration", "--filter", "*", "--same", "--time", "1")]
    [InlineData("a whole number from 1 to 1000", "--filter", "*", "--same", "--processes", "0")]
    [InlineData("needs --processes of at least 3", "--filter", "*", "--same", "--processes", "2", "--fail-on", "worse")]
    [InlineData("is a folder", "--filter", "*", "--same", "--out", ".")]
    [InlineData("is not a file name", "--filter", "*", "--same", "--save", "a/b")]
    public void Wrong_use_is_exit_code_2_before_anything_is_measured(string said, params string[] arguments)
    {
        Assert.SkipWhen(BuildFacts.Program.Configuration != "Release", "duet measures Release builds");
        var (exit, _, error) = Sandbox.Run(DuetVerb.Create(BuildFacts.Program), arguments);
        Assert.Equal(2, exit);
        Assert.Contains(said, error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1.2, "worse", 0, 1)]
    [InlineData(1.2, "any", 0, 1)]
    [InlineData(1.2, null, 0, 0)]
    [InlineData(1.2, "worse", 0.25, 0)]
    [InlineData(0.8, "worse", 0, 0)]
    [InlineData(0.8, "any", 0, 1)]
    public void A_guard_is_an_exit_code(double ratio, string? failOn, double threshold, int exit) =>
        Assert.Equal(exit, DuetVerb.ExitCodeOf(Result(ratio, threshold), failOn));

    [Fact]
    public void A_pair_that_failed_is_exit_code_1() =>
        Assert.Equal(1, DuetVerb.ExitCodeOf(Result(1, 0) with { Failed = [new("N.T.A", "N.T.B", "broken")] }, null));

    public void Dispose() => sandbox.Dispose();

    static DuetResult Result(double ratio, double threshold)
    {
        var result = MadeDuet.Of([ratio * 0.998, ratio, ratio * 1.002]);
        return result with { Settings = result.Settings with { Threshold = threshold } };
    }
}
