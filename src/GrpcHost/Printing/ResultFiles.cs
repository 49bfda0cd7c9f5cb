using ProtoBench.Report;
using ProtoBench.Report.Model;

namespace ProtoBench.GrpcHost;

/// <summary>The files that a load writes when it has ended, but for the histogram log.</summary>
static class ResultFiles
{
    public static async Task WriteAsync(LoadPlan plan, LoadResult result)
    {
        if (plan.Out is { } json)
            LoadResultFile.Write(json, result);
        if (plan.Csv is { } csv)
            await File.WriteAllTextAsync(csv, LoadCsv.Of(result));
        if (plan.Html is { } page && result.Variants.Count > 0)
            await File.WriteAllTextAsync(page, await PageAsync(result, page));
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
