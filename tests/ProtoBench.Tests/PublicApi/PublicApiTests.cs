using System.Reflection;
using PublicApiGenerator;

namespace ProtoBench.Tests;

/// <summary>A change of it is a change for users: CONTRIBUTING.md says how it is accepted.</summary>
public class PublicApiTests
{
    static readonly ApiGeneratorOptions options = new() { IncludeAssemblyAttributes = false, DenyNamespacePrefixes = [] };

    public static TheoryData<string> Packages { get; } =
    [
        .. Directory.EnumerateFiles(Path.Combine(Golden.Root, "src"), "*.csproj", SearchOption.AllDirectories)
            .Where(project => File.ReadAllText(project) is var text
                && text.Contains("eng/Package.props", StringComparison.Ordinal)
                && !text.Contains("<IncludeBuildOutput>false", StringComparison.Ordinal))
            .Select(project => "ProtoBench." + Path.GetFileNameWithoutExtension(project)).Order(StringComparer.Ordinal),
    ];

    [Theory]
    [MemberData(nameof(Packages))]
    public void The_public_API_is_the_one_in_the_file(string package) =>
        Golden.Check(package + ".txt", Assembly.Load(package).GeneratePublicApi(options));

    [Fact]
    public void Every_file_is_of_a_package() =>
        Assert.Equal(
            Packages.Select(package => package.Data + ".txt").Order(StringComparer.Ordinal),
            Directory.EnumerateFiles(Path.Combine(Golden.Root, "tests", "ProtoBench.Tests", "PublicApi"), "*.txt")
                .Select(file => Path.GetFileName(file)).Order(StringComparer.Ordinal));
}
