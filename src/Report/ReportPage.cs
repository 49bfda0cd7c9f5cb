using System.Security.Cryptography;
using System.Text;
using Microsoft.AspNetCore.Components;
using Microsoft.AspNetCore.Components.Web;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging.Abstractions;
using ProtoBench.Report.Model;

namespace ProtoBench.Report;

/// <summary>Renders results as one self-contained HTML page: no network, light and dark, for a screen of any width.</summary>
public static class ReportPage
{
    internal static string Style { get; } = Read("page.css") + Read("charts.css") + Read("print.css");

    internal static string Script { get; } = "\"use strict\";\n" + Read("tables.js") + Read("readout.js") + Read("measures.js")
        + Read("filters.js");

    /// <summary>What the page's policy knows its own script by.</summary>
    internal static string ScriptHash { get; } = Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(Script)));

    /// <summary>The page as HTML. Thread-safe; text of the results is escaped wherever it stands.</summary>
    public static async Task<string> RenderAsync(ReportContent content)
    {
        await using var services = new ServiceCollection().BuildServiceProvider();
        await using var renderer = new HtmlRenderer(services, NullLoggerFactory.Instance);
        return await renderer.Dispatcher.InvokeAsync(async () =>
        {
            var parameters = ParameterView.FromDictionary(new Dictionary<string, object?> { [nameof(Page.Content)] = content });
            return (await renderer.RenderComponentAsync<Page>(parameters)).ToHtmlString();
        });
    }

    static string Read(string name)
    {
        using var stream = typeof(ReportPage).Assembly.GetManifestResourceStream(name)!;
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd().ReplaceLineEndings("\n");
    }
}
