using System.Text.RegularExpressions;

namespace ProtoBench.Tests;

/// <summary>What somebody sees who stops a program with Ctrl-C, and that a terminal without a width is one.</summary>
public class TerminalTests
{
    internal const string Nothing = "stopped before anything was measured; no file was written";

    static readonly string program = typeof(BenchmarkClasses).Assembly.Location;

    [Theory]
    [InlineData(false, Nothing)]
    [InlineData(true, "stopped: what was measured until then is above, and no file was written")]
    public async Task Quick_is_stopped(bool measured, string last)
    {
        var said = await StopAsync(Golden.Root, 100, measured ? AfterARound : Begun, "dotnet", program, "quick");
        AssertLast(last, said);
        Assert.Equal(measured, said.Contains("not judged: the run was stopped before its second process", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_run_of_cells_is_stopped_and_keeps_those_that_were_finished()
    {
        using var folder = new Sandbox();
        var said = await StopAsync(folder.Folder, 100, SecondCell, "dotnet", program, "--filter", "*MeasureRequest*");
        AssertFirstCells("MeasureRequest", said, folder.Folder);
    }

    // a cell whose process is just being started runs to its end
    [Fact]
    public async Task A_run_of_cells_is_stopped_in_the_first()
    {
        using var folder = new Sandbox();
        var said = await StopAsync(folder.Folder, 100, firstCell, "dotnet", program, "--filter", "*MeasureRequest*");
        if (said.Contains("| MeasureRequestGoogle ", StringComparison.Ordinal))
            AssertFirstCells("MeasureRequest", said, folder.Folder);
        else
            AssertLast(Nothing, said);
    }

    [Fact]
    public async Task A_terminal_may_have_no_width()
    {
        using var folder = new Sandbox();
        PseudoTerminal.Require();
        using var terminal = new PseudoTerminal(folder.Folder, 0, "dotnet", program, "--filter", "*MeasureRequestSlab", "--job", "dry");
        var (exit, said) = await terminal.EndAsync();
        Assert.True(exit == 0, said);
    }

    internal static readonly Func<string, bool> Begun = said => said.Contains("0 of ", StringComparison.Ordinal);
    internal static readonly Func<string, bool> AfterARound = said => said.Contains(" processes, ", StringComparison.Ordinal);
    static readonly Func<string, bool> firstCell = said => Regex.IsMatch(said, @"\b1 of \d+: ");
    internal static readonly Func<string, bool> SecondCell = said => Regex.IsMatch(said, @"\b2 of \d+, ");

    internal static async Task<string> StopAsync(string folder, int columns, Func<string, bool> when, params string[] command)
    {
        PseudoTerminal.Require();
        using var terminal = new PseudoTerminal(folder, columns, command);
        await terminal.WaitForAsync(when);
        terminal.PressCtrlC();
        var (exit, said) = await terminal.EndAsync();
        Assert.True(exit == 130, $"{exit}: {said}");
        Assert.DoesNotContain("   at ", said, StringComparison.Ordinal);
        Assert.DoesNotContain("failed", said, StringComparison.Ordinal);
        Assert.DoesNotContain("said nothing", said, StringComparison.Ordinal);
        return said;
    }

    internal static void AssertLast(string line, string said) => Assert.Equal(line, said.TrimEnd().Split('\n')[^1].Split('\r')[^1]);

    internal static void AssertFirstCells(string name, string said, string folder)
    {
        // the second cell runs to its end if its process was just being started
        Assert.InRange(Regex.Count(said, $@"(?m)^\| \w*{name}\w* "), 1, 2);
        var file = Assert.Single(Directory.GetFiles(Path.Combine(folder, "BenchmarkDotNet.Artifacts", "results"), "*.json"));
        AssertLast($"stopped: what was measured until then is above, and in {Path.GetRelativePath(folder, file)}", said);
    }
}
