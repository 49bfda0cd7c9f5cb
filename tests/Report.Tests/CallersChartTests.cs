using ProtoBench.Report.Model;
using ProtoBench.Results;

namespace ProtoBench.Report.Tests;

/// <summary>A run with several numbers of callers is drawn over them: throughput
/// and p99, a picture for each number of the server's cores.</summary>
public class CallersChartTests
{
    [Fact]
    public async Task Throughput_and_p99_are_drawn_over_the_number_of_callers()
    {
        var one = LoadResultFile.Read(Pages.Data("open.json"));
        var process = one.Environment.Client;
        LoadVariant[] variants =
        [
            .. from cores in new[] { 1, 2 }
               from codec in new[] { "google", "slab" }
               from callers in new[] { 1, 16 }
               select one.Variants[0] with
               {
                   Name = $"builtin-{codec}, server, {cores} cores, {callers} callers",
                   Codec = codec,
                   GcMode = "server",
                   Callers = callers,
                   Server = process with { Cores = cores },
               },
        ];
        var file = ResultFile.Parse(LoadResultFile.ToJson(one with { Variants = variants }), "gc.json");
        var page = await ReportPage.RenderAsync(ReportContent.Of([new Side("results", [file])], new ComparisonOptions(), []));
        foreach (var title in new[] { "Calls per second by callers, server on 1 core", "p99 by callers, server on 1 core",
            "Calls per second by callers, server on 2 cores", "p99 by callers, server on 2 cores" })
        {
            var rows = Tables.Read(page, title);
            Assert.Equal([("google", 1.0), ("slab", 1), ("google", 16), ("slab", 16)],
                rows.Select(row => (row["Codec"].Text, row["Callers"].Figure!.Value)));
            Assert.All(rows, row => Assert.Equal(one.Variants[0].Rounds.Count == 0, row["Calls/s"].Figure is null));
        }

        Assert.DoesNotContain("Medians over the rounds", page, StringComparison.Ordinal);
    }
}
