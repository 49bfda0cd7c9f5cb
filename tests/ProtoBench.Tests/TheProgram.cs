using System.Diagnostics;

namespace ProtoBench.Tests;

static class TheProgram
{
    // A few seconds on a quiet machine, a minute for a build; this many for one that is busy with everything else.
    static readonly TimeSpan limit = TimeSpan.FromMinutes(30);

    public static (int Exit, string Output, string Error) Run(params string[] args) => Run([], args);

    public static (int Exit, string Output, string Error) Run((string Name, string? Value)[] environment, string[] args,
        string? folder = null, string? program = null)
    {
        var start = new ProcessStartInfo("dotnet", [program ?? typeof(BenchmarkClasses).Assembly.Location, .. args])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = folder ?? Golden.Root,
        };
        foreach (var (name, value) in environment)
            start.Environment[name] = value;
        using var running = Process.Start(start)!;
        running.StandardInput.Close();
        var (output, error) = (running.StandardOutput.ReadToEndAsync(), running.StandardError.ReadToEndAsync());
        if (!running.WaitForExit(limit))
        {
            running.Kill(entireProcessTree: true);
            Assert.Fail($"the program did not end within {limit.TotalMinutes} min; it said:\n{output.Result}{error.Result}");
        }

        return (running.ExitCode, output.Result, error.Result);
    }
}
