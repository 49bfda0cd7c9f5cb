using ProtoBench.Benchmarks;
using ProtoBench.Rpc;

namespace ProtoBench.Tests;

public class StackValidationTests
{
    [Fact]
    public async Task All_stacks_carry_the_same_bytes()
    {
        await StackValidation.CheckAsync();
        Assert.StartsWith("Tls1", StackValidation.Tls, StringComparison.Ordinal);
        Assert.Contains("; settings of the stacks over HTTP, without GRPCDefaults: server: blocks of 32 KiB", StackValidation.Facts,
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_protocol_that_was_not_asked_for_is_refused()
    {
        var liar = RpcTransports.Named("http1") with { Protocol = "HTTP/2" };
        var thrown = await Assert.ThrowsAsync<InvalidOperationException>(() =>
            EchoFixture.StartAsync(liar, EchoCodecs.Google, 10, tls: false, concurrency: 1));
        Assert.Contains("over HTTP/1.1", thrown.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_wrong_echo_is_refused()
    {
        var forger = EchoCodecs.Google with { Reply = _ => new() };
        await Assert.ThrowsAsync<InvalidOperationException>(() =>
            EchoFixture.StartAsync(RpcTransports.Named("socket"), forger, 10, tls: false, concurrency: 1));
    }
}

/// <summary>A rate is counted from calls that were made: their number is the same for each caller, or the run is refused.</summary>
public class ConcurrencyTests
{
    [Theory]
    [InlineData("36", 36)]
    [InlineData("9", 9)]
    [InlineData("1", 1)]
    public void A_number_that_divides_the_calls_is_taken(string asked, int concurrency) =>
        Assert.Equal([concurrency], RpcStackBenchmarks.ReadConcurrencies(asked));

    [Fact]
    public void Nothing_is_the_default() => Assert.Equal([1, 4, 36], RpcStackBenchmarks.ReadConcurrencies(""));

    [Theory]
    [InlineData("100")]
    [InlineData("5")]
    [InlineData("0")]
    [InlineData("-4")]
    [InlineData("four")]
    public void Any_other_is_refused_by_name_and_with_what_is_allowed(string asked)
    {
        var refused = Assert.Throws<UsageException>(() => RpcStackBenchmarks.ReadConcurrencies(asked));
        Assert.Equal($"PROTOBENCH_CONCURRENCY={asked}: the number of calls at a time must be one of 1, 2, 3, 4, 6, 9, 12, 18, 36",
            refused.Message);
    }

    [Fact]
    public async Task A_rig_makes_all_the_calls_that_it_counts()
    {
        await using var fixture =
            await EchoFixture.StartAsync(RpcTransports.Named("socket"), EchoCodecs.Google, 10, tls: false, concurrency: 5);
        await Assert.ThrowsAsync<ArgumentException>(() => fixture.CallAsync(36));
        Assert.Equal(35, await fixture.CallAsync(35));
    }
}
