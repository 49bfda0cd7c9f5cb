namespace ProtoBench.Results.Tests.Duet;

public class DuetResultFileTests
{
    [Fact]
    public void What_is_written_is_read()
    {
        var json = DuetResultFile.ToJson(MadeDuet.Result(MadeDuet.Pair("A", "B", [1.04, 1.05, 1.06])));
        var read = DuetResultFile.Parse(json, "duet.json");
        Assert.Equal(json, DuetResultFile.ToJson(read));
        var pair = Assert.Single(read.Duets);
        Assert.Equal(("N.T.A", "N.T.B", 3), (pair.Old.Cell, pair.New.Cell, pair.Processes.Count));
        Assert.Equal(1.05, pair.Ratio, 1e-3);
    }

    [Theory]
    [InlineData("\"schemaVersion\": 1", "\"schemaVersion\": 2", "newer than this program")]
    [InlineData("\"schemaVersion\": 1", "\"schemaVersion\": 0", "without its schemaVersion")]
    [InlineData("\"clock\": \"cpu\"", "\"clock\": \"sun\"", "neither cpu nor wall")]
    [InlineData("\"alpha\": 0.05", "\"alpha\": 5", "alpha between 0 and 1")]
    [InlineData("\"p\": ", "\"p\": 7, \"was\": ", "p is not between 0 and 1")]
    [InlineData("\"low\": ", "\"low\": 1.9, \"was\": ", "the interval does not hold the ratio")]
    [InlineData("\"nanosecondsPerOperation\": ", "\"nanosecondsPerOperation\": -1, \"was\": ", "negative")]
    [InlineData("\"duets\"", "\"pairs\"", "not a duet result")]
    [InlineData("\"settings\":", "\"package\": \"Lib\", \"settings\":", "N.T.A has no parameter Lib")]
    [InlineData("\"ratio\":", "\"ratio\": null, \"was\":", "not a duet result")]
    [InlineData("\"ratio\":", "\"ratio\": 1e400, \"was\":", "damaged: $.duets[0].ratio is not finite")]
    public void A_file_that_contradicts_itself_is_refused(string from, string to, string reason)
    {
        var json = DuetResultFile.ToJson(MadeDuet.Result(MadeDuet.Pair("A", "B", [1.04, 1.05, 1.06])));
        Assert.Contains(from, json, StringComparison.Ordinal);
        var fault = Assert.Throws<DamagedFileException>(() =>
            DuetResultFile.Parse(json.Replace(from, to, StringComparison.Ordinal), "duet.json"));
        Assert.StartsWith("duet.json: ", fault.Message, StringComparison.Ordinal);
        Assert.Contains(reason, fault.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_pair_that_is_there_twice_is_refused()
    {
        var pair = MadeDuet.Pair("A", "B", [1, 1.1]);
        Assert.Contains("is there twice",
            Assert.Throws<DamagedFileException>(() =>
                DuetResultFile.Parse(DuetResultFile.ToJson(MadeDuet.Result(pair, pair)), "duet.json")).Message, StringComparison.Ordinal);
    }
}
