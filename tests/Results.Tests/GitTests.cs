namespace ProtoBench.Results.Tests;

/// <summary>A measuring session saves table after table. They must not make its own commit look changed.</summary>
public sealed class GitTests : IDisposable
{
    readonly string folder = Directory.CreateTempSubdirectory("checkout-").FullName;

    public GitTests()
    {
        Write("src/Codec/Reader.cs", "1");
        Write("results/cpu/Hive.md", "1");
        Write("docs/results/hive.md", "1");
        Write("README.md", "1");
        Run("init", "--quiet");
        Run("add", ".");
        Run("-c", "user.name=Test", "-c", "user.email=test@localhost", "commit", "--quiet", "-m", "first");
    }

    public void Dispose()
    {
        // git's own files are read-only
        foreach (var file in Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories))
            File.SetAttributes(file, FileAttributes.Normal);
        Directory.Delete(folder, recursive: true);
    }

    [Theory]
    [InlineData("results/cpu/Hive.md")]
    [InlineData("results/cpu/New.json")]
    [InlineData("docs/results/hive.md")]
    [InlineData("docs/results/hive.svg")]
    [InlineData("README.md")]
    public void Tables_and_their_pages_are_no_change(string file)
    {
        Write(file, "2");
        Assert.True(Git.IsClean(folder));
    }

    [Theory]
    [InlineData("src/Codec/Reader.cs")]
    [InlineData("src/Codec/New.cs")]
    [InlineData("src/results/New.cs")]
    [InlineData("Directory.Packages.props")]
    [InlineData("docs/results/measured.cs")]
    public void Other_files_are_a_change_seen_from_every_folder(string file)
    {
        Write(file, "2");
        Assert.False(Git.IsClean(folder));
        Assert.False(Git.IsClean(Path.Combine(folder, "results")));
    }

    [Fact]
    public void A_source_that_is_gone_is_a_change()
    {
        File.Delete(Path.Combine(folder, "src", "Codec", "Reader.cs"));
        Assert.False(Git.IsClean(folder));
    }

    [Fact]
    public void The_commit_is_known_inside_a_checkout_alone()
    {
        Assert.Matches("^[0-9a-f]{40,64}$", Git.Commit(Path.Combine(folder, "src")));
        using var outside = new TempFolder();
        Assert.Null(Git.Commit(outside.Path));
        Assert.Null(Git.IsClean(outside.Path));
    }

    void Run(params string[] arguments) => Assert.NotNull(Git.Ask(folder, arguments));

    void Write(string file, string text)
    {
        var path = Path.Combine(folder, file);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, text);
    }
}
