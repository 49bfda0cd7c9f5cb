using System.Diagnostics;
using System.IO.Compression;
using System.Net;
using System.Text.RegularExpressions;
using ProtoBench.Testing;

namespace ProtoBench.Tests;

/// <summary>What the build makes of a package feed, with a feed made up for the
/// test: a small project below copies of this repository's build files.</summary>
public sealed partial class OptionalPackagesTests : IDisposable
{
    readonly string folder = Directory.CreateTempSubdirectory("protobench-feed-").FullName;

    public OptionalPackagesTests()
    {
        foreach (var file in new[] { "Directory.Build.props", "Directory.Build.targets", "Directory.Packages.props",
            "eng/OptionalPackages.targets", "eng/FeedProbe/FeedProbe.csproj" })
        {
            var copy = new FileInfo(Path.Combine(folder, file));
            copy.Directory!.Create();
            File.Copy(Path.Combine(Golden.Root, file), copy.FullName);
        }

        Put("App/App.csproj",
            """<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><OptionalPackage Update="MemoryPack" In="App" /></ItemGroup></Project>""");
        Put("App/Empty.cs", "// no type\n");
        Directory.CreateDirectory(Path.Combine(folder, "packages"));
        PutConfig("");
    }

    [Fact]
    public async Task A_version_that_the_feed_has_is_used()
    {
        Pack("MemoryPack", "1.21.4");
        await BuildAsync();
        Assert.True(File.Exists(Path.Combine(folder, "artifacts/feed/MemoryPack.yes")));
        Assert.DoesNotContain("LeftOut", Facts(), StringComparison.Ordinal);
    }

