using System.Diagnostics;
using ProtoBench.GrpcHost.Hosting;

namespace ProtoBench.GrpcHost.Tests;

/// <summary>GrpcHost as users start it: a process of its own.</summary>
static class TheProgram
{
    // A few seconds on a quiet machine, a minute for all stacks and codecs in one run; ten times that, and more, for a slow or busy one.
    public static TimeSpan Limit { get; } = TimeSpan.FromMinutes(10);

    public static async Task<(int ExitCode, string Output, string Error)> RunAsync(params string[] arguments)
    {
        using var process = Start(arguments);
        try
        {
            var (output, error) = (process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
            await Task.WhenAll(output, error, process.WaitForExitAsync()).WaitAsync(Limit);
            return (process.ExitCode, await output, await error);
        }
        catch (TimeoutException)
        {
            process.Kill(entireProcessTree: true);
            throw;
        }
    }

    /// <summary>Starts it, for a test that talks to it while it runs.</summary>
    public static Process Start(params string[] arguments) =>
        Process.Start(new ProcessStartInfo("dotnet", ["exec", typeof(HostProcess).Assembly.Location, .. arguments])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
}
