namespace ProtoBench.Results.Tests;

public sealed class ResultPathTests : IDisposable
{
    readonly string folder = Directory.CreateTempSubdirectory("paths-").FullName;

    [Fact]
    public void What_can_be_written_leaves_nothing_behind()
    {
        ResultPath.Check(Path.Combine(folder, "a", "b", "result.json"));
        ResultPath.CheckFolder(Path.Combine(folder, "c", "d"), "--artifacts");
        Assert.Empty(Directory.EnumerateFileSystemEntries(folder));
    }

    [Fact]
    public void A_file_that_exists_keeps_its_content()
    {
        var file = Path.Combine(folder, "result.json");
        File.WriteAllText(file, "old");
        ResultPath.Check(file);
        Assert.Equal("old", File.ReadAllText(file));
    }

    // a folder below a file cannot be created by anybody
    [Fact]
    public void What_cannot_be_written_is_wrong_use_in_one_line()
    {
        var file = Path.Combine(folder, "file");
        File.WriteAllText(file, "");
        foreach (var check in (Action[])[() => ResultPath.Check(Path.Combine(file, "a.json")), () => ResultPath.CheckFolder(file, "--out")])
        {
            var refused = Assert.Throws<UsageException>(check);
            Assert.StartsWith($"--out: cannot write {file}", refused.Message, StringComparison.Ordinal);
            Assert.DoesNotContain('\n', refused.Message);
        }

        Assert.Equal($"--out: {folder} is a folder", Assert.Throws<UsageException>(() => ResultPath.Check(folder)).Message);
    }

    [Fact]
    public void What_could_not_be_written_later_says_so_and_leaves_no_half_of_a_file()
    {
        var file = Path.Combine(folder, "new", "result.json");
        var lost = Assert.Throws<UsageException>(() => ResultPath.Write(file, () =>
        {
            File.WriteAllText(file, "{ \"half");
            throw new IOException("No space left on device");
        }));
        Assert.Equal($"cannot write {file}: No space left on device; what was measured is above, and is not saved", lost.Message);
        Assert.False(File.Exists(file));
    }

    public void Dispose() => Directory.Delete(folder, recursive: true);
}
