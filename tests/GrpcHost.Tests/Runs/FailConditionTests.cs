using ProtoBench.Results;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Tests;

public class FailConditionTests
{
    [Theory]
    [InlineData("p99 > 50us", "p99 > 50us: 0.099ms")]
    [InlineData("p99>98.9us", "p99>98.9us: 0.099ms")]
    [InlineData("p99 > 200us", null)]
    [InlineData("p50 < 49us", null)]
    [InlineData("p50 < 1s", "p50 < 1s: 0.05ms")]
    [InlineData("p99.9 > 99us", "p99.9 > 99us: 0.1ms")]
    [InlineData("max > 99.9us", "max > 99.9us: 0.1ms")]
    [InlineData("max > 0.1ms", null)]
    [InlineData("mean > 60us", null)]
    [InlineData("mean > 50us", "mean > 50us: 0.051ms")]
    [InlineData("errors > 9%", "errors > 9%: 9.091%")]
    [InlineData("errors > 9.1%", null)]
    [InlineData("errors > 9", "errors > 9: 10")]
    [InlineData("errors > 10", null)]
    [InlineData("rate < 51", "rate < 51: 50")]
    [InlineData("rate < 50", null)]
    public void A_round_passes_a_limit_or_not(string condition, string? broken)
    {
        var latency = new LatencyHistogram();
        for (var i = 1; i <= 100; i++) latency.Record(i);
        var record = LatencyRecord.Of(latency, [50]);
        var round = new LoadRound
        {
            Position = 0,
            DurationSeconds = 2,
            Attempted = 110,
            Succeeded = 100,
            Skipped = 4,
            VerifiedShare = 0,
            Service = record,
            Seconds = [],
            FailedByStatus = new Dictionary<string, long> { ["Internal"] = 6 },
        };
        Assert.Equal(broken, FailCondition.Parse(condition)!.Broken(round));
        Assert.Equal(condition + ": no figure", FailCondition.Parse("p99 > 1s")!.Broken(round with
        {
            Service = LatencyRecord.Of(new(), [50]),
        })!.Replace("p99 > 1s", condition, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("p99")]
    [InlineData("p99 > 50")]
    [InlineData("p101 > 5ms")]
    [InlineData("p > 5ms")]
    [InlineData("p99 = 5ms")]
    [InlineData("errors > 1ms")]
    [InlineData("rate < 5%")]
    [InlineData("latency > 5ms")]
    [InlineData("p99 > 5ms; x")]
    public async Task What_is_no_condition_is_refused(string text)
    {
        Assert.Null(FailCondition.Parse(text));
        var (exit, _, error) = await TheProgram.RunAsync("load", "--url", "http://localhost:1", "--fail-if", text);
        Assert.Equal((2, $"'{text}' is no condition for --fail-if: {FailCondition.Forms}"), (exit, error.Trim()));
    }

    [Fact]
    public async Task The_exit_code_of_a_load_says_whether_a_limit_was_passed()
    {
        await using var server = await RpcTransports.All[0].StartAsync(new(),
            [PreparedReplies.Serve(new("acme.Orders/Place", IsServerStreaming: false), [new("one", new byte[1])], ReplyDelay.None)], null, null);
        var request = Path.GetTempFileName();
        string[] load = ["load", "--target", $"127.0.0.1:{server.Endpoint.Port}", "--method", "acme.Orders/Place", "--payload", request, "-n", "20",
            "--rounds", "2", "--warmup", "0"];
        var (exit, output, error) = await TheProgram.RunAsync([.. load, "--fail-if", "errors > 0", "--fail-if", "p99 > 59s"]);
        Verdict.AssertFollows(exit, output, error);
        Assert.DoesNotContain("FAILED", output, StringComparison.Ordinal);
        var file = Path.GetTempFileName();
        (exit, output, _) = await TheProgram.RunAsync([.. load, "--fail-if", "max > 0.001us", "--fail-if", "errors > 0", "--out", file]);
        Assert.Equal(ExitCode.LimitPassed, exit);
        Assert.Equal(2, output.Split("FAILED ").Length - 1);
        Assert.Contains(", round 2: max > 0.001us: ", output, StringComparison.Ordinal);
        var result = LoadResultFile.Read(file);
        Assert.Equal(["max > 0.001us", "errors > 0"], result.Settings.FailIf!);
        Assert.Equal(output.Split(Environment.NewLine).Where(line => line.StartsWith("FAILED ", StringComparison.Ordinal)),
            result.PassedLimits!.Select(passed => "FAILED " + passed));
        File.Delete(file);
    }

    [Theory]
    [InlineData("load --url http://localhost:1 --rate 10..20:5 --fail-if", "--fail-if: the rounds of steps have different loads; name one load")]
    [InlineData("sweep --fail-if", "--fail-if: the rounds of a sweep have different loads; it is for run and load")]
    public async Task Rounds_of_different_loads_have_no_limit(string command, string message)
    {
        var (exit, _, error) = await TheProgram.RunAsync([.. command.Split(' '), "errors > 0"]);
        Assert.Equal((2, message), (exit, error.Trim()));
    }
}
