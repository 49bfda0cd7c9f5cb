using System.Security.Cryptography;
using System.Text;
using Microsoft.AspNetCore.Components;
using Microsoft.AspNetCore.Components.Web;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging.Abstractions;
using ProtoBench.Report.Model;
using ProtoBench.Report.Sections;

namespace ProtoBench.Report;

/// <summary>Renders results as one self-contained HTML page: no network, light and dark, for a screen of any width.</summary>
public static class ReportPage
{
    internal static string PictureStyle { get; } = Read("colours.css") + Read("svg.css");

    internal static string Style { get; } = PictureStyle + Read("page.css") + Read("charts.css") + Read("print.css");

    internal static string Script { get; } = "\"use strict\";\n" + Read("tables.js") + Read("readout.js") + Read("measures.js")
        + Read("filters.js") + Read("chooser.js");

    /// <summary>The hash by which the Content-Security-Policy of the page allows its script.</summary>
    internal static string ScriptHash { get; } = Convert.ToBase64String(SHA256.HashData(Encoding.UTF8.GetBytes(Script)));

    /// <summary>The page as HTML. Thread-safe; text of the results is escaped wherever it stands.</summary>
    public static Task<string> RenderAsync(ReportContent content) =>
        RenderAsync<Page>(new() { [nameof(Page.Content)] = content });

    /// <summary>An SVG file, 800 pixels wide: a chart of versions by its title, or a grid of data sets by a verb. Thread-safe.</summary>
    /// <exception cref="UsageException">Thrown for a name that the results have no picture of.</exception>
    public static async Task<string> PictureAsync(ReportContent content, string name)
    {
        var versions = VersionLines.Of(content.Sides.SelectMany(side => side.Files));
        var grids = SetGrid.Of(content.Cells);
        string[] names = [.. versions.Select(lines => lines.Title), .. grids.Select(grid => grid.Verb)];
        if (!names.Contains(name))
            throw new UsageException($"there is no picture '{name}'; there are: {string.Join(", ", names)}");
        return await RenderAsync<Drawing>(new()
        {
            [nameof(Drawing.Versions)] = versions.FirstOrDefault(lines => lines.Title == name),
            [nameof(Drawing.Grid)] = grids.FirstOrDefault(grid => grid.Verb == name),
        });
    }

    /// <summary>An SVG file, 800 pixels wide, of some ratios. Thread-safe.</summary>
    public static Task<string> PictureAsync(RatioGrid ratios) =>
        RenderAsync<Drawing>(new() { [nameof(Drawing.Ratios)] = ratios });

    static async Task<string> RenderAsync<TComponent>(Dictionary<string, object?> parameters)
        where TComponent : IComponent
    {
        await using var services = new ServiceCollection().BuildServiceProvider();
        await using var renderer = new HtmlRenderer(services, NullLoggerFactory.Instance);
        return await renderer.Dispatcher.InvokeAsync(async () =>
            (await renderer.RenderComponentAsync<TComponent>(ParameterView.FromDictionary(parameters))).ToHtmlString());
    }

    static string Read(string name)
    {
        using var stream = typeof(ReportPage).Assembly.GetManifestResourceStream(name)!;
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd().ReplaceLineEndings("\n");
    }
}
