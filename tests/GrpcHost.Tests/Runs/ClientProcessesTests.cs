using Google.Protobuf;
using ProtoBench.Results;
using ProtoBench.Rpc.Control;

namespace ProtoBench.GrpcHost.Tests;

public sealed class ClientProcessesTests : IDisposable
{
    readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("protobench-");

    public void Dispose() => folder.Delete(recursive: true);

    [Fact]
    public void Shares_are_the_whole()
    {
        var plan = new LoadPlan
        {
            Payload = HivePayload.Empty(),
            Requests = 101,
            Concurrency = 10,
            Connections = 7,
            MaxInFlight = 20,
            Rate = 900,
            Processes = 3,
        };
        LoadPlan[] shares = [.. Enumerable.Range(0, 3).Select(i => ClientProcesses.Share(plan, i, 3))];
        Assert.Equal((101, 10, 7, 20, 900),
            (shares.Sum(one => one.Requests!.Value), shares.Sum(one => one.Concurrency), shares.Sum(one => one.Connections),
                shares.Sum(one => one.MaxInFlight), shares.Sum(one => one.Rate!.Value)));
        Assert.All(shares, one => Assert.True(one.Connections <= one.Concurrency && one.Processes == 1));
        Assert.Equal(3, shares.Select(one => one.Seed).Distinct().Count());
    }

    [Fact]
    public void Histograms_and_statuses_are_added()
    {
        var (one, two, all) = (new CallStatistics(), new CallStatistics(), new CallStatistics());
        for (var i = 1; i <= 1000; i++)
        {
            foreach (var calls in new[] { i % 3 == 0 ? one : two, all })
            {
                calls.Count(new(0, 0, i * 7_000L, i * 7_000L), i % 10 == 0 ? "Internal" : i % 11 == 0 ? "Unknown" : null, long.MaxValue, $"call {i}");
                var messages = calls.MessagesAt(i * 7_000L);
                (messages.Sent, messages.Received) = (messages.Sent + i, messages.Received + 2);
                messages.Between.Record(i);
                messages.ToAnswer.Record(3 * i);
            }
        }

        Window[] windows =
            [.. new[] { one, two }.Select(calls => LoadWindow.Parser.ParseFrom(Half(Ended(calls)).ToMessage().ToByteArray()).ToWindow())];
        var merged = ClientProcesses.Merge(windows, open: false, byCount: false);
        foreach (var percentile in new[] { 50, 90, 99.0 })
            Assert.Equal(all.Service.Percentile(percentile), merged.Calls.Service.Percentile(percentile));
        Assert.Equal(all.FailedByStatus.OrderBy(status => status.Key), merged.Calls.FailedByStatus.OrderBy(status => status.Key));
        Assert.Equal(Seconds(all), Seconds(merged.Calls));
        Assert.Equal(Text(Ended(all).Messages!), Text(merged.Calls.Messages!));
        // the first of the first process, which has every third call
        Assert.Equal([new("Internal", "call 30"), new("Unknown", "call 33")], merged.Calls.FailureMessages.OrderBy(status => status.Key));
        Assert.Equal((900_000_000, 6), (merged.DueNs, merged.Calls.Resent));
        Assert.Equal((1_000_000_000, 1000, 2, 2, 7, 8, 0.5),
            (merged.LengthNs, merged.Attempted, merged.Skipped, merged.LargestBacklog, merged.InFlight, merged.MostInFlight,
                merged.LoopBusy));
    }

    static CallStatistics Ended(CallStatistics calls)
    {
        var sum = new CallStatistics { Resent = 3 };
        sum.Add(calls);
        return sum;
    }

    static IEnumerable<(int, long, string, string)> Seconds(CallStatistics calls) => Ended(calls).Seconds.Select(one =>
        (one.Second, one.Failed, HistogramEncoding.Encode(one.Response.Unpack()), Text(one.Messages!.Unpack())));

    static string Text(StreamMessages messages) =>
        $"{messages.Sent} {messages.Received} {HistogramEncoding.Encode(messages.Between)} {HistogramEncoding.Encode(messages.ToAnswer)}";

    static Window Half(CallStatistics calls) => new(calls, 1_000_000_000, calls.Service.Count + calls.Failed.Count, 1, 2, 3.5, false)
    {
        MostInFlight = 4,
        LoopBusy = 0.5,
        DueNs = 900_000_000,
    };

    /// <summary>A process makes the loads of the plan that it is sent: nothing of it may be lost on the way.</summary>
    [Fact]
    public void A_plan_arrives_as_it_was_sent()
    {
        var plan = new LoadPlan
        {
            Payload = HivePayload.Empty(),
            Client = EventLoopClient.Name,
            Connections = 2,
            Concurrency = 3,
            Requests = 4,
            Duration = TimeSpan.FromTicks(5),
            Rate = 6.5,
            RateAtEnd = 6.75,
            Poisson = true,
            MaxInFlight = 7,
            Timeout = TimeSpan.FromTicks(8),
            Drain = TimeSpan.FromTicks(9),
            Seed = 10,
            Spin = true,
            Attribute = true,
        };
        foreach (var one in new[] { plan, plan with { Requests = null, Duration = null, Rate = null, RateAtEnd = null, Timeout = null } })
        {
            var arrived = ClientPlan.Parser.ParseFrom(one.ToMessage().ToByteArray()).ToPlan();
            Assert.Equal(one, arrived with
            {
                Payload = one.Payload,
                Arguments = one.Arguments,
                Percentiles = one.Percentiles,
                LeftOut = one.LeftOut,
            });
        }
    }

    [Fact]
    public async Task Two_processes_load_one_server()
    {
        await using var server = new FrameServer((peer, stream, _) => peer.ReplyAsync(stream));
        var request = Path.Combine(folder.FullName, "request.bin");
        var result = Path.Combine(folder.FullName, "result.json");
        await File.WriteAllBytesAsync(request, new byte[3]);
        var (exitCode, output, error) = await TheProgram.RunProcessAsync("load", "--target", $"127.0.0.1:{server.Endpoint.Port}", "--method", "acme.Orders/Place",
            "--payload", request, "--requests", "101", "--rounds", "2", "--concurrency", "6", "--connections", "5", "--warmup", "100ms",
            "--processes", "2", "--out", result);
        Verdict.AssertFollows(exitCode, output, error);
        var variant = LoadResultFile.Read(result).Variants.Single();
        Assert.Equal([101L, 101L], variant.Rounds.Select(round => round.Succeeded));
        Assert.Equal(5, variant.Transport.ConnectionsOpened);
        Assert.Equal(5, server.Connections);
        Assert.Equal(101, variant.Rounds[0].Client!.Calls); // their processor time may be less than the system counts
        Assert.Contains("replies: 1 messages and 1 bytes a call", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_process_that_finds_nobody_says_so()
    {
        int port;
        await using (var server = new FrameServer((peer, stream, _) => peer.ReplyAsync(stream)))
            port = server.Endpoint.Port;
        var request = Path.Combine(folder.FullName, "request.bin");
        await File.WriteAllBytesAsync(request, new byte[3]);
        var (exitCode, _, error) = await TheProgram.RunAsync("load", "--target", $"127.0.0.1:{port}", "--method", "acme.Orders/Place", "--payload", request,
            "--concurrency", "2", "--connections", "2", "--processes", "2");
        Assert.Equal((ExitCode.Failed, $"acme.Orders/Place: no host answers at http://127.0.0.1:{port} (status Unavailable)"), (exitCode, error.Trim()));
    }
}
