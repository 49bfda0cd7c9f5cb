using System.Diagnostics;
using System.IO.Compression;
using System.Net;

namespace ProtoBench.Tests;

/// <summary>With a feed made up for the test: a small project below copies of this repository's build files.</summary>
public sealed class PackagesTests : IDisposable
{
    readonly string folder = Directory.CreateTempSubdirectory("protobench-feed-").FullName;

    public PackagesTests()
    {
        foreach (var file in new[] { "Directory.Build.props", "Directory.Build.targets", "Directory.Packages.props" })
            File.Copy(Path.Combine(Golden.Root, file), Path.Combine(folder, file));
        Put("App/App.csproj",
            """<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><PackageReference Include="MemoryPack" /></ItemGroup></Project>""");
        Put("App/Empty.cs", "// no type\n");
        Directory.CreateDirectory(Path.Combine(folder, "packages"));
        PutConfig("");
    }

    [Fact]
    public async Task A_version_of_Google_Protobuf_that_is_too_old_is_refused_with_the_reason()
    {
        Put("Messages/Messages.csproj", """<Project Sdk="Microsoft.NET.Sdk" />""");
        var (exit, said) = await BuildAsync("Messages", "-p:GoogleProtobufVersion=3.14.0");
        Assert.NotEqual(0, exit);
        Assert.Contains(
            "GoogleProtobufVersion=3.14.0 is older than 3.15.6, the oldest version that these messages are generated for and tested with.",
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
        var (exit, said) = await BuildAsync("App", "-p:NuGetAuditMode=all");
        Assert.True(exit == 0, said);
        foreach (var code in new[] { "NU1901", "NU1902", "NU1903", "NU1904" })
            Assert.Contains("warning " + code, said, StringComparison.Ordinal);
        source.Stop();
        await serving;
    }

    public void Dispose() => Directory.Delete(folder, recursive: true);

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
}
