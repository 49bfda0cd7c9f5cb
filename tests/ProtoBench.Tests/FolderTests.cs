namespace ProtoBench.Tests;

public class FolderTests
{
    static readonly string root = Path.Combine(Golden.Root, "src", "ProtoBench");

    // Cells have a namespace of their own, because it is part of their published names.
    [Fact]
    public void A_namespace_says_the_project()
    {
        foreach (var file in Directory.GetFiles(root, "*.cs", SearchOption.AllDirectories))
        {
            var path = Path.GetRelativePath(root, file);
            var expected = $"namespace ProtoBench{(path.StartsWith("Benchmarks", StringComparison.Ordinal) ? ".Benchmarks" : "")};";
            Assert.True(File.ReadLines(file).Contains(expected), $"{path} should say {expected}");
        }
    }

    [Fact]
    public void The_root_is_short() => Assert.InRange(Directory.GetFiles(root).Length, 1, 8);
}
