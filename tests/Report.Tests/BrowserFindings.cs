using System.Text.Json;

namespace ProtoBench.Report.Tests;

/// <summary>What the browser found on each page; one browser looks at all of them.</summary>
public sealed class BrowserFindings : IAsyncLifetime
{
    const string evil = """Evil<script>alert(1)</script>"' onload=alert(2) x=&""";

    static readonly string[] usual =
    [
        "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", @"C:\Program Files\Google\Chrome\Application\chrome.exe",
    ];

    JsonElement found;
    string? reason;

    public JsonElement this[string page]
    {
        get
        {
            Assert.SkipWhen(reason is not null, reason ?? "");
            return found.GetProperty(page);
        }
    }

    public async ValueTask InitializeAsync()
    {
        var chromium = Environment.GetEnvironmentVariable("CHROMIUM") ?? usual.FirstOrDefault(File.Exists);
        if (chromium is null)
        {
            reason = "needs a browser: install Chromium (Debian: apt-get install chromium), or name a Chromium or Chrome in the "
                + "variable CHROMIUM";
            return;
        }

        using var folder = new TempFolder();
        var pages = Pages.Kinds().Append(("hostile", Pages.Hostile(evil))).Append(("many", Pages.Many(10_000))).ToDictionary();
        foreach (var (name, content) in pages)
            await File.WriteAllTextAsync(folder.File(name + ".html"), await ReportPage.RenderAsync(content));
        await using var node = await Node.StartAsync("report.mjs", [chromium, .. pages.Keys.Select(name => folder.File(name + ".html"))]);
        var (exitCode, output) = await node.EndAsync(TimeSpan.FromMinutes(20));
        Assert.True(exitCode == 0, output);
        found = JsonDocument.Parse(output).RootElement;
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
