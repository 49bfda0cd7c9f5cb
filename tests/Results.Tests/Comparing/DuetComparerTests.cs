using static ProtoBench.Testing.MadeDuet;

namespace ProtoBench.Results.Tests;

public class DuetComparerTests
{
    static readonly double[] faster = [0.101, 0.100, 0.099, 0.1005, 0.0995, 0.1, 0.1001, 0.0999, 0.1002, 0.0998];
    static readonly double[] slightly = [1.051, 1.04, 1.06, 1.05, 1.045, 1.055, 1.05, 1.047, 1.053, 1.05];
    static readonly double[] same = [1.01, 0.99, 1.005, 0.995, 1, 1.002, 0.998, 1.004, 0.996, 1];

    [Fact]
    public void Pairs_of_one_build_are_a_table() =>
        Golden.Check("duet.txt",
            Text(Duet(false, Pair("DeserializeRequestGoogle_BA", "DeserializeRequestSlab_ROM", faster, 770_802, 0),
                Pair("MarshalBySlab", "MarshalBySchema", same, 64, 64))));

    [Fact]
    public void Two_builds_are_a_table() =>
        Golden.Check("duet-builds.txt",
            Text(Duet(true, Pair("MeasureRequestSlab", "MeasureRequestSlab", slightly, 0, 0), Pair("Parse", "Parse", same, 24, 48))));

    // The same figures as the result's own interval and p, since they are ready made.
    [Fact]
    public void The_ratio_is_that_of_the_file()
    {
        var result = Duet(false, Pair("A", "B", slightly, 0, 0));
        var change = Compare(result).Blocks[0].Rows.Single().Changes[1]!;
        Assert.Equal((result.Duets[0].Ratio, result.Duets[0].Low, result.Duets[0].High),
            (change.Ratio!.Value.Value, change.Ratio.Value.Low, change.Ratio.Value.High));
        Assert.Equal(result.Duets[0].P!.Value, change.P!.Value, 1e-12);
    }

    [Fact]
    public void A_threshold_holds_for_the_whole_interval()
    {
        var result = Duet(false, Pair("A", "B", slightly, 0, 0));
        Verdict Of(double threshold) =>
            Compare(result, new ComparisonOptions { Threshold = threshold }).Blocks[0].Rows.Single().Changes[1]!.Verdict;
        Assert.Equal([Verdict.Worse, Verdict.Worse, Verdict.Small, Verdict.Small], new[] { Of(0), Of(0.03), Of(0.05), Of(0.2) });
    }

    // 0.02 alone is significant, and among three pairs it is not.
    [Fact]
    public void Several_pairs_are_corrected_and_several_looks_too()
    {
        double[] weak = [1.004, 1.03, 1.012, 1.04, 1.001, 1.02];
        var alone = Duet(false, Pair("A", "B", weak, 0, 0));
        Assert.InRange(alone.Duets[0].P!.Value, 0.0167, 0.05);
        Assert.Equal(Verdict.Worse, Compare(alone).Blocks[0].Rows.Single().Changes[1]!.Verdict);
        var three = Duet(false, Pair("A", "B", weak, 0, 0), Pair("C", "D", same, 0, 0), Pair("E", "F", same, 0, 0));
        Assert.Equal(0, Compare(three).Verdicts.GetValueOrDefault(Verdict.Worse));
        Assert.Equal(alone.Duets[0].P!.Value, Compare(three).Changes().First().P!.Value, 1e-12);
        Assert.Equal(0, Compare(alone with { Settings = alone.Settings with { Looks = 3 } }).Verdicts.GetValueOrDefault(Verdict.Worse));
    }

    [Fact]
    public void One_process_and_an_invalid_pair_have_no_verdict()
    {
        var one = Compare(Duet(false, Pair("A", "B", [2.0], 0, 0)));
        Assert.Equal((ExitCode.Invalid, "one process: effects of code layout are not included"),
            (one.Guard(FailOn.Worse), one.Blocks[0].Rows.Single().Changes[1]!.Note));
        var invalid = Compare(Duet(false, Pair("A", "B", faster, 0, 0) with { Valid = false }));
        Assert.Equal((ExitCode.Invalid, "an INVALID pair: no verdict"),
            (invalid.Guard(FailOn.Worse), invalid.Blocks[0].Rows.Single().Changes[1]!.Note));
    }

    [Fact]
    public void A_guard_fails_on_what_is_slower_allocates_more_or_failed()
    {
        Assert.Equal(ExitCode.Done, Compare(Duet(false, Pair("A", "B", faster, 0, 0))).Guard(FailOn.Worse));
        Assert.Equal(ExitCode.Failed, Compare(Duet(false, Pair("A", "B", slightly, 0, 0))).Guard(FailOn.Worse));
        Assert.Equal(ExitCode.Failed, Compare(Duet(false, Pair("A", "B", same, 24, 48))).Guard(FailOn.Worse));
        Assert.Equal(ExitCode.Done, Compare(Duet(false, Pair("A", "B", same, 770_802, 770_805))).Guard(FailOn.Any));
        Assert.Equal(ExitCode.Failed,
            Compare(Duet(false, Pair("A", "B", same, 0, 0)) with { Failed = [new DuetFailure("X.C", "X.D", "it threw")] })
                .Guard(FailOn.Worse));
    }

