using ProtoBench.Results;

namespace ProtoBench.GrpcHost.Tests;

public class RunChecksTests
{
    [Fact]
    public void A_good_round_has_no_fault() => Assert.Empty(RunChecks.Faults(Round(1_000, 0, 100)));

    // A call that hangs until its deadline is in no percentile: a single one makes them too low.
    [Theory]
    [InlineData(1_000, 0, "")]
    [InlineData(999, 1, "1 of 1000 calls failed (Unavailable); the percentiles contain only those that succeeded")]
    [InlineData(0, 1_000, "1000 of 1000 calls failed (Unavailable); the percentiles contain only those that succeeded")]
    public void No_call_may_fail(int succeeded, int failed, string fault) =>
        Assert.Equal(fault, string.Join('\n', RunChecks.Faults(Round(succeeded, failed, 100)).Take(1)));

    // 447 and 754 calls/s of one caller are 2,237 and 1,326 μs.
    [Theory]
    [InlineData(new long[] { 2_237, 1_326 }, "the median still falls from round to round: 2237, 1326 μs")]
    [InlineData(new long[] { 100, 110, 125 }, "the median still rises from round to round: 100, 110, 125 μs")]
    [InlineData(new long[] { 100, 110, 124 }, null)]
    [InlineData(new long[] { 200, 90, 100 }, null)]
    [InlineData(new long[] { 200, 200 }, null)]
    [InlineData(new long[] { 200 }, null)]
    [InlineData(new long[0], null)]
    public void Rounds_that_rise_or_fall_are_marked(long[] medians, string? note) => Assert.Equal(note, RunChecks.Trend(medians));

    [Theory]
    [InlineData(950, false)]
    [InlineData(949, true)]
    public void At_least_95_percent_of_the_attempted_calls_must_succeed(int succeeded, bool named) => Assert.Equal(named,
        RunChecks.Faults(Round(succeeded, 1_000 - succeeded, 100))
            .Contains("only 94.9 % of the attempted calls succeeded (at least 95 %)"));

    [Theory]
    [InlineData(2_000, 3_000, "")]
    [InlineData(2_047, 4_100, "")]
    [InlineData(2_047, 4_000, "schedule lag p99 is 2047 μs: p50 of the latency is 4000 μs, and 1953 μs from the send (the lag may be 50 % of it)")]
    public void The_lag_of_the_schedule_may_be_2_ms_or_half_of_the_latency(long lagUs, long responseUs, string fault)
    {
        var calls = new CallStatistics();
        for (var i = 0; i < 1_000; i++)
            calls.Count(new(0, lagUs * 1_000, responseUs * 1_000, responseUs * 1_000), null, long.MaxValue);
        var window = new Window(calls, 1_000_000_000, 1_000, 0, 0, 0, false) { DueNs = 1_000_000_000 };
        Assert.Equal(fault, string.Join('\n', RunChecks.Faults(MadeUp.Round(window))));
    }

    // A shared machine: 2 % of the calls are sent 6 ms late. Of calls of 20 ms that is little, and of calls of 1 ms it is p99.
    [Theory]
    [InlineData(20_000, "")]
    [InlineData(1_000, "schedule lag p99 is 6000 μs: p99 of the latency is 7000 μs, and 1000 μs from the send (the lag may be 50 % of it)")]
    public void A_few_late_calls_count_where_they_change_a_percentile(long serviceUs, string fault)
    {
        var calls = new CallStatistics();
        for (var i = 0; i < 1_000; i++)
        {
            var lag = i % 50 == 0 ? 6_000_000 : 0;
            calls.Count(new(0, lag, lag + (serviceUs * 1_000), lag + (serviceUs * 1_000)), null, long.MaxValue);
        }

        var window = new Window(calls, 1_000_000_000, 1_000, 0, 0, 0, false) { DueNs = 1_000_000_000 };
        Assert.Equal(fault, string.Join('\n', RunChecks.Faults(MadeUp.Round(window))));
    }

    /// <summary>A server chooses the text, and a result file has room for a sentence.</summary>
    [Fact]
    public void The_first_message_of_a_status_is_kept_up_to_500_characters()
    {
        var calls = new CallStatistics();
        foreach (var message in new[] { "", new string('a', 501), "b" })
            calls.Count(new(0, 0, 1, 1), "Internal", long.MaxValue, message);
        Assert.Equal([new("Internal", new string('a', 500))], calls.FailureMessages);
    }

    // The statistics of each processor are added in any order.
    [Theory]
    [InlineData(1, 2, "a")]
    [InlineData(2, 1, "b")]
    public void The_first_message_is_that_of_the_call_that_ended_first(long a, long b, string first)
    {
        CallStatistics all = new(), one = new(), other = new();
        one.Count(new(0, 0, a, a), "Internal", long.MaxValue, "a");
        other.Count(new(0, 0, b, b), "Internal", long.MaxValue, "b");
        all.Add(one);
        all.Add(other);
        Assert.Equal([new("Internal", first)], all.FailureMessages);
    }

    // 1,000 calls in a second
    [Theory]
    [InlineData(0.79, true, null)]
    [InlineData(0.81, false, "the client was the limit, or close to it: 1000 calls/s of about 1235 that it can make here; the server may take more")]
    [InlineData(0.81, true, "the client was the limit, or close to it: 1000 calls/s of about 1235 that it can make here; the host may take more, so a ratio with another codec is a lower bound")]
    [InlineData(0.0, true, null)]
    public void An_event_loop_that_hardly_waits_is_the_limit(double busy, bool hasCodec, string? note)
    {
        var round = Round(1_000, 0, 100) with { LoopBusy = busy };
        round = round with { ClientCeilingPerSecond = RoundRecord.CeilingOf(round, sharesCores: true) };
        Assert.Equal(note, RunChecks.ClientLimit([round], hasCodec));
    }

