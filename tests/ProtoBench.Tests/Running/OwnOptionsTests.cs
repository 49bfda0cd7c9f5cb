namespace ProtoBench.Tests;

public class OwnOptionsTests
{
    // Every run writes the full JSON with a node of ours; BenchmarkDotNet's own has the same file name.
    [Theory]
    [InlineData("--filter * --exporters fulljson", "--filter *")]
    [InlineData("--exporters fulljson --filter *", "--filter *")]
    [InlineData("-e fulljson html --filter *", "-e html --filter *")]
    [InlineData("-e json FullJson", "-e json")]
    [InlineData("--exporters=fulljson --filter *", "--filter *")]
    [InlineData("--filter fulljson", "--filter fulljson")]
    [InlineData("--exporters json --filter *", "--exporters json --filter *")]
    public void Nothing_is_written_over_our_report(string given, string handedOn) =>
        Assert.Equal(handedOn.Split(' '), OwnOptions.Parse(given.Split(' ')).Rest);

    [Theory]
    [InlineData("--filter *", true, false)]
    [InlineData("--runtimes net10.0", true, false)]
    [InlineData("--runtimes net10.0 nativeaot10.0", true, true)]
    [InlineData("--runtimes=nativeaot10.0", false, true)]
    [InlineData("-r NativeAOT10.0 --filter *", false, true)]
    public void Runtimes_are_this_one_and_native_code(string given, bool jit, bool nativeAot)
    {
        var options = OwnOptions.Parse(given.Split(' '));
        Assert.Equal((jit, nativeAot), (options.Jit, options.NativeAot));
    }

    [Fact]
    public void A_run_pauses_only_where_it_is_told_to()
    {
        var options = OwnOptions.Parse(["--pause", "--filter", "*"]);
        Assert.True(options.Pause);
        Assert.Equal(["--filter", "*"], options.Rest);
        Assert.Single(Config.Create(options).GetEventProcessors(), processor => processor is Pause);
        Assert.DoesNotContain(Config.Create(new()).GetEventProcessors(), processor => processor is Pause);
    }

    [Fact]
    public void A_shard_has_the_control_cell_too()
    {
        var options = OwnOptions.Parse(["--filter", "*Request*", "--shard", "2/3", "--save", "Some", "--job", "dry"]);
        Assert.Equal((new Shard(2, 3), "Some"), (options.Shard, options.Name));
        Assert.Equal(["--filter", "*ControlBenchmarks*", "*Request*"], options.Rest);
        Assert.Null(OwnOptions.Parse(["--filter", "*"]).Shard);
    }

    [Theory]
    [InlineData("--filter * --shard 1/3", "--shard needs --save NAME, by which the verb merge finds the shards")]
    [InlineData("--filter * --shard 1/3 --save", "--shard needs --save NAME, by which the verb merge finds the shards")]
    [InlineData("--shard 1/3 --save Some", "--shard needs --filter, as every run of cells")]
    [InlineData("--filter * --shard 0/3 --save Some", "--shard: '0/3' is not the number of a shard and how many there are, at most 1000: 1/3, 2/3, 3/3")]
    [InlineData("--filter * --shard 4/3 --save Some", "--shard: '4/3' is not ")]
    [InlineData("--filter * --shard 1/1001 --save Some", "--shard: '1/1001' is not ")]
    [InlineData("--filter * --shard 1 --save Some", "--shard: '1' is not ")]
    [InlineData("--filter * --save Some --shard", "--shard: '' is not ")]
    public void What_is_no_shard_is_refused(string given, string message) => Assert.StartsWith(message,
        Assert.Throws<UsageException>(() => OwnOptions.Parse(given.Split(' '))).Message, StringComparison.Ordinal);

    [Fact]
    public void Both_runtimes_are_jobs_of_one_table() =>
        Assert.Equal(["JIT", "NativeAOT"],
            Config.Create(new() { NativeAot = true }).GetJobs().Where(job => !job.Meta.IsMutator).Select(job => job.Id));
}
