using System.Diagnostics;
using System.Reflection;
using ProtoBench.Results;

namespace ProtoBench.Verbs;

/// <summary>Launches of this program, each a process of its own that leaves one result file: code layout and drift sit between processes, so a launch is a sample.</summary>
sealed class Launches(string folder, IReadOnlyList<string> filters, IReadOnlyList<string> arguments)
{
    /// <summary>The variable that tells a launch in which order to run its cells: <c>declared</c> or <c>reversed</c>.
    /// Every other launch is reversed, so that what a cell inherits from those before it does not always come from the same ones.</summary>
    public const string OrderVariable = "PROTOBENCH_ORDER";

    /// <summary>The program and its first arguments; another one in tests.</summary>
    public IReadOnlyList<string> Program { get; init; } = ThisProgram();

    /// <summary>Makes sure that the results of one run do not mix with those of another.</summary>
    /// <exception cref="UsageException">The folder has result files already.</exception>
    public void Prepare()
    {
        if (Directory.Exists(folder) && Directory.EnumerateFiles(folder, "*.json").Any())
            throw new UsageException($"--out: {folder} has result files already");
        Directory.CreateDirectory(folder);
    }

    /// <summary>Runs one launch to its end.</summary>
    /// <param name="number">From 1; the even ones run their cells in reversed order.</param>
    /// <param name="total">How many there will be.</param>
    /// <param name="name">The result file's name without extension.</param>
    /// <param name="progress">Takes a line when it begins and one when it ends.</param>
    /// <param name="stop">Ends the launch.</param>
    /// <returns>The result file.</returns>
    /// <exception cref="LaunchFailedException">It failed or left no result.</exception>
    public async Task<string> RunAsync(int number, int total, string name, TextWriter progress, CancellationToken stop)
    {
        var order = number % 2 == 0 ? "reversed" : "declared";
        var artifacts = Path.Combine(folder, name);
        var log = artifacts + ".log";
        await progress.WriteLineAsync($"launch {number} of {total}, cells in {order} order: {log}");
        var clock = Stopwatch.StartNew();
        var start = new ProcessStartInfo(Program[0], [.. Program.Skip(1), "--filter", .. filters, "--exporters", "json", "--artifacts", artifacts, .. arguments])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            Environment = { [OrderVariable] = order },
        };
        var exitCode = await RunAsync(start, log, stop);
        if (exitCode != 0)
        {
            var lines = await File.ReadAllLinesAsync(log, stop);
            throw new LaunchFailedException($"launch {number} failed with exit code {exitCode}; the end of {log}:\n{string.Join('\n', lines.TakeLast(10))}");
        }

        // The exporter of the house says more than BenchmarkDotNet's own (commit, versions), so of several reports of one run the one with the most facts is kept.
        var report = Directory.Exists(artifacts)
            ? Directory.GetFiles(artifacts, "*.json", SearchOption.AllDirectories).Select(ResultFile.Read).MaxBy(file => file.Facts.Count)
            : null;
        if (report == null)
            throw new LaunchFailedException($"launch {number} left no report in {artifacts}; its output is in {log}");
        File.Move(report.Path, artifacts + ".json");
        Directory.Delete(artifacts, recursive: true);
        await progress.WriteLineAsync($"launch {number} of {total}: {report.Cells.Select(cell => cell.Name).Distinct().Count()} cells in {clock.Elapsed.TotalSeconds:F0} s");
        return artifacts + ".json";
    }

    static async Task<int> RunAsync(ProcessStartInfo start, string log, CancellationToken stop)
    {
        using var process = new Process { StartInfo = start };
        await using var writer = new StreamWriter(log) { AutoFlush = true };
        var write = TextWriter.Synchronized(writer);
        process.OutputDataReceived += (_, line) => Write(line.Data);
        process.ErrorDataReceived += (_, line) => Write(line.Data);
        process.Start();
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        try
        {
            await process.WaitForExitAsync(stop);
        }
        catch (OperationCanceledException)
        {
            process.Kill(entireProcessTree: true);
            throw;
        }

        return process.ExitCode;
        void Write(string? line)
        {
            if (line != null)
                write.WriteLine(line);
        }
    }

    // Under "dotnet ProtoBench.dll" the process is dotnet, and the program is its first argument.
    static string[] ThisProgram() => Path.GetFileNameWithoutExtension(Environment.ProcessPath) == "dotnet"
        ? [Environment.ProcessPath!, Assembly.GetEntryAssembly()!.Location]
        : [Environment.ProcessPath!];
}
