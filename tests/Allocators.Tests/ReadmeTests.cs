namespace ProtoBench.Allocators;

public class ReadmeTests
{
    static readonly string folder = Path.Combine(Golden.Root, "src", "Allocators");

    [Fact]
    public void The_example_runs_and_leaves_nothing_behind()
    {
        // README, from here
        using var pool = SlabPool.Create(new() { Name = "orders", MaxBytes = 64 << 20 });
        using var arena = new Arena(pool);                             // one owner, one release for all
        var id = arena.RentMemory(4);                                  // valid until Reset
        "4711"u8.CopyTo(id.Span);
        using var allocator = new SliceAllocator(pool);
        var leaf = allocator.RentMemory(64);                           // lives by itself, until its last release
        SliceAllocator.Preserve(leaf);                                 // one more reader, on any thread
        SliceAllocator.Release(leaf);
        SliceAllocator.Release(leaf);
        arena.Reset();                                                 // id is gone; the slab is not

        // README, to here
        Assert.Equal((0, 0, 2), (pool.Snapshot().LiveBytes, pool.Snapshot().LiveSlices, pool.Snapshot().LentSlabs));
    }

    [Fact]
    public void The_example_is_the_one_in_README()
    {
        var test = File.ReadAllText(Path.Combine(Golden.Root, "tests", "Allocators.Tests", "ReadmeTests.cs"));
        Assert.Equal(
            Lines(Between(test, "// README, from here\n", "// README, to here\n")),
            Lines(Between(Readme(), "```csharp\n", "```\n")));
    }

    [Fact]
    public void Every_public_type_is_introduced() =>
        Assert.All(
            typeof(Arena).Assembly.GetExportedTypes().Where(type => type is { IsClass: true, IsAbstract: false }),
            type => Assert.Contains(type.Name.Split('`')[0], Readme(), StringComparison.Ordinal));

    internal static string Readme() => File.ReadAllText(Path.Combine(folder, "README.md")).ReplaceLineEndings("\n");

    static string Between(string text, string start, string end)
    {
        text = text.ReplaceLineEndings("\n");
        var from = text.IndexOf(start, StringComparison.Ordinal) + start.Length;
        return text[from..text.IndexOf(end, from, StringComparison.Ordinal)];
    }

    static string[] Lines(string code) => [.. code.Split('\n').Select(line => line.Trim()).Where(line => line.Length > 0)];
}
