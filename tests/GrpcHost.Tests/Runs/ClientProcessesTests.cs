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

    [Theory]
    [InlineData(null)]
    [InlineData(900.0)]
    public void The_rounds_of_processes_are_added(double? rate)
    {
        var (one, two, all) = (new CallStatistics(), new CallStatistics(), new CallStatistics());
        for (var i = 1; i <= 1000; i++)
        {
            foreach (var calls in new[] { i % 3 == 0 ? one : two, all })
            {
                var end = i * 7_000_000L;
                calls.Count(new(0, i * 3_000L, end, end + 500), i % 10 == 0 ? "Internal" : i % 11 == 0 ? "Unknown" : null,
                    windowEnd: 900_000_000, $"call {i}");
                var messages = calls.MessagesAt(end);
                (messages.Sent, messages.Received) = (messages.Sent + i, messages.Received + 2);
                messages.Between.Record(i);
                messages.ToAnswer.Record(3 * i);
            }
        }

        var plan = new LoadPlan { Payload = HivePayload.Empty(), Concurrency = 5, Duration = TimeSpan.FromSeconds(1), Rate = rate };
        LoadRound[] parts = [.. new[] { one, two }.Select((calls, i) =>
            LoadResultFile.ParseRound(LoadResultFile.ToJson(RoundRecord.Of(Half(Ended(calls)), ClientProcesses.Share(plan, i, 2)))))];
        var (whole, sum) = (RoundRecord.Of(Half(Ended(all)), plan), RoundRecord.Sum(parts, plan));
        Func<LoadRound, LatencyRecord?>[] latencies =
            [round => round.Service, round => round.Failed, round => round.Response, round => round.ScheduleLag];
        foreach (var of in latencies)
            Assert.Equal((of(whole)?.Histogram, of(whole)?.MinUs, of(whole)?.MaxUs), (of(sum)?.Histogram, of(sum)?.MinUs, of(sum)?.MaxUs));
        Assert.Equal(whole.Service.MeanUs, sum.Service.MeanUs, 1e-6);
        Assert.Equal(whole.FailedByStatus.OrderBy(status => status.Key), sum.FailedByStatus.OrderBy(status => status.Key));
        Assert.Equal(whole.Seconds!.Select(second => (second.Second, second.Failed, second.Latency.Histogram, Text(second.Messages!))),
            sum.Seconds!.Select(second => (second.Second, second.Failed, second.Latency.Histogram, Text(second.Messages!))));
        Assert.Equal(Text(whole.Messages!), Text(sum.Messages!));
        // the first of the first process, which has every third call
        Assert.Equal([new("Internal", "call 30"), new("Unknown", "call 33")], sum.FailureMessages!.OrderBy(status => status.Key));
        Assert.Equal(whole.VerifiedShare!.Value, sum.VerifiedShare!.Value, 1e-12);
        Assert.Equal((whole.SentLate, whole.ServedAfter, whole.DueSeconds), (sum.SentLate, sum.ServedAfter, sum.DueSeconds));
        Assert.Equal((rate is null, rate is null), (whole.SentLate is null, whole.DueSeconds is null));
        Assert.Equal((6, rate is null ? null : 2, rate is null ? 7.0 : null),
            (sum.TransparentRetries, sum.LargestBacklog, sum.InFlight));
        Assert.Equal((1.0, 1000, whole.Succeeded, 2, 8, 0.5),
            (sum.DurationSeconds, sum.Attempted, sum.Succeeded, sum.Skipped, sum.MostInFlight, sum.LoopBusy));
    }

    static CallStatistics Ended(CallStatistics calls)
    {
        var sum = new CallStatistics { Resent = 3 };
        sum.Add(calls);
        return sum;
    }

    static string Text(StreamRecord messages) =>
        $"{messages.Sent} {messages.Received} {messages.BetweenMessages.Histogram} {messages.ToAnswer.Histogram}";

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
