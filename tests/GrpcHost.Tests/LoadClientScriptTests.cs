namespace ProtoBench.GrpcHost.Tests;

/// <summary>The comparison with h2load runs. Its figures are nobody's business here.</summary>
public class LoadClientScriptTests
{
    [Fact]
    public async Task Both_clients_and_h2load_load_one_host()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows() || !Environment.GetEnvironmentVariable("PATH")!.Split(Path.PathSeparator)
            .Any(folder => File.Exists(Path.Combine(folder, "h2load"))), "h2load is missing: apt-get install nghttp2-client");
        await using var script = new ScriptProcess(Path.Combine(Golden.Root, ".ci", "load-client"), "1", "1", "8 1,8 8");
        var (exitCode, output) = await script.EndAsync(TheProgram.Limit);
        Assert.True(exitCode == 0, output);
        var rows = output.Split('\n').Where(line => line.StartsWith("| ", StringComparison.Ordinal)).Skip(2).ToList();
        Assert.Equal(["8 1", "8 8"], rows.Select(row => string.Join(' ', Cells(row).Take(2))));
        Assert.All(rows.SelectMany(Cells), cell => Assert.True(double.Parse(cell) > 0, output));

        static string[] Cells(string row) => row.Trim('|').Split('|', StringSplitOptions.TrimEntries);
    }
}
