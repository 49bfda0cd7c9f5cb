using System.Text.Json;
using System.Xml.Linq;

namespace ProtoBench.Tests;

/// <summary>Which project may reference which. A new reference is a decision: add it to ARCHITECTURE.md and here.</summary>
public class LayeringTests
{
    static readonly Dictionary<string, string[]> allowedReferences = new()
    {
        ["Allocators"] = [],
        ["Codec"] = ["Allocators"],
        ["Codec.Generator"] = [],
        ["Codec.Grpc"] = ["Codec"],
        ["Codec.Grpc.AspNetCore"] = ["Codec.Grpc"],
        ["Codec.Analyzers"] = [],
        ["Codec.Build"] = ["Codec", "Codec.Analyzers", "Codec.Generator"],
        ["Messages"] = ["Allocators", "Codec", "Messages.Generator"],
        ["Messages.Generator"] = ["Codec.Generator"],
        ["Rpc"] = ["Allocators", "Codec", "Codec.Grpc.AspNetCore", "Messages"],
        ["Results"] = [],
        ["Report"] = ["Results"],
        ["DuetRunner"] = [],
        ["Schemas"] = ["Codec"],
        ["Harness"] = ["DuetRunner", "Results"],
        ["ProtoBench"] =
        [
            "Allocators", "Codec", "Codec.Grpc.AspNetCore", "Harness", "Messages", "Messages.Generator", "Report", "Results", "Rpc", "Schemas",
        ],
        ["GrpcHost"] = ["Allocators", "Codec.Grpc.AspNetCore", "Messages", "Report", "Results", "Rpc", "Schemas"],
    };

    [Fact]
    public void Projects_reference_only_what_they_may()
    {
        foreach (var project in Directory.GetFiles(Path.Combine(Golden.Root, "src"), "*.csproj", SearchOption.AllDirectories))
        {
            var name = Path.GetFileNameWithoutExtension(project);
            Assert.True(allowedReferences.TryGetValue(name, out var allowed), $"{name} has no entry in the list of allowed references");
            var references = XDocument.Load(project).Descendants("ProjectReference")
                .Select(reference => Path.GetFileNameWithoutExtension(reference.Attribute("Include")!.Value.Replace('\\', '/')));
            Assert.All(references, other => Assert.True(allowed.Contains(other), $"{name} may not reference {other}"));
        }
    }

    [Fact]
    public void The_packages_and_their_tests_need_no_other_project_and_no_measured_library()
    {
        using var filter = JsonDocument.Parse(File.ReadAllText(Path.Combine(Golden.Root, "src", "Packages.slnf")));
        var projects = filter.RootElement.GetProperty("solution").GetProperty("projects").EnumerateArray()
            .Select(project => Path.GetFullPath(Path.Combine(Golden.Root, project.GetString()!.Replace('\\', '/')))).ToHashSet();
        var measured = XDocument.Load(Path.Combine(Golden.Root, "Directory.Packages.props")).Descendants("PlainClassPackage")
            .Select(package => package.Attribute("Include")!.Value).ToHashSet();
        Assert.Contains("protobuf-net", measured);
        foreach (var project in projects)
        {
            var items = XDocument.Load(project).Descendants().ToLookup(item => item.Name.LocalName, item => item.Attribute("Include")?.Value);
            Assert.All(items["ProjectReference"],
                other => Assert.Contains(Path.GetFullPath(other!, Path.GetDirectoryName(project)!), projects));
            Assert.All(items["PackageReference"], package => Assert.DoesNotContain(package!, measured));
        }
    }

    [Fact]
    public void Every_project_is_in_the_solution_and_every_source_project_has_tests()
    {
        var solution = File.ReadAllText(Path.Combine(Golden.Root, "ProtoBench.sln"));
        foreach (var project in Directory.GetFiles(Path.Combine(Golden.Root, "src"), "*.csproj", SearchOption.AllDirectories))
        {
            var name = Path.GetFileNameWithoutExtension(project);
            Assert.Contains($"\"src\\{name}\\{name}.csproj\"", solution, StringComparison.Ordinal);

            // .ci/consumer builds and runs a project that uses the package, each data set is made by Messages.Generator, and
            // Codec.Grpc.Tests has the tests of both sides of a call, and the generated code that the analyzer reads
            if (name is "Codec.Build" or "Codec.Grpc.AspNetCore" or "Messages.Generator" or "Codec.Analyzers") continue;
            Assert.Contains($"\"tests\\{name}.Tests\\{name}.Tests.csproj\"", solution, StringComparison.Ordinal);
        }
    }
}
