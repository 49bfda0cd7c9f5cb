using System.Diagnostics;

namespace ProtoBench.Testing;

/// <summary>Starts scripts of tests/node, with their packages installed. Where Node is absent a test is skipped and says so.</summary>
static class Node
{
    static readonly string folder = Path.Combine(Golden.Root, "tests", "node");

    public static async Task<ScriptProcess> StartAsync(string script, params string[] arguments)
    {
        try
        {
            await InstallAsync();
            return new("node", [Path.Combine(folder, script), .. arguments]);
        }
        catch (System.ComponentModel.Win32Exception)
        {
            Assert.Skip("needs Node.js as a peer: install nodejs and npm (Debian: apt-get install nodejs npm; others: https://nodejs.org)");
            throw;
        }
    }

    static async Task InstallAsync()
    {
        // several test programs run at the same time; the first installs, the others wait for it
        await using var turn = await TakeTurnAsync();
        // an absent file has a time long ago
        if (File.GetLastWriteTimeUtc(Path.Combine(folder, "node_modules", ".package-lock.json")) > File.GetLastWriteTimeUtc(
            Path.Combine(folder, "package-lock.json")))
            return;
        var npm = OperatingSystem.IsWindows() ? "npm.cmd" : "npm";
        await using var install = new ScriptProcess(npm, "ci", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund");
        var (exitCode, output) = await install.EndAsync(TimeSpan.FromMinutes(20));
        Assert.True(exitCode == 0, "npm ci failed: " + output);
    }

    static async Task<FileStream> TakeTurnAsync()
    {
        for (var limit = Stopwatch.StartNew(); ;)
        {
            try
            {
                return new FileStream(Path.Combine(Path.GetTempPath(), "protobench-node.lock"), FileMode.OpenOrCreate, FileAccess.ReadWrite,
                    FileShare.None);
            }
            catch (IOException) when (limit.Elapsed < TimeSpan.FromMinutes(20))
            {
                await Task.Delay(50);
            }
        }
    }
}
