namespace ProtoBench.Results.Tests;

public class SuiteTests
{
    [Fact]
    public void Two_versions_are_compared_with_a_warning()
    {
        var now = MadeDuet.Of([1, 1]);
        var before = now with { Environment = now.Environment with { Suite = null } };
        Assert.Equal(["suite differs: old has 4 or older; new has 5"], Mismatch.Of([Side("old", before), Side("new", now)]));
        Assert.Empty(Mismatch.Of([Side("old", now), Side("new", now)]));
    }

    [Fact]
    public void A_file_keeps_its_version() =>
        Assert.Equal("5", ResultFile.Parse(DuetResultFile.ToJson(MadeDuet.Of([1, 1])), "x").Facts["suite"]);

    [Fact]
    public void A_file_of_BenchmarkDotNet_has_none() => Assert.DoesNotContain("suite", ResultFile.Parse("""
        { "Benchmarks": [{ "Type": "T", "Method": "M", "FullName": "T.M", "Statistics": { "OriginalValues": [1] } }] }
        """, "x").Facts.Keys);

    static Side Side(string label, DuetResult result) => new(label, [ResultFile.Parse(DuetResultFile.ToJson(result), label)]);
}
