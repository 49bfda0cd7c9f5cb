namespace ProtoBench.Harness.Tests;

public class PayloadSetTests
{
    [Fact]
    public void Different_sizes_are_measured_as_a_mix_and_by_class()
    {
        var set = new PayloadSet(Enumerable.Range(1, 100).Select(size => Of(size == 100 ? 1_000 : size)));
        Assert.Equal(["mix", "small", "medium", "large"], set.Classes);
        Assert.Equal("100 payloads, 5,950 bytes: p50 50, p95 95, max 1,000", set.Distribution);
        Assert.Equal(Enumerable.Range(1, 50), set.Of("small").Select(bytes => bytes.Length));
        Assert.Equal(Enumerable.Range(51, 45), set.Of("medium").Select(bytes => bytes.Length));
        Assert.Equal([96, 97, 98, 99, 1_000], set.Of("large").Select(bytes => bytes.Length));
        Assert.Equal(100, set.Of(PayloadSet.Mix).Count);
    }

    [Theory]
    [InlineData(19, 1, 100)]
    [InlineData(100, 100, 130)]
    public void Few_payloads_and_equal_sizes_have_no_classes(int count, int first, int last) =>
        Assert.Equal(["mix"], new PayloadSet(Enumerable.Range(0, count).Select(i => Of(i == 0 ? last : first))).Classes);

    [Fact]
    public void A_folder_is_read_in_the_order_of_its_names()
    {
        using var folder = new TempFolder();
        File.WriteAllBytes(folder.File("b.bin"), [2]);
        File.WriteAllBytes(folder.File("a.delimited"), [1, 7, 2, 8, 9]);
        File.WriteAllText(folder.File("notes.txt"), "not a payload");
        Assert.Equal(["a.delimited#0", "a.delimited#1", "b.bin"], PayloadSet.Load(folder.Path).All.Select(payload => payload.Name));
        Assert.Equal(["a.delimited#0", "a.delimited#1", "notes.txt"], PayloadSet.Load(folder.Path, ".txt").All.Select(payload => payload.Name));
    }

    [Fact]
    public void A_folder_without_payloads_and_a_damaged_file_are_refused_by_name()
    {
        using var folder = new TempFolder();
        Assert.Contains("has no payloads", Assert.Throws<InvalidDataException>(() => PayloadSet.Load(folder.File("none"))).Message,
            StringComparison.Ordinal);
        File.WriteAllBytes(folder.File("a.delimited"), [1, 7, 5, 8]);
        Assert.Equal("a.delimited: message 1 is cut off", Assert.Throws<InvalidDataException>(() => PayloadSet.Load(folder.Path)).Message);
    }

    [Fact]
    public void A_cycle_begins_again_behind_its_end()
    {
        var cycle = new Cycle<int>([1, 2, 3]);
        Assert.Equal([1, 2, 3, 1, 2], Enumerable.Range(0, 5).Select(_ => cycle.Next));
        Assert.Throws<ArgumentException>(() => new Cycle<int>([]));
    }

    static NamedPayload Of(int size) => new($"{size}", new byte[size]);
}
