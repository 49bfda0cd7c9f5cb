using System.Diagnostics;
using System.Reflection;
using System.Security.Cryptography;
using System.Text.Json.Nodes;
using ProtoBench.Results;
using ProtoBench.Saving;

namespace ProtoBench.Verbs;

/// <summary>Runs launches of this program. Each is a process that writes one result file. Code layout and drift differ between processes,
/// so a launch is one sample.</summary>
/// <remarks>All of them measure the same build. A launch that fails is repeated once, and so are the cells of a launch whose figures are
/// not reliable. Successful launches are kept, and a later run can continue with them.</remarks>
sealed class Launches(string folder, IReadOnlyList<string> filters, IReadOnlyList<string> arguments)
{
    /// <summary>The variable with the order in which a launch runs its cells: <c>declared</c> or <c>reversed</c>. Every second launch is
    /// reversed, so that a cell does not always follow the same cells.</summary>
    public const string OrderVariable = "PROTOBENCH_ORDER";

    const int attempts = 2;

    // A launch may change its current folder, so the path must be absolute.
    readonly string folder = Path.GetFullPath(folder);
    readonly List<string> failedCells = [];
    byte[]? build;

    /// <summary>The program and its first arguments. Tests use another one.</summary>
    public IReadOnlyList<string> Program { get; init; } = ThisProgram();

    /// <summary>Gets a sentence for each cell that failed in every attempt of a launch whose other cells are kept.</summary>
    public IReadOnlyList<string> FailedCells => failedCells;

    /// <summary>Creates the folder, and checks that it has no results of another run.</summary>
    /// <param name="resume">Whether to continue with the launches in the folder.</param>
    /// <exception cref="UsageException">Thrown when the folder cannot be written, has result files already or, with <paramref
    /// name="resume"/>, has those of another command.</exception>
    public void Prepare(bool resume = false)
    {
        var list = Path.Combine(folder, "arguments.txt");
        string[] asked = ["--filter", .. filters, .. arguments];
        try
        {
            if (File.Exists(folder))
                throw new UsageException($"--out: {folder} is a file, and a folder is needed");
            Directory.CreateDirectory(folder);
            if (Directory.EnumerateFiles(folder, "*.json").Any())
            {
                if (!resume)
                    throw new UsageException($"--out: {folder} has result files already; --resume goes on with them");
                if (!File.Exists(list) || !File.ReadAllLines(list).SequenceEqual(asked))
                    throw new UsageException($"--resume: {folder} has launches with other arguments");
            }

            File.WriteAllLines(list, asked);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new UsageException($"--out: cannot write to {folder}: {e.Message}", e);
        }
    }

    /// <summary>Runs one launch, or returns the existing one.</summary>
    /// <param name="number">The number of the launch from 1. Even launches run their cells in reversed order.</param>
    /// <param name="total">The number of launches.</param>
    /// <param name="name">The result file's name without extension.</param>
    /// <param name="progress">Receives a line at the start and one at the end.</param>
    /// <param name="stop">Stops the launch.</param>
    /// <returns>The path of the result file. It does not have the cells that failed in every attempt: <see cref="FailedCells"/>.</returns>
    /// <exception cref="LaunchFailedException">Thrown when the launch failed twice or wrote no result, or the program was built again since
    /// the first launch.</exception>
    public async Task<string> RunAsync(int number, int total, string name, TextWriter progress, CancellationToken stop)
    {
        var path = Path.Combine(folder, name + ".json");
        if (File.Exists(path))
        {
            await progress.WriteLineAsync($"launch {number} of {total}: there already");
            return path;
        }

        var order = number % 2 == 0 ? "reversed" : "declared";
        await progress.WriteLineAsync($"launch {number} of {total}, cells in {order} order: {Path.Combine(folder, name)}.log");
        var clock = Stopwatch.StartNew();
        var report = await RepeatedAsync(number, name, order, progress, stop);
        await RunDoubtfulAgainAsync(report, name, order, progress, stop);
        report.MoveTo(path);
        Delete(name);
        await progress.WriteLineAsync($"launch {number} of {total}: {report.Cells} cells in {clock.Elapsed.TotalSeconds:F0} s");
        failedCells.AddRange(report.Failed.Select(cell => $"launch {number}: {cell} failed in each of {attempts} attempts"));
        return path;
    }

    // The output of a failed attempt is kept with that of the next one. The successful cells of the last attempt are kept too.
    async Task<LaunchReport> RepeatedAsync(int number, string name, string order, TextWriter progress, CancellationToken stop)
    {
        for (var attempt = 1; ; attempt++)
        {
            var log = Path.Combine(folder, name + ".log");
            Delete(name);
            var exitCode = await RunAsync(filters, Path.Combine(folder, name), order, log, stop);
            var report = LaunchReport.Find(Path.Combine(folder, name));
            if (report is { Failed.Count: 0 } && exitCode == 0)
                return report;
            if (attempt == attempts)
            {
                var lines = await File.ReadAllLinesAsync(log, stop);
                return report is { Cells: > 0, Failed.Count: > 0 } ? report
                    : throw new LaunchFailedException(exitCode == 0
                        ? $"launch {number} left no report in {Path.Combine(folder, name)}; its output is in {log}"
                        : $"launch {number} failed with exit code {exitCode}, {attempts} times; the end of "
                            + $"{log}:\n{string.Join('\n', lines.TakeLast(10))}");
            }

            var kept = Path.Combine(folder, $"{name}.failed-{attempt}.log");
            File.Move(log, kept, overwrite: true);
            await progress.WriteLineAsync($"launch {number} failed with exit code {exitCode} ({kept}); it is run once more");
        }
    }

