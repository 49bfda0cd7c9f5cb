using ProtoBench.Results;

namespace ProtoBench.GrpcHost.Tests;

public class PublishedReportTests
{
    // The figures of the published study's report, from its README.
    static readonly LatencyRecord published =
        Record(10_000, 2_401, 164_126, new() { ["50"] = 3_676, ["90"] = 4_720, ["95"] = 5_480, ["99"] = 14_568, ["99.9"] = 27_101 });

    static readonly LoadRound closed = new()
    {
        Position = 0,
        DurationSeconds = 40.624,
        Attempted = 10_000,
        Succeeded = 10_000,
        VerifiedShare = 0.01234,
        Service = published,
        Client = new()
        {
            Calls = 10_000,
            AllocatedBytes = 12_345_678,
            GcCollections = [3, 2, 1],
            GcPauseUs = 12_345,
            CpuUs = 1_234_567,
            LockContentions = 4,
            SlicesOutstanding = 2
        },
        Server = new()
        {
            Calls = 10_000,
            AllocatedBytes = 10_000,
            GcCollections = [0, 0, 0],
            GcPauseUs = 0,
            CpuUs = 10_000_000,
            SlicesOutstanding = 0
        },
    };

    [Fact]
    public void A_closed_round_is_printed_in_the_published_form() => Assert.Equal(
        """
        Ready to send simulated requests
        successful rate 1 = 10000/10000
        qps 246.16 = 10000/(40.62 s)
        min   latency in Us: 2401
        max   latency in Us: 164126
        50%   latency in Us: 3676
        90%   latency in Us: 4720
        95%   latency in Us: 5480
        99%   latency in Us: 14568
        99.9% latency in Us: 27101
        client per call: 1,235 B allocated, 123.5 μs CPU, 1.23 μs GC pause
        client in all: 3/2/1 GCs of generation 0/1/2, 4 lock contentions, 2 slab slices not released
        server per call: 1 B allocated, 1000.0 μs CPU, 0.00 μs GC pause
        server in all: 0/0/0 GCs of generation 0/1/2, 0 lock contentions, 0 slab slices not released
        checks of the replies took 1.23 % of the wall time

        """, PublishedReport.Ready + "\n" + Printed(closed));

    [Fact]
    public void An_open_round_has_attempted_and_achieved_and_both_times()
    {
        var round = closed with
        {
            DurationSeconds = 4,
            DueSeconds = 2,
            TransparentRetries = 3,
            Attempted = 100_000,
            Succeeded = 10_000,
            Skipped = 89_990,
            SentLate = 7,
            ServedAfter = 4_000,
            LargestBacklog = 12,
            FailedByStatus = new Dictionary<string, long> { ["Unavailable"] = 8, ["Internal"] = 1, ["WrongReply"] = 1 },
            FailureMessages = new Dictionary<string, string> { ["Unavailable"] = "the \u001b[2Jserver\nis full" },
            Response = published with { MaxUs = 999_999 },
            Failed = Record(10, 598_211, 603_323, new() { ["50"] = 600_000 }),
            ScheduleLag = Record(3, 1, 1, []),
            Client = null,
            Server = null,
        };
        Assert.Equal(
            """
            the host served 3,005 of 50,000 calls/s
            successful rate 0.1 = 10000/100000
            qps 2500.00 = 10000/(4.00 s) partial
            attempted 50000.00/s, skipped 89990, sent late 7, largest backlog 12
            min   response latency in Us: 2401
            max   response latency in Us: 999999
            50%   response latency in Us: 3676
            90%   response latency in Us: 4720
            95%   response latency in Us: 5480
            99%   response latency in Us: 14568
            99.9% response latency in Us: 27101
            min   service  latency in Us: 2401
            max   service  latency in Us: 164126
            50%   service  latency in Us: 3676
            90%   service  latency in Us: 4720
            95%   service  latency in Us: 5480
            99%   service  latency in Us: 14568
            99.9% service  latency in Us: 27101
            99%   schedule lag in Us: 1, max 1
            sent again 3: calls that the server had refused without processing them (transparent retries)
            failed Unavailable: 8, first: the  [2Jserver is full
            failed Internal: 1, without a message
            failed WrongReply: 1
            failed calls, which the percentiles above do not contain:
            min   failed latency in Us: 598211
            max   failed latency in Us: 603323
            50%   failed latency in Us: 600000 (too few calls: needs 20)
            checks of the replies took 1.23 % of the wall time

            """, Printed(round, partial: true));
    }

    [Fact]
    public void A_percentile_that_the_data_do_not_support_says_so()
    {
        var lines = Printed(
            closed with { Attempted = 999, Succeeded = 999, Service = Record(999, 5, 5, new() { ["95"] = 5, ["99"] = 5, ["99.9"] = 5 }) })
                .Split('\n');
        Assert.Contains("95%   latency in Us: 5", lines);
        Assert.Contains("99%   latency in Us: 5 (too few calls: needs 1,000)", lines);
        Assert.Contains("99.9% latency in Us: 5 (too few calls: needs 10,000)", lines);
    }

    [Fact]
    public void A_round_without_a_success_has_no_latency()
    {
        var text = Printed(
            closed with
            {
                Succeeded = 0,
                Service = Record(0, 0, 0, []),
                FailedByStatus = new Dictionary<string, long> { ["Unavailable"] = 10_000 },
                Client = null,
                Server = null
            });
        Assert.Equal(
            """
            successful rate 0 = 0/10000
            qps 0.00 = 0/(40.62 s)
            failed Unavailable: 10000, without a message
            checks of the replies took 1.23 % of the wall time

            """, text);
    }

    [Fact]
    public void A_side_that_does_not_count_slices_has_no_word_of_them()
    {
        var text = Printed(closed with { Client = closed.Client! with { SlicesOutstanding = null } });
        Assert.Contains("client in all: 3/2/1 GCs of generation 0/1/2, 4 lock contentions\n", text, StringComparison.Ordinal);
        Assert.Contains("server in all: 0/0/0 GCs of generation 0/1/2, 0 lock contentions, 0 slab slices not released\n", text,
            StringComparison.Ordinal);
    }

    static string Printed(LoadRound round, bool partial = false)
    {
        using var output = new StringWriter { NewLine = "\n" };
        PublishedReport.Print(output, round with { Partial = partial });
        return output.ToString();
    }

    static LatencyRecord Record(int count, long min, long max, Dictionary<string, long> percentiles)
    {
        var histogram = new LatencyHistogram();
        for (var i = 0; i < count; i++)
            histogram.Record(min);
        return LatencyRecord.Of(histogram, []) with { MaxUs = max, PercentilesUs = percentiles };
    }
}
