using Grpc.Core;

namespace ProtoBench.GrpcHost.Tests;

public class OpenLoopTests
{
    static readonly TimeSpan oneMs = TimeSpan.FromMilliseconds(1);

    [Fact]
    public async Task A_handler_that_freezes_for_a_second_shows_in_the_response_time_and_not_in_the_service_time()
    {
        var clock = new VirtualClock(threads: 1);
        // 1,000 calls a second of 100 μs each; the one at 5 s takes 1 s, and those behind it cannot be sent
        var host = new FakeHost(clock, number => new(number == 5_000 ? TimeSpan.FromSeconds(1) : oneMs / 10), blocks: true);
        var window = await host.OpenLoopAsync(Arrivals.Constant(1_000), TimeSpan.FromSeconds(20));
        Assert.Equal(20_000, window.Calls.Service.Count);
        Assert.Equal(100, window.Calls.Service.Percentile(99));
        Assert.Equal(1_000_000, window.Calls.Service.Max);
        Assert.InRange(window.Calls.Response.Percentile(99), 750_000, 1_000_000);
        Assert.InRange(window.Calls.Lag.Percentile(99), 750_000, 1_000_000);
        // the queue empties at 9,000 calls a second: 1.1 s of calls were late, but for those of the last millisecond
        Assert.InRange(window.Calls.SentLate, 1_100, 1_120);
        Assert.InRange(window.LargestBacklog, 990, 1_001);
        Assert.Contains(RunChecks.Faults(MadeUp.Round(window)),
            fault => fault.StartsWith("schedule lag p99 is ", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Calls_that_a_frozen_host_keeps_waiting_are_sent_on_time_where_nothing_blocks()
    {
        var clock = new VirtualClock();
        var began = clock.Now;
        var (freezes, thaws) = (began + 5_000_000_000, began + 6_000_000_000);
        var host = new FakeHost(clock,
            _ => new(clock.Now >= freezes && clock.Now < thaws ? TimeSpan.FromTicks((thaws - clock.Now) / 100) : oneMs));
        var window = await host.OpenLoopAsync(Arrivals.Constant(1_000), TimeSpan.FromSeconds(20));
        Assert.InRange(window.Calls.Response.Percentile(99), 750_000, 1_000_000);
        Assert.Equal(window.Calls.Response.Percentile(99), window.Calls.Service.Percentile(99));
        Assert.Equal((0, 0), (window.Calls.Lag.Max, window.Calls.SentLate));
        Assert.Empty(RunChecks.Faults(MadeUp.Round(window)));
    }

    [Theory]
    [InlineData(50_000, 2, 100_000)]
    [InlineData(0.5, 10, 5)]
    [InlineData(3, 1, 3)]
    public async Task A_rate_is_that_of_all_calls_together(double rate, int seconds, long attempted)
    {
        var clock = new VirtualClock();
        var host = FakeHost.Steady(clock, oneMs);
        var window = await host.OpenLoopAsync(Arrivals.Constant(rate), TimeSpan.FromSeconds(seconds));
        Assert.Equal((attempted, attempted, attempted), (host.Calls, window.Attempted, window.Calls.Service.Count));
        Assert.Equal(attempted / (double)seconds, MadeUp.Round(window).AttemptedPerSecond);
    }

    // 400 calls/s are due for 3 s, and the host answers 170 a second, one after the other: the last one after 1,200 / 170 s
    [Fact]
    public async Task The_rate_of_a_host_that_is_behind_is_what_it_answered_until_its_last_answer()
    {
        var clock = new VirtualClock();
        double free = clock.Now;
        var host = new FakeHost(clock, _ =>
        {
            free = Math.Max(free, clock.Now) + (1e9 / 170);
            return new(TimeSpan.FromTicks((long)(free - clock.Now) / 100));
        });
        var round = MadeUp.Round(await host.OpenLoopAsync(Arrivals.Constant(400), TimeSpan.FromSeconds(3)));
        Assert.Equal((1_200, 1_200), (round.Attempted, round.Succeeded));
        Assert.Equal(1_200 / 170.0, round.DurationSeconds, 0.001);
        Assert.Equal(170, round.SucceededPerSecond, 0.1);
        Assert.Equal(400, round.AttemptedPerSecond, 1e-9);
        // and nothing of Little's law
        Assert.Equal(["the host served 170 of 400 calls/s"], RunChecks.Faults(round));
    }

    [Fact]
    public async Task The_rate_of_long_calls_has_the_time_until_the_last_of_them()
    {
        var window = await FakeHost.Steady(new(), TimeSpan.FromSeconds(5)).OpenLoopAsync(Arrivals.Constant(100), TimeSpan.FromSeconds(10));
        var round = MadeUp.Round(window);
        // the last call is due after 9.99 s
        Assert.Equal((14.99, 1_000), (round.DurationSeconds, round.Succeeded));
        Assert.Equal(100, round.AttemptedPerSecond);
    }

    [Fact]
    public async Task A_call_with_too_many_in_flight_is_skipped_and_never_queued()
    {
        var clock = new VirtualClock();
        // at 1,000/s and 100 ms each, 100 calls want to be in flight
        var window = await FakeHost.Steady(clock, 100 * oneMs)
            .OpenLoopAsync(Arrivals.Constant(1_000), TimeSpan.FromSeconds(1), maxInFlight: 10);
        Assert.Equal(1_000, window.Attempted);
        Assert.Equal(100, window.Calls.Service.Count);
        Assert.Equal((900, 10), (window.Skipped, window.MostInFlight));
        Assert.Equal((100_000, 100_000), (window.Calls.Response.Max, window.Calls.Service.Max));
        Assert.Contains("900 calls were skipped, because too many were in flight", RunChecks.Faults(MadeUp.Round(window)));
    }

    /// <summary>The loop of a worker: calls wait for a free caller, in the order in which they were due.</summary>
    [Fact]
    public async Task A_call_that_is_never_skipped_waits_and_its_response_time_includes_the_wait()
    {
        // 100 calls are due in 0.1 s, and 10 at a time take 100 ms each: the last ten begin after 0.9 s
        var window = await FakeHost.Steady(new(), 100 * oneMs)
            .OpenLoopAsync(Arrivals.Constant(1_000), TimeSpan.FromSeconds(0.1), maxInFlight: 10, neverSkips: true);
        Assert.Equal((100, 0, 100), (window.Attempted, window.Skipped, window.Calls.Service.Count));
        Assert.Equal((10, 100_000), (window.MostInFlight, window.Calls.Service.Max));
        // call n is due after n ms, and begins when the ten calls before it have ended
        Assert.Equal((100_000, 910_000), (window.Calls.Response.Min, window.Calls.Response.Max));
        Assert.Equal(505_000.0, window.Calls.Response.Mean, 1_000.0);
    }

    [Fact]
    public async Task The_calls_in_progress_are_waited_for_when_a_caller_cannot_be_made()
    {
        var (reply, threw) = (new TaskCompletionSource(), new TaskCompletionSource());
        using var cancellation = new RunCancellation(CancellationToken.None);
        await using var caller = new WaitingCaller(reply.Task);
        var clock = new VirtualClock();
        var schedule = new CallSchedule(cancellation) { Start = clock.Now, Arrivals = () => Arrivals.Constant(1_000), MaxInFlight = 10 };
        var loop = new StackLoop(clock, schedule, number =>
        {
            if (number == 0)
                return caller;
            threw.SetResult();
            throw new InvalidOperationException("as the test asked");
        });
        var running = loop.RunAsync(0);
        await threw.Task;
        for (var i = 0; i < 10_000 && !running.IsCompleted; i++)
            await Task.Yield();
        Assert.False(running.IsCompleted, "its caller may be disposed now, and its call is in progress");
        reply.SetResult();
        Assert.Equal("as the test asked", (await Assert.ThrowsAsync<InvalidOperationException>(() => running)).Message);
    }

    sealed class WaitingCaller(Task reply) : Caller
    {
        public override ValueTask SendAsync(CancellationToken cancellationToken) => new(reply);

        public override bool Finish(bool deep) => true;
    }

    [Fact]
    public async Task A_steady_load_is_valid()
    {
        var window = await FakeHost.Steady(new VirtualClock(), 20 * oneMs)
            .OpenLoopAsync(Arrivals.Poisson(1_000, 7), TimeSpan.FromSeconds(60));
        Assert.Empty(RunChecks.Faults(MadeUp.Round(window)));
    }

    [Fact]
    public async Task Failed_calls_are_in_the_histogram_of_failures_only()
    {
        var host = new FakeHost(new(),
            number => number % 10 == 9 ? new(9 * oneMs, StatusCode.ResourceExhausted) : new(oneMs, Right: number % 10 != 8));
        var window = await host.OpenLoopAsync(Arrivals.Constant(100), TimeSpan.FromSeconds(10));
        Assert.Equal((800, 800, 200), (window.Calls.Service.Count, window.Calls.Response.Count, window.Calls.Failed.Count));
        Assert.Equal((1_000, 9_000), (window.Calls.Service.Max, window.Calls.Failed.Max));
        Assert.Equal(new() { ["ResourceExhausted"] = 100, [CallStatistics.WrongReply] = 100 }, window.Calls.FailedByStatus);
        var record = MadeUp.Round(window);
        Assert.Equal((1_000, 800, 0.8), (record.Attempted, record.Succeeded, record.SuccessfulRate));
    }

    [Fact]
    public async Task A_run_that_is_stopped_is_as_long_as_it_was()
    {
        var clock = new VirtualClock();
        using var cancellation = new CancellationTokenSource();
        clock.After(2_995_000_000, cancellation.Cancel);
        var window = await FakeHost.Steady(clock, oneMs)
            .OpenLoopAsync(Arrivals.Constant(100), TimeSpan.FromSeconds(10), cancellationToken: cancellation.Token);
        Assert.True(window.Partial);
        Assert.InRange(window.Seconds, 2.98, 3.01);
        Assert.InRange(window.Attempted, 299, 301);
        Assert.Equal(window.Attempted, window.Calls.Service.Count);
    }
}
