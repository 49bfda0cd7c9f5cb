namespace ProtoBench.Results.Tests;

public class LoadCellsTests
{
    static readonly ResultFile file = ResultFile.Parse(LoadResultFile.ToJson(Samples.Load()), "load.json");

    [Fact]
    public void A_round_is_one_value_in_each_unit()
    {
        var cells = file.Cells.Where(cell => cell.Name.Full == "inbox-slab").ToDictionary(cell => cell.Unit.Name);
        Assert.Equal(
            ["calls/s", "failed/call", "response p50", "response p90", "response p99", "service p50", "service p90", "service p99",
                "client B/call", "client CPU/call", "client GC pause/call", "server B/call", "server CPU/call", "server GC pause/call"],
            cells.Keys);
        Assert.Equal([500, 500], cells["calls/s"].Values);
        Assert.True(cells["calls/s"].Unit.HigherIsBetter);
        Assert.Equal([1000, 1050], cells["service p50"].Values);
        Assert.Equal([8_192, 8_192], cells["client B/call"].Values);
        Assert.All(cells.Values, cell => Assert.Equal("round", cell.Sample));
    }

    [Fact]
    public void A_percentile_without_enough_calls_is_left_out_and_that_is_said() => Assert.Contains(
        "load.json: inbox-slab: service p99.9 left out: it needs 10,000 calls a round, and a round has 1,000", file.Warnings);

    [Fact]
    public void A_machine_that_was_busy_is_a_warning()
    {
        var busy = ResultFile.Parse(LoadResultFile.ToJson(Samples.Load() with { OtherCores = 1.9 }), "load.json");
        var cores = Samples.Load().Environment.Client.Cores;
        Assert.Contains($"load.json: The machine was busy: other programs used 1.9 of {Math.Max(2, cores)} cores.", busy.Warnings);
        Assert.DoesNotContain(file.Warnings, warning => warning.Contains(MachineLoad.WasBusy, StringComparison.Ordinal));
    }

    [Fact]
    public void An_invalid_variant_is_said_to_be_so_and_bears_no_verdict()
    {
        Assert.Contains("load.json: inbox-google is INVALID (achieved 90 % of the attempted calls): no verdict is based on it",
            file.Warnings);
        Assert.All(file.Cells, cell => Assert.Equal(cell.Name.Full == "inbox-slab", cell.Valid));
    }

    [Fact]
    public void Other_settings_another_payload_and_another_machine_are_mismatches()
    {
        var changed = Samples.Load();
        changed = changed with
        {
            Settings = changed.Settings with { Concurrency = 4 },
            Environment = changed.Environment with { Server = changed.Environment.Server! with { GcMode = "Workstation" } },
            Variants = [.. changed.Variants.Select(variant => variant with { Transport = variant.Transport with { PayloadSha256 = "b" } })],
        };
        changed = changed with { Settings = changed.Settings with { RatePerSecond = 600 } };
        var warnings =
            Comparer.Compare([new Side("old", [file]), new Side("new", [ResultFile.Parse(LoadResultFile.ToJson(changed), "new.json")])],
                new ComparisonOptions()).Warnings;
        Assert.Contains("rate differs: old has 501; new has 600", warnings);
        Assert.Contains("server's GC differs: old has Server; new has Workstation", warnings);
        Assert.Contains(warnings,
            warning => warning.StartsWith("inbox-slab payload differs: old has 290699 B and 143513 B aaa", StringComparison.Ordinal));
    }

    [Fact]
    public void Codecs_of_an_interleaved_run_can_be_compared_within_the_file()
    {
        var comparison =
            Comparer.Compare([new Side("x", [file])],
                new ComparisonOptions { Pairs = ["google=slab"], Filters = ["unit=calls/s"] });
        Assert.Equal([500, 500], comparison.Blocks.Single().Rows.Single().Samples.Select(sample => sample!.Median.Value));
    }
}
