using Grpc.Core;

namespace ProtoBench.GrpcHost.Tests;

public class ClosedLoopTests
{
    static readonly TimeSpan oneMs = TimeSpan.FromMilliseconds(1);

    [Fact]
    public async Task Every_call_of_more_than_a_million_counts()
    {
        // whoever keeps the first million only reports 100 μs for all of it
        var host = new FakeHost(new(), number => new(number switch
        {
            < 1_000_000 => oneMs / 10,
            < 1_199_999 => oneMs,
            _ => 5 * oneMs,
        }));
        var window = await host.ClosedLoopAsync(4, 1_200_000, null);
        Assert.Equal((1_200_000, 1_200_000), (window.Attempted, window.Calls.Service.Count));
        Assert.Equal((100, 100, 1_000, 5_000),
            (window.Calls.Service.Min, window.Calls.Service.Percentile(83), window.Calls.Service.Percentile(84), window.Calls.Service.Max));
        Assert.Equal((1_000_000 * 100.0 + 199_999 * 1_000.0 + 5_000) / 1_200_000, window.Calls.Service.Mean, 6);
        Assert.Empty(RunChecks.Faults(MadeUp.Round(window)));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(64)]
    public async Task So_many_calls_are_made_as_were_asked_for(int concurrency)
    {
        var host = FakeHost.Steady(new(), oneMs);
        var window = await host.ClosedLoopAsync(concurrency, 1_000, null);
        Assert.Equal((1_000, 1_000, 1_000), (host.Calls, window.Attempted, window.Calls.Service.Count));
        Assert.Equal(Math.Ceiling(1_000.0 / concurrency) / 1_000, window.Seconds, 9);
        Assert.False(window.Partial);
    }

    [Fact]
    public async Task Draining_after_the_end_does_not_change_the_rate()
    {
        var clock = new VirtualClock();
        var began = clock.Now;
        var window = await FakeHost.Steady(clock, 400 * oneMs).ClosedLoopAsync(2, null, TimeSpan.FromSeconds(1));
        // both callers begin their third call at 0.8 s, and it takes a part of the window that ends after the second
        Assert.Equal(1_200_000_000, clock.Now - began);
        Assert.Equal((1.2, 6), (window.Seconds, window.Calls.Service.Count));
    }

    // So many callers, divided by what a call takes: the rate that a window without an end would have.
    [Theory]
    [InlineData(2, 400, 5)]
    [InlineData(16, 183, 87.4316939890710)]
    [InlineData(64, 270, 237.037037037037)]
    [InlineData(4, 3_000, 1.33333333333333)]
    public async Task The_rate_of_a_timed_round_does_not_depend_on_where_its_calls_end(int callers, int milliseconds, double rate)
    {
        var window = await FakeHost.Steady(new(), milliseconds * oneMs).ClosedLoopAsync(callers, null, TimeSpan.FromSeconds(1));
        Assert.Equal(rate, window.Calls.Service.Count / window.Seconds, 1e-6);
        Assert.Empty(RunChecks.Faults(MadeUp.Round(window)));
    }

    // 16 callers of 100 ms on average make 160 calls/s. The long calls are those that are under way at the end.
    [Fact]
    public async Task The_rate_of_calls_of_different_lengths_is_that_of_their_mean()
    {
        const int seed = 26;
        var random = new Random(seed);
        var rates = 0.0;
        for (var round = 0; round < 200; round++)
        {
            var host = new FakeHost(new(), _ => new(TimeSpan.FromMilliseconds(-100 * Math.Log(1 - random.NextDouble()))));
            var window = await host.ClosedLoopAsync(16, null, TimeSpan.FromSeconds(2));
            rates += window.Calls.Service.Count / window.Seconds;
        }

        Assert.True(rates / 200 is > 156 and < 164, $"seed {seed}: {rates / 200} calls/s");
    }

    // 10 calls of 4 callers: two of them make a third call while the others have ended.
    [Theory]
    [InlineData(10, 4)]
    [InlineData(65, 64)]
    public async Task Littles_law_holds_where_callers_end_before_others(int requests, int callers)
    {
        var window = await FakeHost.Steady(new(), oneMs).ClosedLoopAsync(callers, requests, null);
        Assert.Equal(requests, window.Calls.Service.Count);
        Assert.Empty(RunChecks.Faults(MadeUp.Round(window)));
    }

    // A caller spends its time in failed calls too, and one that hangs until its deadline longer than the round.
    [Theory]
    [InlineData(400, null, 7)]
    [InlineData(null, 1.0, 7)]
    [InlineData(null, 1.0, 20_000)]
    public async Task Littles_law_holds_where_calls_fail(int? requests, double? seconds, int milliseconds)
    {
        var host = new FakeHost(new(), number => number is 95 or 96 ? new(milliseconds * oneMs, StatusCode.DeadlineExceeded)
            : number % 4 == 0 ? new(3 * oneMs, StatusCode.Unavailable) : new(oneMs));
        var window = await host.ClosedLoopAsync(8, requests, seconds is { } time ? TimeSpan.FromSeconds(time) : null);
        Assert.DoesNotContain(RunChecks.Faults(MadeUp.Round(window)), fault => fault.Contains("Little", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_call_that_hangs_stops_its_own_caller_only()
    {
        var host = new FakeHost(new(), number => new(number == 95 ? TimeSpan.FromSeconds(20) : 100 * oneMs));
        var window = await host.ClosedLoopAsync(10, null, TimeSpan.FromSeconds(1));
        Assert.InRange(window.Calls.Service.Count / window.Seconds, 90, 91);
    }

    [Fact]
    public async Task Failed_calls_are_in_the_histogram_of_failures_only()
    {
        var host = new FakeHost(new(), number => number % 4 == 0 ? new(7 * oneMs, StatusCode.Unavailable) : new(oneMs));
        var window = await host.ClosedLoopAsync(2, 400, null);
        Assert.Equal((300, 100), (window.Calls.Service.Count, window.Calls.Failed.Count));
        Assert.Equal((1_000, 7_000), (window.Calls.Service.Max, window.Calls.Failed.Min));
        Assert.Equal(100, window.Calls.FailedByStatus["Unavailable"]);
        Assert.Contains("100 of 400 calls failed (Unavailable); the percentiles contain only those that succeeded",
            RunChecks.Faults(MadeUp.Round(window)));
        Assert.Contains("only 75 % of the attempted calls succeeded (at least 95 %)", RunChecks.Faults(MadeUp.Round(window)));
    }

    [Fact]
    public async Task A_run_that_is_stopped_is_partial()
    {
        var clock = new VirtualClock();
        using var cancellation = new CancellationTokenSource();
        clock.After(2_500_500_000, cancellation.Cancel);
        var window = await FakeHost.Steady(clock, oneMs).ClosedLoopAsync(1, 10_000, null, cancellation.Token);
        Assert.True(window.Partial);
        Assert.Equal((2.501, 2_501), (window.Seconds, window.Calls.Service.Count));
    }
}
