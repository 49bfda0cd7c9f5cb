using ProtoBench.GrpcHost.Load;
using ProtoBench.Rpc;
using static ProtoBench.GrpcHost.Tests.Load.Simulation;

namespace ProtoBench.GrpcHost.Tests.Load;

public class OpenLoopTests
{
    readonly VirtualClock clock = new();

    // A host that does not read for a second blocks whoever sends to it: one call is slow, and a thousand are sent late.
    // A client that only knows the real send sees the one.
    [Fact]
    public void A_freeze_of_a_second_shows_in_the_response_time_and_not_in_the_service_time()
    {
        var frozen = false;
        var caller = new FakeCaller(clock, now =>
        {
            if (frozen || now < 10 * Second)
                return 100 * Microsecond;
            frozen = true;
            return Second;
        })
        { Blocks = true };
        var window = Open(clock, caller, Arrivals.Constant(1_000), TimeSpan.FromSeconds(60));
        Assert.Equal(60_000, window.Calls.Service.Count);
        Assert.True(window.Calls.Response.Percentile(99) > 300_000, $"response p99 {window.Calls.Response.Percentile(99)} us");
        Assert.Equal(100, window.Calls.Service.Percentile(99));
        Assert.Equal(1_000_000, window.Calls.Service.Max);
    }

    // A freeze of the handler alone blocks no send: a thousand calls are really under way, and both times say so.
    [Fact]
    public void Calls_that_were_sent_into_a_freeze_show_in_both_times()
    {
        var window = Open(clock, _ => new FakeCaller(clock, now => now is >= 10 * Second and < 11 * Second ? 11 * Second - now : 100 * Microsecond), Arrivals.Constant(1_000), TimeSpan.FromSeconds(60));
        Assert.True(window.Calls.Response.Percentile(99) > 300_000);
        Assert.Equal(window.Calls.Response.Percentile(99), window.Calls.Service.Percentile(99));
    }

    [Theory]
    [InlineData(50_000, 2, 100_000)]
    [InlineData(0.5, 20, 10)]
    public void The_rate_is_the_total_of_all_callers_whatever_it_is(double rate, int seconds, long calls)
    {
        var window = Open(clock, _ => new FakeCaller(clock, _ => 3 * Millisecond), Arrivals.Constant(rate), TimeSpan.FromSeconds(seconds));
        Assert.Equal((calls, calls, 0L), (window.Attempted, window.Calls.Service.Count, window.Skipped));
        Assert.Equal(seconds, window.Seconds, 9);
    }

    [Fact]
    public void Draining_after_the_end_does_not_change_the_rate()
    {
        var quick = Open(new(), 1 * Millisecond);
        var slow = Open(new(), 30 * Second);
        Assert.Equal((10_000L, 10_000L), (quick.Calls.Service.Count, slow.Calls.Service.Count));
        Assert.Equal(quick.LengthNs, slow.LengthNs);

        static Window Open(VirtualClock clock, long lastTakes) =>
            Simulation.Open(clock, _ => new FakeCaller(clock, now => now < 9_999 * Millisecond ? Millisecond : lastTakes), Arrivals.Constant(1_000), TimeSpan.FromSeconds(10));
    }

    [Fact]
    public void Calls_beyond_the_limit_are_skipped_and_never_queued()
    {
        var window = Open(clock, _ => new FakeCaller(clock, _ => Second), Arrivals.Constant(1_000), TimeSpan.FromSeconds(1), maxInFlight: 10);
        Assert.Equal((1_000L, 990L, 10L), (window.Attempted, window.Skipped, window.Calls.Service.Count));
        Assert.Equal(0, window.Calls.Lag.Max);
    }

    [Fact]
    public void Failed_calls_are_in_the_error_histogram_only()
    {
        var caller = new FakeCaller(clock, _ => 50 * Microsecond) { Blocks = true, Fails = number => number % 10 == 0 ? RpcStatus.Unavailable : null };
        var calls = Open(clock, caller, Arrivals.Constant(1_000), TimeSpan.FromSeconds(1)).Calls;
        Assert.Equal((900L, 900L, 100L), (calls.Service.Count, calls.Response.Count, calls.Failed.Count));
        Assert.Equal(100, calls.FailedByStatus["Unavailable"]);
    }

    [Fact]
    public void What_is_in_flight_on_average_is_rate_times_latency()
    {
        var window = Open(clock, _ => new FakeCaller(clock, _ => 2 * Millisecond), Arrivals.Constant(1_000), TimeSpan.FromSeconds(10));
        Assert.Equal(2, window.InFlight, 2);
    }
}
