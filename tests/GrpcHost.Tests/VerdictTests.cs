using Xunit.Sdk;

namespace ProtoBench.GrpcHost.Tests;

public class VerdictTests
{
    const string lost = "round 1: 1 of 20 calls failed (DeadlineExceeded); the percentiles contain only those that succeeded";

    [Theory]
    [InlineData("grpc-dotnet-defaults-google", lost, true)]
    [InlineData("grpc-dotnet-google", lost, false)]
    [InlineData("grpc-dotnet-defaults-google", "round 1: 1 of 20 calls failed (Internal); the percentiles contain only those that succeeded", false)]
    [InlineData("grpc-dotnet-defaults-google", "round 1: 2 of 20 calls failed (DeadlineExceeded); the percentiles", false)]
    [InlineData("grpc-dotnet-defaults-google", "round 1: only 80 % of the attempted calls succeeded (at least 95 %)", true)]
    [InlineData("grpc-dotnet-google", "round 1: only 80 % of the attempted calls succeeded (at least 95 %)", false)]
    [InlineData("http2-slab", "round 2: Little's law is off: rate x latency is 1", true)]
    public void Only_a_busy_machine_and_one_lost_response_may_make_a_run_invalid(string variant, string reason, bool accepted)
    {
        var output = $"a: VALID\n  note: b\n\n{variant}: INVALID\n  INVALID round 1: schedule lag p99 is 3 μs\n  INVALID {reason}\n  note: c\n";
        var failure = Record.Exception(() => Verdict.AssertFollows(3, output, ""));
        Assert.Equal(accepted, failure is null);
        Assert.Throws<TrueException>(() => Verdict.AssertFollows(0, output, ""));
    }
}
