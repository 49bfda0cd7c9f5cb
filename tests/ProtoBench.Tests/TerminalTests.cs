using System.Text.RegularExpressions;

namespace ProtoBench.Tests;

/// <summary>What somebody sees who stops a program with Ctrl-C, and that a terminal without a width is one.</summary>
public class TerminalTests
{
    const string nothing = "stopped before anything was measured; no file was written";

    static readonly string program = typeof(BenchmarkClasses).Assembly.Location;

    [Theory]
    [InlineData(false, nothing)]
    [InlineData(true, "stopped: what was measured until then is above, and no file was written")]
    public async Task Quick_is_stopped(bool measured, string last)
    {
        var said = await StopAsync(Golden.Root, 100, measured ? afterARound : begun, program, "quick");
        AssertLast(last, said);
        Assert.Equal(measured, said.Contains("not judged: the run was stopped before its second process", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_run_of_cells_is_stopped_and_keeps_those_that_were_finished()
    {
        using var folder = new Sandbox();
        var said = await StopAsync(folder.Folder, 100, secondCell, program, "--filter", "*MeasureRequest*");
        AssertOneCell("MeasureRequest", said, folder.Folder);
    }

    // a cell whose process is just being started runs to its end
    [Fact]
    public async Task A_run_of_cells_is_stopped_in_the_first()
    {
        using var folder = new Sandbox();
        var said = await StopAsync(folder.Folder, 100, firstCell, program, "--filter", "*MeasureRequest*");
        if (said.Contains("| MeasureRequestGoogle ", StringComparison.Ordinal))
            AssertOneCell("MeasureRequest", said, folder.Folder);
        else
            AssertLast(nothing, said);
    }

    [Fact]
    public async Task A_terminal_may_have_no_width()
    {
        using var folder = new Sandbox();
        PseudoTerminal.Require();
        using var terminal = new PseudoTerminal(folder.Folder, 0, ["dotnet", program, "--filter", "*MeasureRequestSlab", "--job", "dry"]);
        var (exit, said) = await terminal.EndAsync();
        Assert.True(exit == 0, said);
    }

    [Fact]
    public async Task A_created_project_has_help_and_is_stopped()
    {
        using var folder = new NewProjectFolder();
        Assert.Equal(0, folder.New("--synthesize", "3").Exit);
        // a library that is left out has no cell in the count
        var code = Path.Combine(folder.Project, "Program.cs");
        await File.WriteAllTextAsync(code, (await File.ReadAllTextAsync(code, TestContext.Current.CancellationToken))
            .Replace(".Libraries)", ".Libraries.Where(one => one.Name != \"MemoryPack\").ToArray())", StringComparison.Ordinal), TestContext.Current.CancellationToken);
        var (exit, output, error) = TheProgram.Run([("MSBUILDDISABLENODEREUSE", "1")], ["-c", "Release"], folder.Project, "build");
        Assert.True(exit == 0, output + error);
        var built = Assert.Single(Directory.GetFiles(Path.Combine(folder.Project, "bin"), "orders-bench.dll", SearchOption.AllDirectories));

        var help = TheProgram.Run([], ["--help"], folder.Project, built).Output;
        string[] verbs = [.. help.Split("Commands:\n")[1].Split('\n').Where(line => line.Length > 2 && line[2] != ' ')
            .Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[0])];
        Assert.Equal(["compare", "duet", "versions"], verbs.Order(StringComparer.Ordinal));
        Assert.All(verbs.Prepend("").SelectMany(verb => (string[][])[[verb, "--help"], [verb, "-h"], [verb, "-?"]]), args =>
        {
            var (exitCode, text, complaint) = TheProgram.Run([], [.. args.Where(word => word.Length > 0)], folder.Project, built);
            Assert.Equal((0, ""), (exitCode, complaint));
            Assert.Contains($"orders-bench {args[0]}", text, StringComparison.Ordinal);
        });

        Assert.Contains("OrderBenchmarks.DeserializeOrderGoogle(Payloads: mix)\n", TheProgram.Run([], ["--list"], folder.Project, built).Output,
            StringComparison.Ordinal);

        AssertLast(nothing, await StopAsync(folder.Project, 100, begun, built));
        Assert.False(Directory.Exists(Path.Combine(folder.Project, "results")));

        var answer = await StopAsync(folder.Project, 0, afterARound, built);
        var file = Assert.Single(Directory.GetFiles(Path.Combine(folder.Project, "results")));
        AssertLast($"stopped: what was measured until then is above, and in {Path.GetRelativePath(folder.Project, file)}", answer);
        Assert.Contains("not judged: the run was stopped before its second process", answer, StringComparison.Ordinal);

        var cells = await StopAsync(folder.Project, 100, secondCell, built, "--filter", "*SerializeOrder*");
        AssertOneCell("erializeOrder", cells, folder.Project);
        var run = Regex.Match(cells, @"\b2 of (\d+), ").Groups[1].Value;
        Assert.Contains($"// {run} cells, about 1 min\n", cells, StringComparison.Ordinal);
    }

    static readonly Func<string, bool> begun = said => said.Contains("0 of ", StringComparison.Ordinal);
    static readonly Func<string, bool> afterARound = said => said.Contains(" processes, ", StringComparison.Ordinal);
    static readonly Func<string, bool> firstCell = said => Regex.IsMatch(said, @"\b1 of \d+: ");
    static readonly Func<string, bool> secondCell = said => Regex.IsMatch(said, @"\b2 of \d+, ");

    static async Task<string> StopAsync(string folder, int columns, Func<string, bool> when, params string[] command)
    {
        PseudoTerminal.Require();
        using var terminal = new PseudoTerminal(folder, columns, ["dotnet", .. command]);
        await terminal.WaitForAsync(when);
        terminal.PressCtrlC();
        var (exit, said) = await terminal.EndAsync();
        Assert.True(exit == 130, $"{exit}: {said}");
        Assert.DoesNotContain("   at ", said, StringComparison.Ordinal);
        Assert.DoesNotContain("failed", said, StringComparison.Ordinal);
        Assert.DoesNotContain("said nothing", said, StringComparison.Ordinal);
        return said;
    }

    static void AssertLast(string line, string said) => Assert.Equal(line, said.TrimEnd().Split('\n')[^1].Split('\r')[^1]);

    static void AssertOneCell(string name, string said, string folder)
    {
        Assert.Single(Regex.Matches(said, $@"(?m)^\| \w*{name}\w* "));
        var file = Assert.Single(Directory.GetFiles(Path.Combine(folder, "BenchmarkDotNet.Artifacts", "results"), "*.json"));
        AssertLast($"stopped: what was measured until then is above, and in {Path.GetRelativePath(folder, file)}", said);
    }
}
