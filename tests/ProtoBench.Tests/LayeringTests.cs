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
        ["Codec.Build"] = ["Codec", "Codec.Generator"],
        ["Messages"] = ["Allocators", "Codec"],
        ["Rpc"] = ["Allocators", "Codec", "Codec.Grpc", "Messages"],
        ["Results"] = [],
        ["Report"] = ["Results"],
        ["DuetRunner"] = [],
        ["Schemas"] = [],
        ["Harness"] = ["DuetRunner", "Results"],
        ["ProtoBench"] =
        [
            "Allocators", "Codec", "Codec.Generator", "Codec.Grpc", "Harness", "Messages", "Report", "Results", "Rpc", "Schemas",
        ],
        ["GrpcHost"] = ["Allocators", "Codec.Grpc", "Messages", "Report", "Results", "Rpc", "Schemas"],
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
    public void Every_project_is_in_the_solution_and_every_source_project_has_tests()
    {
        var solution = File.ReadAllText(Path.Combine(Golden.Root, "ProtoBench.sln"));
        foreach (var project in Directory.GetFiles(Path.Combine(Golden.Root, "src"), "*.csproj", SearchOption.AllDirectories))
        {
            var name = Path.GetFileNameWithoutExtension(project);
            Assert.Contains($"\"src\\{name}\\{name}.csproj\"", solution, StringComparison.Ordinal);

            // a package without code of its own: .ci/consumer builds and runs a project that uses it
            if (name == "Codec.Build") continue;
            Assert.Contains($"\"tests\\{name}.Tests\\{name}.Tests.csproj\"", solution, StringComparison.Ordinal);
        }
    }
}
