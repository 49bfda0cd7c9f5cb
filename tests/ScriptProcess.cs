using System.Diagnostics;

namespace ProtoBench.Testing;

/// <summary>A script in another language that is a test's peer. It ends, at the latest, when it is disposed.</summary>
sealed class ScriptProcess : IAsyncDisposable
{
    readonly Process process;

    public ScriptProcess(string program, params IEnumerable<string> arguments) =>
        process = Process.Start(new ProcessStartInfo(program, arguments)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,
        })!;

    public StreamReader Output => process.StandardOutput;

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
}