    // Repeated once: a cell that is too short for its iterations would never be reliable. Readers of the file ignore figures that are still
    // not reliable.
    async Task RunDoubtfulAgainAsync(LaunchReport report, string name, string order, TextWriter progress, CancellationToken stop)
    {
        if (report.Doubtful.Count == 0)
            return;
        await progress.WriteLineAsync(
            $"{report.Doubtful.Count} cells were still warming up or too short, and are run once more: "
                + $"{string.Join(", ", report.Doubtful.Take(3))}");
        var again = name + ".again";
        await RunAsync(report.Doubtful, Path.Combine(folder, again), order, Path.Combine(folder, again + ".log"), stop);
        if (LaunchReport.Find(Path.Combine(folder, again)) is { } repeated)
            report.Replace(repeated);
        Delete(again);
    }

    void Delete(string name)
    {
        if (Directory.Exists(Path.Combine(folder, name)))
            Directory.Delete(Path.Combine(folder, name), recursive: true);
    }

    async Task<int> RunAsync(IReadOnlyList<string> cells, string artifacts, string order, string log, CancellationToken stop)
    {
        if (!(build ??= Build()).AsSpan().SequenceEqual(Build()))
            throw new LaunchFailedException(
                "the program was built again since the first launch: launches of two builds are no samples of one; the launches that "
                    + "ended are kept");
        var start = new ProcessStartInfo(Program[0],
            [.. Program.Skip(1), "--filter", .. cells, "--exporters", "json", "--artifacts", artifacts, .. arguments])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            Environment = { [OrderVariable] = order },
        };
        return await RunAsync(start, log, stop);
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

    // A hash of all files that are started. The program's own assemblies are in its folder.
    byte[] Build()
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        string[] files = [.. Program.Where(File.Exists).SelectMany(Beside).Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal)];
        foreach (var file in files)
            hash.AppendData(File.ReadAllBytes(file));
        return hash.GetHashAndReset();
        static string[] Beside(string file) =>
            Path.GetFileNameWithoutExtension(file).StartsWith(nameof(ProtoBench), StringComparison.Ordinal)
            ? Directory.GetFiles(Path.GetDirectoryName(Path.GetFullPath(file))!, "*.dll")
            : [file];
    }

    // Under "dotnet ProtoBench.dll" the process is dotnet, and the program is its first argument.
    static string[] ThisProgram() => Path.GetFileNameWithoutExtension(Environment.ProcessPath) == "dotnet"
        ? [Environment.ProcessPath!, Assembly.GetEntryAssembly()!.Location]
        : [Environment.ProcessPath!];
}

/// <summary>Represents the report of a launch, with the state of its cells.</summary>
sealed class LaunchReport
{
    ResultFile file;

    LaunchReport(ResultFile file) => this.file = file;

    /// <summary>Gets the number of measured cells.</summary>
    public int Cells => file.Cells.Select(cell => cell.Name).Distinct().Count();

    /// <summary>Gets the cells that failed.</summary>
    public IReadOnlyList<string> Failed => [.. file.Failed.Select(name => name.Full)];

    /// <summary>Gets the cells whose figures are not reliable.</summary>
    public IReadOnlyList<string> Doubtful => [.. file.Cells.Where(cell => cell.Doubtful).Select(cell => cell.Name.Full).Distinct()];

    /// <summary>Finds the report below a folder; null if there is none that can be read. The exporter of this program writes more facts
    /// than BenchmarkDotNet's (commit, versions), so the report with the most facts is used.</summary>
    public static LaunchReport? Find(string folder)
    {
        if (!Directory.Exists(folder))
            return null;
        try
        {
            return Directory.GetFiles(folder, "*.json", SearchOption.AllDirectories).Select(ResultFile.Read)
                .MaxBy(read => read.Facts.Count) is { } file ? new(file) : null;
        }
        catch (DamagedFileException)
        {
            return null; // the launch was killed while it wrote the file
        }
    }

    /// <summary>Replaces cells by those of another report with the same names, if these are reliable.</summary>
    public void Replace(LaunchReport repeated)
    {
        var root = JsonNode.Parse(File.ReadAllText(file.Path))!;
        var cells = root["Benchmarks"]!.AsArray();
        var believed = JsonNode.Parse(File.ReadAllText(repeated.file.Path))!["Benchmarks"]!.AsArray()
            .Where(cell => !repeated.Doubtful.Concat(repeated.Failed).Contains(Name(cell!), StringComparer.Ordinal))
            .GroupBy(cell => Name(cell!), StringComparer.Ordinal)
            .ToDictionary(cell => cell.Key, cell => cell.First()!, StringComparer.Ordinal);
        for (var i = 0; i < cells.Count; i++)
        {
            if (Doubtful.Contains(Name(cells[i]!), StringComparer.Ordinal) && believed.TryGetValue(Name(cells[i]!), out var better))
                cells[i] = better.DeepClone();
        }

        File.WriteAllText(file.Path, root.ToJsonString(ResultExporter.Indented));
        file = ResultFile.Read(file.Path);
        static string Name(JsonNode cell) => (string)cell["FullName"]!;
    }

    /// <summary>Moves the report to its final path.</summary>
    public void MoveTo(string path) => File.Move(file.Path, path);
}

/// <summary>Thrown when a launch of the program failed. Its message is for the user.</summary>
/// <param name="message">The failure, and the path of its log.</param>
public sealed class LaunchFailedException(string message) : Exception(message);
