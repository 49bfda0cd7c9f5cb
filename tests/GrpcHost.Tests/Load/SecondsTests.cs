using Grpc.Core;
using ProtoBench.Results;

namespace ProtoBench.GrpcHost.Tests;

public class SecondsTests
{
    const long second = 1_000_000_000;

    static readonly TimeSpan ms = TimeSpan.FromMilliseconds(1);

    // Calls of 100 ms. The 25th takes 3 s, and each tenth fails.
    [Fact]
    public async Task A_call_counts_in_the_second_in_which_it_ends()
    {
        var host = new FakeHost(new(), number => number == 24 ? new(3_000 * ms)
            : new(100 * ms, number % 10 == 9 ? StatusCode.Unavailable : StatusCode.OK));
        var window = await host.ClosedLoopAsync(1, 40, null);
        // a call that ends with a second is in the next one
        Assert.Equal([(0, 9, 0), (1, 9, 1), (2, 4, 1), (5, 5, 1), (6, 9, 1)],
            window.Calls.Seconds.Select(one => (one.Second, (int)one.Response.Count, (int)one.Failed)));
        Assert.Equal([100_000, 100_000, 100_000, 3_000_000, 100_000], window.Calls.Seconds.Select(one => one.Response.Unpack().Max));
    }

    // Due every 10 ms, and one call holds the only connection for a second.
    [Fact]
    public async Task An_open_loop_has_the_time_from_when_a_call_was_due()
    {
        var host = new FakeHost(new(threads: 1), number => new(number == 150 ? 1_000 * ms : ms), blocks: true);
        var window = await host.OpenLoopAsync(Arrivals.Constant(100), TimeSpan.FromSeconds(3));
        var seconds = window.Calls.Seconds.ToDictionary(one => one.Second, one => one.Response.Unpack());
        Assert.Equal([0, 1, 2], seconds.Keys);
        Assert.Equal((1_000, 1_000), (seconds[0].Max, seconds[1].Max));
        Assert.InRange(seconds[2].Max, 999_000, 1_001_000);
        Assert.Equal(window.Calls.Response.Count, seconds.Values.Sum(one => one.Count));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    public void Seconds_of_several_threads_are_added(int threads)
    {
        var random = new Random(threads);
        CallStatistics[] parts = [.. Enumerable.Range(0, threads).Select(_ => new CallStatistics(5))];
        var expected = new SortedDictionary<int, (LatencyHistogram Response, long Failed)>();
        var end = 5L;
        for (var i = 0; i < 50_000; i++)
        {
            // at most 4 s, so that some seconds have no call of some thread
            end += i % 5_000 == 0 ? random.NextInt64(4 * second) : random.NextInt64(second / 1_000);
            var (sent, fails) = (end - random.NextInt64(50_000_000), random.Next(20) == 0);
            parts[random.Next(threads)].Count(new(sent, sent, end, end), fails ? "Internal" : null, long.MaxValue);
            var (response, failed) = expected.GetValueOrDefault((int)((end - 5) / second), (new(), 0));
            if (!fails)
                response.Record((end - sent) / 1_000);
            expected[(int)((end - 5) / second)] = (response, fails ? failed + 1 : failed);
        }

        var all = new CallStatistics();
        foreach (var part in parts)
            all.Add(part);
        Assert.Equal(
            $"{expected.Values.Sum(one => one.Response.Count):N0} calls, {expected.Values.Sum(one => one.Failed):N0} failed",
            new LiveCalls([all], () => 0).Done(null));
        // the last second in which a thread ended one before
        var last = parts.Select(part => part.LastSecond!.Second).Max();
        var (shown, _) = expected[last];
        Assert.EndsWith(threads > 1 ? ", 7 in flight" :
            $"; last second: {shown.Count:N0} calls, p50 {shown.Percentile(50):N0} μs, p99 {shown.Percentile(99):N0} μs, 7 in flight",
            new LiveCalls(parts, () => 7).Done(null), StringComparison.Ordinal);
        EndedCalls[] seconds = [.. all.Seconds];
        Assert.Equal(expected.Select(one => (one.Key, one.Value.Failed)), seconds.Select(one => (one.Second, one.Failed)));
        foreach (var (one, (response, _)) in seconds.Zip(expected.Values))
        {
            var histogram = one.Response.Unpack();
            Assert.Equal((response.Count, response.Min, response.Max), (histogram.Count, histogram.Min, histogram.Max));
            Assert.Equal(response.Mean, histogram.Mean, 1e-6);
            Assert.Equal(HistogramEncoding.Encode(response), HistogramEncoding.Encode(histogram));
        }
    }

    // Streams that last longer than a second: a second may have messages and no call.
    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    public void Messages_count_in_their_second(int threads)
    {
        var random = new Random(threads);
        CallStatistics[] parts = [.. Enumerable.Range(0, threads).Select(_ => new CallStatistics(5))];
        var expected = new SortedDictionary<int, StreamMessages>();
        var (time, total) = (5L, new StreamMessages());
        for (var i = 0; i < 50_000; i++)
        {
            time += i % 5_000 == 0 ? random.NextInt64(4 * second) : random.NextInt64(second / 1_000);
            var (between, toAnswer, isSent) = (random.Next(70_000), random.Next(100), random.Next(2) == 0);
            if (!expected.TryGetValue((int)((time - 5) / second), out var ofSecond))
                expected.Add((int)((time - 5) / second), ofSecond = new());
            foreach (var messages in new[] { parts[random.Next(threads)].MessagesAt(time), ofSecond, total })
            {
                messages.Sent += isSent ? 1 : 0;
                messages.Received += isSent ? 0 : 1;
                messages.Between.Record(between);
                messages.ToAnswer.Record(toAnswer);
            }
        }

        var all = new CallStatistics();
        foreach (var part in parts)
            all.Add(part);
        Assert.Equal(expected.Select(one => Text(one.Key, one.Value)), all.Seconds.Select(one => Text(one.Second, one.Messages!.Unpack())));
        Assert.Equal(Text(-1, total), Text(-1, all.Messages!));
        Assert.Equal($"0 of 8 calls, {total.Sent:N0} messages sent, {total.Received:N0} received", new LiveCalls([all], () => 0).Done(8));

        static string Text(int second, StreamMessages messages) =>
            $"{second}: {messages.Sent} {messages.Received} {HistogramEncoding.Encode(messages.Between)} {HistogramEncoding.Encode(messages.ToAnswer)}";
    }

    // 20,000 calls/s over the whole range of a histogram: more buckets than any service fills in a second.
    [Fact]
    public void Ten_minutes_take_less_than_200_MB()
    {
        const int seed = 45;
        var random = new Random(seed);
        var calls = new CallStatistics();
        for (var i = 0L; i < 600 * 20_000; i++)
        {
            var end = i * (second / 20_000);
            var sent = end - (long)Math.Exp(6.9 + (random.NextDouble() * 17.9));
            calls.Count(new(sent, sent, end, end), null, long.MaxValue);
        }

        var all = new CallStatistics();
        all.Add(calls);
        Assert.Equal(600, all.Seconds.Count());
        Assert.InRange(all.Seconds.Sum(one => one.Response.Size), 1_000_000, 200_000_000 / 8);
    }
}
