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
    public void Both_runtimes_are_jobs_of_one_table() =>
        Assert.Equal(["JIT", "NativeAOT"],
            Config.Create(new() { NativeAot = true }).GetJobs().Where(job => !job.Meta.IsMutator).Select(job => job.Id));
}
