using System.Diagnostics;
using System.Text.Json;
using ProtoBench.DuetRunner;

namespace ProtoBench.Harness.Duet;

static class RunnerProcess
{
    static readonly string runner = Path.Combine(AppContext.BaseDirectory, "ProtoBench.DuetRunner.dll");

    public static async Task<RunnerOutput> RunAsync(Build build, RunnerJob job, TimeSpan limit, CancellationToken stop)
    {
        var folder = Directory.CreateTempSubdirectory("protobench-duet-").FullName;
        try
        {
            var (path, output) = (Path.Combine(folder, "job.json"), Path.Combine(folder, "output.json"));
            await File.WriteAllTextAsync(path, JsonSerializer.Serialize(job with { Output = output }, RunnerJson.Default.RunnerJob), stop);
            var said = await RunAsync(build, path, limit, stop);
            if (!File.Exists(output))
                throw new RunException(ExitCode.Failed, $"the process of {build.Dll} ended without an answer; the end of what it said:\n{said}");
            var answer = JsonSerializer.Deserialize(await File.ReadAllTextAsync(output, stop), RunnerJson.Default.RunnerOutput)!;
            if (answer.Error is { } error)
                throw new RunException(ExitCode.Failed, $"{build.Dll}: {error}");
            build.Runtime?.Check(answer.Facts?.Runtime);
            return answer;
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    static async Task<string> RunAsync(Build build, string job, TimeSpan limit, CancellationToken stop)
    {
        using var late = CancellationTokenSource.CreateLinkedTokenSource(stop);
        late.CancelAfter(limit);
        // the folder of the runtime has no other one, and this takes the latest
        var start = build.Runtime is { } runtime
            ? new ProcessStartInfo(runtime.Dotnet, ["exec", "--roll-forward", "LatestMajor", build.Dll])
            : new ProcessStartInfo(DotnetHost.Program, [build.Dll]);
        (start.Environment[RunnerJob.Variable], start.Environment["DOTNET_STARTUP_HOOKS"]) = (job, runner);
        string said;
        try
        {
            (_, said) = await DotnetHost.RunAsync(start, late.Token);
        }
        catch (OperationCanceledException) when (!stop.IsCancellationRequested)
        {
            throw new RunException(ExitCode.Failed, $"a process of {build.Dll} had not ended after {limit.TotalSeconds:F0} s");
        }

        return string.Join('\n', said.Split('\n', StringSplitOptions.RemoveEmptyEntries).TakeLast(10));
    }
}

static class DotnetHost
{
    /// <summary>Gets the dotnet that runs this program, or that of the current runtime.</summary>
    public static string Program { get; } = Find();

    /// <summary>Runs a process to its end. If it is stopped, the process and its children are killed.</summary>
    public static async Task<(int ExitCode, string Said)> RunAsync(ProcessStartInfo start, CancellationToken stop)
    {
        (start.RedirectStandardOutput, start.RedirectStandardError) = (true, true);
        using var process = Process.Start(start)!;
        var said = Task.WhenAll(process.StandardOutput.ReadToEndAsync(CancellationToken.None),
            process.StandardError.ReadToEndAsync(CancellationToken.None));
        try
        {
            await process.WaitForExitAsync(stop);
        }
        catch (OperationCanceledException)
        {
            process.Kill(entireProcessTree: true);
            await process.WaitForExitAsync(CancellationToken.None);
            throw;
        }

        // Ctrl-C ends that process too, perhaps before this one is told
        if (process.ExitCode == ExitCode.Stopped)
            await Task.Delay(TimeSpan.FromMinutes(1), stop);
        return (process.ExitCode, string.Concat(await said));
    }

    static string Find()
    {
        if (Path.GetFileNameWithoutExtension(Environment.ProcessPath) == "dotnet")
            return Environment.ProcessPath!;

        // <dotnet>/shared/Microsoft.NETCore.App/<version>/System.Private.CoreLib.dll
        var runtime = Path.GetDirectoryName(typeof(object).Assembly.Location);
        var host = runtime is null
            ? null : Path.GetFullPath(Path.Combine(runtime, "..", "..", "..", OperatingSystem.IsWindows() ? "dotnet.exe" : "dotnet"));
        return File.Exists(host) ? host : "dotnet";
    }
}
