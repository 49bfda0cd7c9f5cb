namespace ProtoBench.Results.Tests;

/// <summary>Five launches a side. The new program copies into a slab a tenth larger and walks a tenth less far, nothing else.</summary>
public class RealFilesTests
{
    [Fact]
    public void Old_against_new() =>
        Golden.Check("real-files.txt",
            Text(["old=" + Data.PathOf("old-*.json"), "new=" + Data.PathOf("new-*.json")], new ComparisonOptions()));

    [Fact]
    public void One_launch_against_another() =>
        Golden.Check("real-files-one-launch.txt", Text([Data.PathOf("old-1.json"), Data.PathOf("new-1.json")], new ComparisonOptions()));

    [Fact]
    public void A_pair_within_a_side() => Golden.Check(
        "real-files-pair.txt", Text(["old=" + Data.PathOf("old-*.json")], new ComparisonOptions { Pairs = ["EncodeBoxed=EncodeDirect"] }));

    [Fact]
    public void A_file_with_several_jobs() =>
        Golden.Check("several-jobs.txt", Text([Data.PathOf("several-jobs.json")], new ComparisonOptions { Pairs = ["Dry=Workstation"] }));

    static string Text(string[] sides, ComparisonOptions options)
    {
        using var writer = new StringWriter();
        var comparison = Comparer.Compare(Side.Read(sides, writer.WriteLine), options);
        foreach (var warning in comparison.Warnings)
            writer.Write($"warning: {warning}\n");
        TextTable.Write(comparison, writer);
        return writer.ToString();
    }
}
