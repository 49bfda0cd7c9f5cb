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
        var round = one.Variants[0].Rounds[0];
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
                   Rounds = [round with { DurationSeconds = round.Succeeded / Rate(cores, codec, callers) }],
               },
        ];
        var file = ResultFile.Parse(LoadResultFile.ToJson(one with { Variants = variants }), "gc.json");
        var page = await ReportPage.RenderAsync(ReportContent.Of([new Side("results", [file])], new ComparisonOptions(), []));
        foreach (var (title, cores) in new[] { ("Calls per second by callers, server on 1 core", 1), ("p99 by callers, server on 1 core", 1),
            ("Calls per second by callers, server on 2 cores", 2), ("p99 by callers, server on 2 cores", 2) })
        {
            var rows = Tables.Read(page, title);
            Assert.Equal(
                [("google", 1.0, Rate(cores, "google", 1)), ("slab", 1, Rate(cores, "slab", 1)), ("google", 16, Rate(cores, "google", 16)),
                    ("slab", 16, Rate(cores, "slab", 16))],
                rows.Select(row => (row["Codec"].Text, row["Callers"].Figure!.Value, Math.Round(row["Calls/s"].Figure!.Value))));
        }

        Assert.DoesNotContain("Medians over the rounds", page, StringComparison.Ordinal);

        static double Rate(int cores, string codec, int callers) => (100 * cores) + callers + (codec == "slab" ? 50 : 0);
    }
}
