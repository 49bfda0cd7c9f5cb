namespace ProtoBench.Results.Tests;

public sealed class SideTests : IDisposable
{
    readonly string folder = Directory.CreateTempSubdirectory("sides-").FullName;
    readonly List<string> warnings = [];

    [Fact]
    public void A_path_without_a_label_is_a_side_of_its_own()
    {
        var sides = Read(Put("old.json", 1), Put("new.json", 2));
        Assert.Equal([("old", 1), ("new", 1)], sides.Select(side => (side.Label, side.Files.Count)));
    }

    [Fact]
    public void Equal_labels_are_pooled_in_the_order_of_their_first()
    {
        var sides = Read("b=" + Put("1.json", 1), "a=" + Put("2.json", 2), "b=" + Put("3.json", 3));
        Assert.Equal([("b", 2), ("a", 1)], sides.Select(side => (side.Label, side.Files.Count)));
    }

    [Fact]
    public void Files_of_the_same_name_are_told_apart_by_their_path()
    {
        string[] paths = [Put("x/run.json", 1), Put("y/run.json", 2)];
        Assert.Equal(paths, Read(paths).Select(side => side.Label));
    }

    [Fact]
    public void A_folder_stands_for_its_result_files()
    {
        Put("runs/launch-01.json", 1);
        Put("runs/launch-02.json", 2);
        Put("runs/launch-01/deeper-report-full.json", 3);
        var side = Read(Path.Combine(folder, "runs") + Path.DirectorySeparatorChar).Single();
        Assert.Equal(("runs", 2), (side.Label, side.Files.Count));
    }

    [Fact]
    public void A_folder_of_artifacts_counts_each_report_once()
    {
        Put("artifacts/results/Cells-report-full.json", 1);
        Put("artifacts/results/Cells-report-full-compressed.json", 1);
        Put("artifacts/results/Others-report-full-compressed.json", 2);
        Assert.Equal(2, Read(Path.Combine(folder, "artifacts")).Single().Files.Count);
        Assert.Empty(warnings);
    }

    [Fact]
    public void Stars_and_question_marks_choose_files()
    {
        Put("old-1.json", 1);
        Put("old-2.json", 2);
        Put("new-1.json", 3);
        Assert.Equal([2, 1],
            Read("old=" + Path.Combine(folder, "old-?.json"), "new=" + Path.Combine(folder, "new*")).Select(side => side.Files.Count));
    }

    [Fact]
    public void An_equals_sign_in_a_path_that_exists_is_no_label()
    {
        var path = Put("size=1.json", 1);
        Assert.Equal("size=1", Read(path).Single().Label);
    }

    [Fact]
    public void The_same_measurements_twice_are_counted_once_and_said()
    {
        var (first, second) = (Put("1.json", 1), Put("2.json", 1));
        Assert.Single(Read("old=" + first, "old=" + second).Single().Files);
        Assert.Equal($"{second}: the same measurements as {first}; counted once", warnings.Single());
    }

    [Theory]
    [InlineData("missing.json", "no such file")]
    [InlineData("nothing-*.json", "no result files there")]
    [InlineData("", "no result files there")]
    public void What_is_not_there_is_said(string name, string reason)
    {
        var path = Path.Combine(folder, name);
        Assert.Equal($"{path}: {reason}", Assert.Throws<DamagedFileException>(() => Read("x=" + path)).Message);
    }

    public void Dispose() => Directory.Delete(folder, recursive: true);

    IReadOnlyList<Side> Read(params string[] arguments) => Side.Read(arguments, warnings.Add);

    string Put(string name, int nanoseconds)
    {
        var path = Path.Combine(folder, name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, $$"""
            { "Benchmarks": [ { "Type": "A", "Method": "B", "FullName": "A.B", "Statistics": { "OriginalValues": [{{nanoseconds}}] } } ] }
            """);
        return path;
    }
}