    /// <summary>NuGet takes the next higher version with warning NU1603, which is an error in a Release build.</summary>
    [Fact]
    public async Task Another_version_is_left_out_with_the_version_that_was_found()
    {
        Pack("MemoryPack", "1.21.5");
        const string reason =
            "the package feed has another version: MemoryPack (>= 1.21.4) but MemoryPack 1.21.4 was not found. MemoryPack 1.21.5 was "
                + "resolved instead.";
        Assert.Contains("Left out: MemoryPack: " + reason, await BuildAsync(), StringComparison.Ordinal);
        Assert.Contains($"MemoryPack: {reason}\"", Facts(), StringComparison.Ordinal);

        // said once: the second build knows
        Assert.DoesNotContain("MemoryPack", await BuildAsync(), StringComparison.Ordinal);
        Assert.Contains($"MemoryPack: {reason}\"", Facts(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Another_version_of_what_a_package_needs_counts_as_well()
    {
        Pack("MemoryPack", "1.21.4", """<dependencies><dependency id="Needed" version="2.0.1" /></dependencies>""");
        Pack("Needed", "2.0.2");
        Assert.Contains("Needed 2.0.2 was resolved instead.", await BuildAsync(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_package_that_the_feed_lacks_is_left_out()
    {
        Assert.Contains("Left out: MemoryPack: the package feed cannot restore it, or a package that it needs", await BuildAsync(),
            StringComparison.Ordinal);
        Assert.Contains("MemoryPack: the package feed cannot restore it, or a package that it needs\"", Facts(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_group_that_is_switched_off_is_left_out_with_the_reason()
    {
        Pack("MemoryPack", "1.21.4");
        var (exit, said) = await BuildAsync("App", "-p:MemoryPack=false");
        Assert.True(exit == 0, said);
        Assert.Contains("MemoryPack: switched off by -p:MemoryPack=false\"", Facts(), StringComparison.Ordinal);
    }

    /// <summary>One line lists a new package. The folder of its group is compiled where the feed has the package, and only there.</summary>
    [Fact]
    public async Task One_line_adds_a_package_and_the_folder_of_its_group()
    {
        var packages = Path.Combine(folder, "Directory.Packages.props");
        const string line = """<OptionalPackage Include="New.Package" Version="2.1.0" Group="Newcomer" In="App" />""";
        var text = await File.ReadAllTextAsync(packages, TestContext.Current.CancellationToken);
        Put("Directory.Packages.props", text.Replace("</Project>", $"<ItemGroup>{line}</ItemGroup></Project>", StringComparison.Ordinal));
        Put("App/Cells/Newcomer/Deeper/Cells.cs", "#error the folder is compiled\n");
        Assert.Contains("Left out: New.Package: the package feed cannot restore it", await BuildAsync(), StringComparison.Ordinal);

        Directory.Delete(Path.Combine(folder, "artifacts/feed"), recursive: true);
        Pack("New.Package", "2.1.0");
        Pack("MemoryPack", "1.21.4");
        var (exit, said) = await BuildAsync("App", "-p:NuGetAuditMode=all");
        Assert.Contains("the folder is compiled", said, StringComparison.Ordinal);
        Assert.NotEqual(0, exit);
        var assets = Path.Combine(folder, "artifacts/obj/App/project.assets.json");
        Assert.Contains("\"New.Package/2.1.0\"", await File.ReadAllTextAsync(assets, TestContext.Current.CancellationToken),
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_version_of_Google_Protobuf_that_is_too_old_is_refused_with_the_reason()
    {
        Put("Messages/Messages.csproj", """<Project Sdk="Microsoft.NET.Sdk" />""");
        var (exit, said) = await BuildAsync("Messages", "-p:GoogleProtobufVersion=3.19.3");
        Assert.NotEqual(0, exit);
        Assert.Contains(
            "GoogleProtobufVersion=3.19.3 is older than 3.21.9, the oldest version that these messages are generated for and tested with.",
                said, StringComparison.Ordinal);
    }

    /// <summary>An audit source on this machine that knows an advisory of each severity.</summary>
    [Fact]
    public async Task An_advisory_is_a_warning_and_no_error()
    {
        string[] packages = ["MemoryPack", "Moderate", "High", "Critical"];
        string[] dependencies = [.. packages[1..].Select(id => $"""<dependency id="{id}" version="1.21.4" />""")];
        Pack("MemoryPack", "1.21.4", $"<dependencies>{string.Concat(dependencies)}</dependencies>");
        foreach (var id in packages[1..])
            Pack(id, "1.21.4");
        using var source = new HttpListener();
        var address = Listen(source);
        var advisories = string.Join(',', packages.Select((id, severity) => $$"""
            "{{id.ToLowerInvariant()}}": [{ "url": "https://advisories.invalid/{{severity}}", "severity": {{severity}}, "versions": "(, 9.0.0)" }]
            """));
        var serving = ServeAsync(source, path => path switch
        {
            "/index.json" =>
                $$"""{ "version": "3.0.0", "resources": [{ "@id": "{{address}}advisories.json", "@type": "VulnerabilityInfo/6.7.0" }] }""",
            "/advisories.json" => $$"""[{ "@name": "base", "@id": "{{address}}base.json", "@updated": "2026-01-01T00:00:00Z" }]""",
            _ => $"{{ {advisories} }}",
        });
        PutConfig($"""<auditSources><add key="test" value="{address}index.json" allowInsecureConnections="true" /></auditSources>""");
        var said = await BuildAsync();
        foreach (var code in new[] { "NU1901", "NU1902", "NU1903", "NU1904" })
            Assert.Contains("warning " + code, said, StringComparison.Ordinal);
        source.Stop();
        await serving;
    }

    public void Dispose() => Directory.Delete(folder, recursive: true);

    async Task<string> BuildAsync()
    {
        var (exit, said) = await BuildAsync("App", "-p:NuGetAuditMode=all");
        Assert.True(exit == 0, said);
        return said;
    }

    /// <summary>A Release build with a package cache of its own.</summary>
    async Task<(int Exit, string Said)> BuildAsync(string project, string property)
    {
        var start = new ProcessStartInfo("dotnet", ["build", project, "-c", "Release", property])
        {
            WorkingDirectory = folder,
            RedirectStandardOutput = true,
            Environment =
            {
                ["NUGET_PACKAGES"] = Path.Combine(folder, "restored"),
                ["RestoreAdditionalProjectSources"] = null, // whoever adds packages to the feed this way has them in these builds too
                ["MSBUILDDISABLENODEREUSE"] = "1",
            },
        };
        using var build = Process.Start(start)!;
        var said = await build.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        await build.WaitForExitAsync(TestContext.Current.CancellationToken);
        return (build.ExitCode, said);
    }

    /// <summary>The assembly's facts as the build has written them, its long literals in one piece.</summary>
    string Facts() =>
        Literals().Replace(
            File.ReadAllText(Directory.GetFiles(Path.Combine(folder, "artifacts/obj/App"), "*.AssemblyInfo.cs", SearchOption.AllDirectories)
                .Single()), "");

    void Put(string file, string text)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(Path.Combine(folder, file))!);
        File.WriteAllText(Path.Combine(folder, file), text);
    }

    void PutConfig(string more) => Put("NuGet.config", $"""
        <configuration><packageSources><clear /><add key="test" value="packages" /></packageSources>{more}</configuration>
        """);

    void Pack(string id, string version, string more = "")
    {
        using var package = ZipFile.Open(Path.Combine(folder, "packages", $"{id}.{version}.nupkg"), ZipArchiveMode.Create);
        using (var description = new StreamWriter(package.CreateEntry(id + ".nuspec").Open()))
            description.Write(
                $"<package><metadata><id>{id}</id><version>{version}</version><authors>test</authors><description>test</description>{more}</metadata></package>");
        package.CreateEntry("lib/net10.0/_._");
    }

    static string Listen(HttpListener listener)
    {
        using var free = new System.Net.Sockets.TcpListener(IPAddress.Loopback, 0);
        free.Start();
        var address = $"http://127.0.0.1:{((IPEndPoint)free.LocalEndpoint).Port}/";
        free.Stop();
        listener.Prefixes.Add(address);
        listener.Start();
        return address;
    }

    static async Task ServeAsync(HttpListener listener, Func<string, string> answer)
    {
        try
        {
            while (true)
            {
                var request = await listener.GetContextAsync();
                request.Response.ContentType = "application/json";
                await using (var body = new StreamWriter(request.Response.OutputStream))
                    await body.WriteAsync(answer(request.Request.Url!.AbsolutePath));
                request.Response.Close();
            }
        }
        catch (Exception e) when (e is HttpListenerException or ObjectDisposedException)
        {
            // stopped
        }
    }

    [GeneratedRegex("\" \\+\\s+\"")]
    private static partial Regex Literals();
}
