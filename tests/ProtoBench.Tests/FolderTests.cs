namespace ProtoBench.Tests;

public class FolderTests
{
    static readonly string root = Path.Combine(Golden.Root, "src", "ProtoBench");

    [Fact]
    public void A_namespace_is_its_folder()
    {
        foreach (var file in Directory.GetFiles(root, "*.cs", SearchOption.AllDirectories))
        {
            var path = Path.GetRelativePath(root, Path.GetDirectoryName(file)!);
            string[] folders = [.. path.Split(Path.DirectorySeparatorChar).Where(folder => folder != ".")];
            var expected = $"namespace {string.Join('.', ["ProtoBench", .. folders])};";
            Assert.True(File.ReadLines(file).Contains(expected), $"{Path.GetRelativePath(root, file)} should say {expected}");
        }
    }

    [Fact]
    public void The_root_is_short() => Assert.InRange(Directory.GetFiles(root).Length, 1, 8);
}
