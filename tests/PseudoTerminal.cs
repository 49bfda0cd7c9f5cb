using System.Diagnostics;
using System.Text;
using System.Text.RegularExpressions;

namespace ProtoBench.Testing;

/// <summary>A program whose input and output are a terminal of its own, as <c>script</c> makes one.</summary>
sealed partial class PseudoTerminal : IDisposable
{
    // a test on a busy machine waits, and does not fail
    static readonly TimeSpan limit = TimeSpan.FromMinutes(5);

    readonly Process process;
    readonly StringBuilder said = new();
    readonly SemaphoreSlim arrived = new(0);
    readonly Task reading;
    volatile bool ended;

    /// <param name="columns">The width of the terminal. Some terminals say 0, for example those of containers.</param>
    /// <param name="command">Words like NAME=VALUE before the program are variables of its environment.</param>
    public PseudoTerminal(string folder, int columns, params IEnumerable<string> command)
    {
        var line = string.Join(' ', command.Select(word => $"'{word.Replace("'", "'\\''", StringComparison.Ordinal)}'"));
        // a background job of a shell ignores SIGINT, and so do the programs that it starts
        process = Process.Start(new ProcessStartInfo("script",
            ["-qec", $"stty columns {columns} rows 50; exec env --default-signal=INT {line}", "/dev/null"])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            WorkingDirectory = folder,
        })!;
        reading = ReadAsync();
    }

    public static void Require() => Assert.SkipUnless(
        OperatingSystem.IsLinux() && Array.Exists((Environment.GetEnvironmentVariable("PATH") ?? "").Split(':'),
            folder => File.Exists(Path.Combine(folder, "script"))), "needs a pseudo-terminal: the program script of util-linux");

    /// <summary>Without what sets up the terminal, and without the echo of Ctrl-C.</summary>
    public string Said
    {
        get
        {
            lock (said)
                return NotText().Replace(said.ToString(), "").ReplaceLineEndings("\n");
        }
    }

    public async Task WaitForAsync(Func<string, bool> isSaid)
    {
        while (!isSaid(Said))
            Assert.True(!ended && await arrived.WaitAsync(limit), Said);
    }

    public void PressCtrlC()
    {
        process.StandardInput.Write('\x03');
        process.StandardInput.Flush();
    }

    public async Task<(int Exit, string Said)> EndAsync()
    {
        using var late = new CancellationTokenSource(limit);
        await process.WaitForExitAsync(late.Token);
        await reading;
        return (process.ExitCode, Said);
    }

    public void Dispose()
    {
        if (!process.HasExited)
            process.Kill(entireProcessTree: true);
        reading.Wait(limit); // its last act is to release what is disposed here
        process.Dispose();
        arrived.Dispose();
    }

    // CSI and OSC sequences, other escapes, ^C
    [GeneratedRegex(@"\x1b(\[[0-9;?]*[A-Za-z]|\][^\x07]*\x07|[=>])|\^C", RegexOptions.ExplicitCapture)]
    private static partial Regex NotText();

    async Task ReadAsync()
    {
        var buffer = new char[4096];
        while (await process.StandardOutput.ReadAsync(buffer) is > 0 and var count)
        {
            lock (said)
                said.Append(buffer, 0, count);
            arrived.Release();
        }

        ended = true;
        arrived.Release();
    }
}
