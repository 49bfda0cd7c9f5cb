using System.Net;
using ProtoBench.Results;

namespace ProtoBench.Report.Tests.Sections;

/// <summary>The page of a benchmark project's own results.</summary>
public class AnswerSectionTests
{
    [Fact]
    public async Task It_says_what_the_console_said()
    {
        var answer = Pages.Answered().Answer!;
        var page = await PageAsync(Pages.Answered());
        Assert.All([.. answer.About, .. answer.Lines, .. answer.Recommendation],
            line => Assert.Contains(line, page, StringComparison.Ordinal));
        Assert.Contains($"<h1>What {answer.Message} costs with each library</h1>", page, StringComparison.Ordinal);
        Assert.True(page.IndexOf("<h3>Recommendation</h3>", StringComparison.Ordinal) < page.IndexOf("<figure", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Rows_have_the_names_of_libraries_and_shares_of_Googles_time()
    {
        var page = await PageAsync(Pages.Answered());
        var rows = Tables.Read(page, "Time as a multiple of Google.Protobuf's");
        Assert.Equal(
            [
                "Read every field: ProtoBench.Codec", "Read every field: MemoryPack", "Read every field: protobuf-net",
                "Read every field, with a .NET string for each string field: ProtoBench.Codec",
            ],
            rows.Select(row => $"{row["Work"].Text}: {row["Library"].Text}"));
        Assert.Matches(@"^3\.94 \[\d\.\d\d to \d\.\d\d\]$", rows[2]["Of Google.Protobuf's time"].Text);
        Assert.Equal("not judged: an INVALID pair: no verdict", rows[1]["Of Google.Protobuf's time"].Text);
        Assert.Equal(3, page.Split("<span class=\"label\">").Length - 1);
        Assert.DoesNotContain("% worse", page, StringComparison.Ordinal);
        Assert.DoesNotContain(">PBN", page, StringComparison.Ordinal);
    }

    // a class without a .proto file
    [Fact]
    public async Task Shares_of_another_library_are_named_by_it()
    {
        var result = Pages.Answered();
        var page = await PageAsync(result with { Answer = result.Answer! with { Baseline = "System.Text.Json" } });
        var rows = Tables.Read(page, "Time as a multiple of System.Text.Json's");
        Assert.Matches(@"^3\.94 \[", rows[2]["Of System.Text.Json's time"].Text);
        Assert.DoesNotContain("of Google.Protobuf's time\"", page, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_command_is_one_of_the_project()
    {
        var page = await PageAsync(Pages.Answered());
        Assert.Contains("<code>dotnet run -c Release -- --processes 3</code>", page, StringComparison.Ordinal);
        Assert.DoesNotContain("--project src/ProtoBench", page, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_last_answer_is_shown_and_earlier_ones_can_be_opened()
    {
        var last = Pages.Answered();
        var page = await PageAsync(last with { StartedAt = last.StartedAt.AddDays(-1) }, last);
        var (shown, opened) = (page.IndexOf("Order, measured on 2026-01-02", StringComparison.Ordinal), page.IndexOf("Order, measured on 2026-01-01", StringComparison.Ordinal));
        Assert.InRange(shown, 1, opened);
        Assert.Contains("<details class=\"more\"><summary><h2>" + last.Answer!.Message + ", measured on 2026-01-01", page, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Results_without_an_answer_stay_pairs()
    {
        var page = await PageAsync(Pages.Answered(), Pages.Answered() with { Answer = null });
        Assert.Equal(4, Tables.Read(page, "ns/op: ").Count);
    }

    static async Task<string> PageAsync(params DuetResult[] results) =>
        WebUtility.HtmlDecode(await ReportPage.RenderAsync(Pages.Answers(results)));
}