    [Theory]
    [InlineData("SerializeRequestGoogle_BW", "SerializeRequestSlab_BW", "SerializeRequest{Google=Slab}_BW")]
    [InlineData("DeserializeRequestGoogle_BA", "DeserializeRequestSlab_ROM", "DeserializeRequest{Google_BA=Slab_ROM}")]
    [InlineData("MarshalBySlab", "MarshalBySchema", "MarshalBy{Slab=Schema}")]
    [InlineData("Read(Size=1)", "Write(Size=1)", "{Read=Write}(Size=1)")]
    [InlineData("DecodeMore(Percent=0)", "DecodeMore(Percent=5)", "DecodeMore(Percent={0=5})")]
    [InlineData("EncodeBoxed(Size=1 B)", "EncodeDirect(Size=1 B)", "Encode{Boxed=Direct}(Size=1 B)")]
    [InlineData("GRPC(Size=1K, Concurrency=1)", "GRPC(Size=64K, Concurrency=1)", "GRPC(Size={1K=64K}, Concurrency=1)")]
    [InlineData("N.T.Read(Set: 1, 2, Size: 3)", "N.T.Read(Set: 1, 4, Size: 3)", "N.T.Read(Set={1, 2=1, 4}, Size=3)")]
    [InlineData("Read(Size=1)", "Read", "{Read(Size=1)=Read}")]
    [InlineData("DeserializeRequestGoogle_BA", "DeserializeRequestGoogle_BA_H", "DeserializeRequestGoogle_BA{=_H}")]
    [InlineData("Same", "Same", "Same")]
    [InlineData("a", "", "{a=}")]
    public void A_pair_has_a_name(string old, string @new, string name) => Assert.Equal(name, DuetName.Of(old, @new));

    [Fact]
    public void What_does_not_fit_ready_made_ratios_is_said()
    {
        Assert.Equal("--pair: a duet result has its pairs already", Refused(new ComparisonOptions { Pairs = ["A=B"] }));
        Assert.Equal("no pair passes --filter", Refused(new ComparisonOptions { Filters = ["Nothing"] }));
        Assert.StartsWith("a duet result compares two sides already",
            Refused(new ComparisonOptions(), Made.Side("launches", Made.Cell("A", Made.Time, 1))), StringComparison.Ordinal);
        static string Refused(ComparisonOptions options, params Side[] others) => Assert.Throws<UsageException>(
            () => Comparer.Compare([Side("x", Duet(false, Pair("A", "B", same, 0, 0))), .. others], options)).Message;
    }

    [Fact]
    public void Pairs_are_chosen_by_either_cell()
    {
        var result = Duet(false, Pair("SerializeRequestGoogle_BW", "SerializeRequestSlab_BW", faster, 0, 0),
            Pair("Parse", "Write", same, 0, 0));
        Assert.Equal(["SerializeRequest{Google=Slab}_BW"],
            Compare(result, new ComparisonOptions { Filters = ["library=Slab"] }).Blocks[0].Rows.Select(row => row.Name));
    }

    [Fact]
    public void What_the_file_says_of_a_cell_goes_before_its_name()
    {
        var pair = Pair("SerializeRequestGoogle_BW", "SerializeRequestSlab_BW", faster, 0, 0);
        var other = new CellFacts("Parse", "Order", "Other", null, null, null);
        var result = Duet(false, pair with { Old = pair.Old with { Facts = other }, New = pair.New with { Facts = other } });
        Assert.Single(Compare(result, new ComparisonOptions { Filters = ["library=Other"] }).Blocks[0].Rows);
        Assert.Throws<UsageException>(() => Compare(result, new ComparisonOptions { Filters = ["library=Slab"] }));
    }

    [Fact]
    public void Several_results_of_two_builds_stand_below_each_other_and_the_same_one_counts_once()
    {
        var path = Path.GetTempFileName();
        try
        {
            DuetResultFile.Write(path, Duet(false, Pair("A", "B", faster, 0, 0)));
            Assert.Single(Results.Side.Read(["x=" + path, "x=" + path], _ => { }).Single().Files);
        }
        finally
        {
            File.Delete(path);
        }

        var comparison =
            Comparer.Compare(
                [Side("one", Duet(true, Pair("A", "B", faster, 0, 0))), Side("two", Duet(true, Pair("A", "B", slightly, 0, 0)))],
                    new ComparisonOptions());
        Assert.Equal([("one: {A=B}", Verdict.Better), ("two: {A=B}", Verdict.Worse)],
            comparison.Blocks[0].Rows.Select(row => (row.Name, row.Changes[1]!.Verdict)));
    }

    internal static DuetResult Duet(bool builds, params DuetPair[] pairs)
    {
        var result = Result(pairs);
        return !builds ? result : result with
        {
            Base = result.Environment with
            {
                Label = "ccd58d5",
                Commit = "ccd58d5ccd58d5",
                PackageVersions = new Dictionary<string, string> { ["Google.Protobuf"] = "3.21.9" },
            },
            Settings = result.Settings with { Form = "twoProcesses" },
        };
    }

    static Side Side(string label, DuetResult result) => new(label, [ResultFile.Parse(DuetResultFile.ToJson(result), label + ".json")]);

    static Comparison Compare(DuetResult result, ComparisonOptions? options = null) =>
        Comparer.Compare([Side("x", result)], options ?? new ComparisonOptions());

    static string Text(DuetResult result)
    {
        using var writer = new StringWriter();
        var comparison = Compare(result);
        foreach (var warning in comparison.Warnings)
            writer.Write($"warning: {warning}\n");
        TextTable.Write(comparison, writer);
        return writer.ToString();
    }
}
