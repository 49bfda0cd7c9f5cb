using BenchmarkDotNet.Configs;

namespace ProtoBench.Harness.Tests;

public sealed class StoppableRunTests : IDisposable
{
    readonly string folder = Directory.CreateTempSubdirectory("runs-").FullName;

    [Fact]
    public void Files_are_tried_before_anything_is_measured()
    {
        File.WriteAllText(Path.Combine(folder, "results"), "");
        using var run = new StoppableRun();
        var refused = Assert.Throws<UsageException>(() => run.Run(Config(), () => throw new InvalidOperationException("it was measured")));
        Assert.StartsWith($"--artifacts: cannot write {Path.Combine(folder, "results")}: ", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Files_that_cannot_be_written_are_one_line_and_no_half_of_a_file_is_left()
    {
        var (old, cut) = (Path.Combine(folder, "results", "old.json"), Path.Combine(folder, "results", "new.json"));
        Directory.CreateDirectory(Path.Combine(folder, "results"));
        File.WriteAllText(old, "{}");
        using var run = new StoppableRun();
        var lost = Assert.Throws<UsageException>(() => run.Run(Config(), () =>
        {
            File.WriteAllText(cut, "{ \"half");
            throw new IOException("No space left on device : 'new.json'");
        }));
        Assert.Equal($"cannot write {Path.Combine(folder, "results")}: No space left on device : 'new.json'; nothing was measured", lost.Message);
        Assert.Equal((true, false), (File.Exists(old), File.Exists(cut)));
    }

    public void Dispose() => Directory.Delete(folder, recursive: true);

    ManualConfig Config() => ManualConfig.CreateEmpty().WithArtifactsPath(folder);
}
