using ProtoBench.GrpcHost.Load;
using ProtoBench.Rpc;
using static ProtoBench.GrpcHost.Tests.Load.Simulation;

namespace ProtoBench.GrpcHost.Tests.Load;

public class ClosedLoopTests
{
    readonly VirtualClock clock = new();

    [Fact]
    public void More_than_a_million_calls_are_all_in_count_maximum_and_percentiles()
    {
        const long calls = 1_500_000;
        var number = 0L;
        // the slowest 2 % come last, behind the first million
        var caller = new FakeCaller(clock, _ => ++number == calls ? 5 * Millisecond : number > calls * 98 / 100 ? Millisecond : 10 * Microsecond) { Blocks = true };
        var window = Closed(clock, [caller], requests: calls);
        Assert.Equal((calls, calls), (window.Attempted, window.Calls.Service.Count));
        Assert.Equal((10L, 1_000L, 5_000L), (window.Calls.Service.Percentile(97.9), window.Calls.Service.Percentile(99), window.Calls.Service.Max));
    }

    [Fact]
    public void Each_caller_sends_when_its_reply_has_arrived()
    {
        var window = Closed(clock, [.. Enumerable.Range(0, 4).Select(_ => new FakeCaller(clock, _ => Millisecond))], requests: 4_000);
        Assert.Equal((4_000L, 1.0), (window.Calls.Service.Count, window.Seconds));
        Assert.Equal(4, window.InFlight, 6);
    }

    [Fact]
    public void Draining_after_the_end_does_not_change_the_rate()
    {
        var quick = Run(new(), Millisecond);
        var slow = Run(new(), 30 * Second);
        Assert.Equal((quick.LengthNs, quick.Calls.Service.Count), (slow.LengthNs, slow.Calls.Service.Count));
        Assert.Equal(10, quick.Seconds);

        static Window Run(VirtualClock clock, long lastTakes) =>
            Closed(clock, [new FakeCaller(clock, now => now < 9_999 * Millisecond ? Millisecond : lastTakes)], duration: TimeSpan.FromSeconds(10));
    }

    [Fact]
    public void Failed_calls_are_in_the_error_histogram_only()
    {
        var caller = new FakeCaller(clock, _ => 50 * Microsecond) { Blocks = true, Fails = number => number < 7 ? RpcStatus.Internal : null };
        var window = Closed(clock, [caller], requests: 100);
        Assert.Equal((100L, 93L, 7L), (window.Attempted, window.Calls.Service.Count, window.Calls.Failed.Count));
        Assert.Equal(7, Assert.Single(window.Calls.FailedByStatus).Value);
    }

    [Fact]
    public void Checks_of_replies_are_outside_the_latency_and_counted_apart()
    {
        var caller = new FakeCaller(clock, _ => 90 * Microsecond) { Blocks = true, CheckTakes = 10 * Microsecond };
        var window = Closed(clock, [caller], requests: 1_000);
        Assert.Equal(90, window.Calls.Service.Max);
        Assert.Equal(0.1, (double)window.Calls.CheckedNs / window.LengthNs, 2);
        Assert.Equal(0.9, window.InFlight, 2);
    }
}
