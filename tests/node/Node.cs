using System.Diagnostics;

namespace ProtoBench.Testing;

/// <summary>Starts scripts of tests/node, with their packages installed. Where Node is absent a test is skipped and says so.</summary>
sealed class Node : IAsyncDisposable
{
    static readonly string folder = Path.Combine(Golden.Root, "tests", "node");
    readonly Process process;

    Node(Process process) => this.process = process;

    /// <summary>What the script prints.</summary>
    public StreamReader Output => process.StandardOutput;

    /// <summary>Starts a script. It ends, at the latest, when it is disposed.</summary>
    public static async Task<Node> StartAsync(string script, params string[] arguments)
    {
        await InstallAsync();
        return new(Start("node", [Path.Combine(folder, script), .. arguments]));
    }

    /// <summary>Waits for the script's end and returns its exit code and what it printed and complained about.</summary>
    public async Task<(int ExitCode, string Output)> EndAsync(TimeSpan limit)
    {
        using var stop = new CancellationTokenSource(limit);
        var output = process.StandardOutput.ReadToEndAsync(stop.Token);
        var errors = process.StandardError.ReadToEndAsync(stop.Token);
        await process.WaitForExitAsync(stop.Token);
        return (process.ExitCode, await output + await errors);
    }

    public async ValueTask DisposeAsync()
    {
        if (!process.HasExited)
            process.Kill(entireProcessTree: true);
        await process.WaitForExitAsync();
        process.Dispose();
    }

    static async Task InstallAsync()
    {
        // several test programs run at the same time; the first installs, the others wait for it
        await using var turn = await TakeTurnAsync();
        // an absent file has a time long ago
        if (File.GetLastWriteTimeUtc(Path.Combine(folder, "node_modules", ".package-lock.json")) > File.GetLastWriteTimeUtc(
            Path.Combine(folder, "package-lock.json")))
            return;
        try
        {
            var npm = OperatingSystem.IsWindows() ? "npm.cmd" : "npm";
            await using var install = new Node(Start(npm, ["ci", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"]));
            var (exitCode, output) = await install.EndAsync(TimeSpan.FromMinutes(20));
            Assert.True(exitCode == 0, "npm ci failed: " + output);
        }
        catch (System.ComponentModel.Win32Exception)
        {
            Assert.Skip("needs Node.js as a peer: install nodejs and npm (Debian: apt-get install nodejs npm; others: https://nodejs.org)");
        }
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

    static Process Start(string program, IEnumerable<string> arguments) => Process.Start(new ProcessStartInfo(program, arguments)
    {
        RedirectStandardOutput = true,
        RedirectStandardError = true,
        RedirectStandardInput = true,
    })!;
}
