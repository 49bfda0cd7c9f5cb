using ProtoBench.Report;
using ProtoBench.Report.Model;

namespace ProtoBench.GrpcHost;

/// <summary>The files that a command writes when it has measured. One that cannot be written is named, and the others are written all the
/// same.</summary>
sealed class ResultFiles
{
    bool failed;

    /// <param name="otherwise">The exit code if all files were written.</param>
    public int ExitCode(int otherwise) => failed ? ProtoBench.ExitCode.Failed : otherwise;

    /// <param name="path">Null for a file that was not asked for.</param>
    /// <returns>Whether it was written.</returns>
    public Task<bool> WriteAsync(string? path, Func<string> text) => WriteAsync(path, async file => await file.WriteAsync(text()));

    public async Task<bool> WriteAsync(string? path, Func<TextWriter, Task> write)
    {
        return path is not null && await TryAsync(path, async () =>
        {
            await using var file = new StreamWriter(path);
            await write(file);
            await file.FlushAsync();
        });
    }

    async Task<bool> TryAsync(string path, Func<Task> write)
    {
        try
        {
            await write();
            return true;
        }
        catch (Exception e) when (ResultPath.IsUnwritable(e))
        {
            failed = true;
            await Console.Error.WriteLineAsync($"{path} was not saved: {e.Message.ReplaceLineEndings(" ")}");
            return false;
        }
    }

    /// <param name="calls">The file of the calls; null for none.</param>
    public async Task WriteAsync(LoadPlan plan, LoadResult result, CallLog? calls)
    {
        if (calls is not null)
            await TryAsync(plan.Files.Calls!, () => calls.CompleteAsync(result));
        await WriteAsync(plan.Files.Out, () => LoadResultFile.ToJson(result) + "\n");
        await WriteAsync(plan.Files.Csv, () => LoadCsv.Of(result));
        if (result.Variants.Count > 0)
            await WriteAsync(plan.Files.Html, async file => await file.WriteAsync(await PageAsync(result, plan.Files.Html!)));
    }

    /// <summary>Checks before a run that its result can be written.</summary>
    public static void Check(string path)
    {
        if (path.Length == 0 || Directory.Exists(path))
            throw new UsageException($"'{path}' is not the name of a file to write");
        if (Path.GetDirectoryName(Path.GetFullPath(path)) is { } folder && !Directory.Exists(folder))
            throw new UsageException($"the folder of {path} does not exist");
        ResultPath.Check(path, option: null);
    }

    /// <summary>The page that the verb report of ProtoBench makes of the result file.</summary>
    static async Task<string> PageAsync(LoadResult result, string name)
    {
        var file = ResultFile.Parse(LoadResultFile.ToJson(result), name);
        var content = ReportContent.Of([new("results", [file])], new(), []);
        return await ReportPage.RenderAsync(content with
        {
            MadeAt = DateTimeOffset.Now,
            Command = $"dotnet run -c Release --project src/GrpcHost -- {result.Settings.CommandLine}",
        });
    }
}