    /// <summary>Another client has half of the processors beside a host, and all of them elsewhere.</summary>
    [Theory]
    [InlineData(true, 0.5)]
    [InlineData(false, 1)]
    public void A_client_of_a_stack_has_processors(bool sharesCores, double part)
    {
        var round = Round(1_000, 0, 100);
        round = round with { Client = round.Client! with { Calls = 1_000, CpuUs = 50_000 } };
        Assert.Equal(Environment.ProcessorCount * part * 1e6 / 50, RoundRecord.CeilingOf(round, sharesCores)!.Value, 6);
    }

    [Theory]
    [InlineData(0.1049, true)]
    [InlineData(0.1060, false)]
    [InlineData(0.0956, true)]
    [InlineData(0.0940, false)]
    public void Rate_times_latency_must_be_what_was_in_flight(double inFlight, bool valid)
    {
        var round = Round(1_000, 0, 100);
        string[] faults = [.. RunChecks.Faults(round with { InFlight = inFlight })];
        Assert.Equal(valid ? 0 : 1, faults.Length);
        Assert.All(faults,
            fault => Assert.StartsWith("Little's law is off: rate x latency is 0.100, but ", fault, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(19_000, "")]
    [InlineData(21_000, "the client's own GC paused for 2.1 % of the time (at most 2 %)")]
    public void The_clients_gc_may_pause_for_2_percent(double pauseUs, string fault)
    {
        var round = Round(1_000, 0, 100);
        Assert.Equal(fault, string.Join('\n', RunChecks.Faults(round with { Client = round.Client! with { GcPauseUs = pauseUs } })));
    }

    // What each codec costs the client is what run compares.
    [Fact]
    public void The_pauses_of_a_client_that_is_compared_are_a_part_of_the_result()
    {
        var round = Round(1_000, 0, 100);
        Assert.Empty(RunChecks.Faults(round with { Client = round.Client! with { GcPauseUs = 500_000 } }, comparesClient: true));
    }

    // 1,000 calls were due in the second, and 55 of them were answered after it.
    [Theory]
    [InlineData(50, null)]
    [InlineData(55, "the host served 945 of 1,000 calls/s")]
    public void A_host_that_cannot_keep_up_is_the_first_reason(int late, string? reason)
    {
        var calls = Calls(1_000 - late, 0, 100);
        for (var i = 0; i < late; i++)
            calls.Count(new(0, 0, 2_000_000_000, 2_000_000_000), null, windowEnd: 1_000_000_000);
        var window = new Window(calls, 2_000_000_000, 1_000, 0, 0, 0, false) { DueNs = 1_000_000_000 };
        string[] faults = [.. RunChecks.Faults(MadeUp.Round(window))];
        Assert.Equal(reason, faults.FirstOrDefault(fault => fault.StartsWith("the host served ", StringComparison.Ordinal)));
        if (reason is not null)
            Assert.Equal(reason, faults[0]);
    }

    [Fact]
    public void Anything_skipped_wrong_or_not_counted_on_both_sides_is_a_fault()
    {
        var round = Round(1_000, 0, 100);
        Assert.Equal(["1 calls were skipped, because too many were in flight"],
            RunChecks.Faults(round with { Skipped = 1 }));
        Assert.Equal(["no call was made"], RunChecks.Faults(Round(0, 0, 100)));
        Assert.Equal(["the host decoded 999 messages in 1000 calls"],
            RunChecks.Faults(round with { Server = MadeUp.Use(1_000) with { Decodes = 999, Encodes = 1_000 } }));
        Assert.Equal(["the client encoded 1001 messages in 1000 calls"],
            RunChecks.Faults(round with { Client = round.Client! with { Encodes = 1_001 } }));
        var wrong = round with { FailedByStatus = new Dictionary<string, long> { [CallStatistics.WrongReply] = 1 } };
        Assert.Contains("1 replies were wrong", RunChecks.Faults(wrong));
    }

    /// <summary>A second of calls, each so long, one after the other.</summary>
    // a stream for the round, of which a histogram counts 60 s
    [Fact]
    public void Calls_of_100_seconds_are_no_fault() => Assert.Empty(RunChecks.Faults(Round(10, 0, 100_000_000)));

    static LoadRound Round(int succeeded, int failed, long us) => MadeUp.Round(
        new(Calls(succeeded, failed, us), 1_000_000_000, succeeded + failed, 0, 0, (succeeded + failed) * us / 1e6, false));

    static CallStatistics Calls(int succeeded, int failed, long us)
    {
        var calls = new CallStatistics();
        for (var i = 0; i < succeeded + failed; i++)
            calls.Count(new(0, 0, us * 1_000, us * 1_000), i < succeeded ? null : "Unavailable", long.MaxValue);
        return calls;
    }
}

static class MadeUp
{
    /// <summary>A round with such a window and nothing else to complain of.</summary>
    public static LoadRound Round(Window window)
    {
        var plan = new LoadPlan { Payload = HivePayload.Empty(), Rate = window.DueNs is null ? null : 100 };
        return RoundRecord.Of(window, plan) with { Client = Use(window.Calls.Service.Count) };
    }

    public static ProcessUse Use(long calls) =>
        new() { Calls = calls, AllocatedBytes = 0, GcCollections = [0, 0, 0], GcPauseUs = 0, CpuUs = 0 };
}
