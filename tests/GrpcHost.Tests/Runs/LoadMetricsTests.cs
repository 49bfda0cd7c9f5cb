using System.Collections.Concurrent;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using ProtoBench.GrpcHost.Tests.Otlp;
using ProtoBench.Results;

namespace ProtoBench.GrpcHost.Tests;

public sealed class LoadMetricsTests : IAsyncLifetime
{
    readonly ConcurrentQueue<Dictionary<string, double>> received = new();
    readonly SemaphoreSlim arrived = new(0);
    WebApplication collector = null!;

    public async ValueTask InitializeAsync()
    {
        collector = WebApplication.CreateSlimBuilder().Build();
        collector.Urls.Add("http://127.0.0.1:0");
        collector.MapPost("/v1/metrics", async (HttpRequest request) =>
        {
            var body = new MemoryStream();
            await request.Body.CopyToAsync(body);
            received.Enqueue(Figures(ExportMetricsServiceRequest.Parser.ParseFrom(body.ToArray())));
            arrived.Release();
        });
        await collector.StartAsync();
    }

    public async ValueTask DisposeAsync()
    {
        await collector.DisposeAsync();
        arrived.Dispose();
    }

    [Fact]
    public async Task A_collector_sees_a_load_while_it_runs()
    {
        var calls = new CallStatistics();
        for (var i = 1; i <= 3_000; i++)
            calls.Count(new(0, 0, i * 1_000_000L, i * 1_000_000L), i % 10 == 0 ? "Internal" : null, long.MaxValue);
        using var metrics = LoadMetrics.Start(Plan())!;
        metrics.Begin("stack-codec", new([calls], () => 7));
        var seen = await NextAsync();
        string[] quantiles = ["0.5", "0.9", "0.99", "0.999", "1"];
        Assert.Equal(
            ["failed stack-codec", "in_flight stack-codec", .. quantiles.Select(quantile => $"latency {quantile} stack-codec"), "succeeded stack-codec"],
            seen.Keys.Order(StringComparer.Ordinal));
        Assert.Equal((7, 300, 2_700), (seen["in_flight stack-codec"], seen["failed stack-codec"], seen["succeeded stack-codec"]));
        // The last full second is that from 2 to 3 s, and all calls were sent at 0.
        Assert.Equal(2.999, seen["latency 1 stack-codec"], 0.003);
        Assert.Equal(2.5, seen["latency 0.5 stack-codec"], 0.003);
    }

    [Fact]
    public async Task A_collector_sees_the_messages_of_streams_that_go_on()
    {
        var calls = new CallStatistics();
        for (var i = 1; i <= 3_000; i++)
        {
            var messages = calls.MessagesAt(i * 1_000_000L);
            (messages.Sent, messages.Received) = (messages.Sent + 2, messages.Received + 1);
            messages.Between.Record(i);
            messages.ToAnswer.Record(10 * i);
        }

        using var metrics = LoadMetrics.Start(Plan())!;
        metrics.Begin("stream", new([calls], () => 1));
        var seen = await NextAsync();
        // without the message at 3 s, whose second is not over
        Assert.Equal((0, 5_998, 2_999), (seen["succeeded stream"], seen["sent stream"], seen["received stream"]));
        Assert.Equal((2.999e-3, 29.99e-3), (seen["between 1 stream"], seen["to_answer 1 stream"]));
        Assert.DoesNotContain(seen.Keys, key => key.StartsWith("latency", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Rounds_are_added()
    {
        using (var metrics = LoadMetrics.Start(Plan())!)
        {
            foreach (var variant in new[] { "one", "two", "one" })
            {
                var calls = new CallStatistics();
                calls.Count(new(0, 0, 1, 1), null, long.MaxValue);
                calls.Count(new(0, 0, 1, 1), variant == "one" ? null : "Internal", long.MaxValue);
                metrics.Begin(variant, new([calls], () => 0));
                metrics.End(MadeUp.Round(new(calls, 1, 2, 0, 0, 0, false)));
            }
        }

        var last = await NextAsync();
        while (received.TryDequeue(out var later))
            last = later;
        Assert.Equal([new("failed one", 0), new("failed two", 1), new("succeeded one", 4), new("succeeded two", 1)],
            last.OrderBy(one => one.Key, StringComparer.Ordinal));
    }

    [Fact]
    public async Task A_run_sends_its_calls()
    {
        var file = Path.GetTempFileName();
        try
        {
            var (exitCode, output, error) = await TheProgram.RunAsync("run", "--codec", "raw", "--payload", "empty", "-n", "300", "-c", "2",
                "--rounds", "2", "--warmup", "0s", "--otlp", collector.Urls.First(), "--out", file);
            Verdict.AssertFollows(exitCode, output, error);
            Assert.DoesNotContain("--otlp", error, StringComparison.Ordinal);
            Assert.Equal(600, LoadResultFile.Read(file).Variants.Single().Rounds.Sum(round => round.Succeeded));
        }
        finally
        {
            File.Delete(file);
        }

        Assert.Equal([new("failed grpc-dotnet-raw", 0), new("succeeded grpc-dotnet-raw", 600)],
            received.Last().OrderBy(one => one.Key, StringComparer.Ordinal));
    }

    [Fact]
    public async Task A_collector_that_takes_nothing_is_named()
    {
        var address = collector.Urls.First() + "/elsewhere";
        var (exitCode, output, error) = await TheProgram.RunAsync("run", "--codec", "raw", "--payload", "empty", "-n", "10", "--rounds", "1",
            "--warmup", "0s", "--otlp", address);
        Verdict.AssertFollows(exitCode, output, error);
        Assert.Contains($"--otlp: {address} did not take the figures", error, StringComparison.Ordinal);
        Assert.Empty(received);
    }

    LoadPlan Plan() => new() { Payload = HivePayload.Empty(), Otlp = new(collector.Urls.First()) };

    async Task<Dictionary<string, double>> NextAsync()
    {
        Assert.True(await arrived.WaitAsync(TheProgram.Limit));
        Assert.True(received.TryDequeue(out var figures));
        return figures;
    }

    static Dictionary<string, double> Figures(ExportMetricsServiceRequest request) => (
        from metric in request.ResourceMetrics.SelectMany(resource => resource.ScopeMetrics).SelectMany(scope => scope.Metrics)
        from point in (metric.Gauge ?? metric.Sum).DataPoints
        let attributes = point.Attributes.Select(one => one.Value.HasStringValue ? one.Value.StringValue : $"{one.Value.DoubleValue}")
        let name = metric.Name switch
        {
            "protobench.load.calls" or "protobench.load.messages" => attributes,
            "protobench.load.calls.in_flight" => attributes.Prepend("in_flight"),
            "protobench.load.latency" => attributes.Prepend("latency"),
            "protobench.load.messages.between" => attributes.Prepend("between"),
            "protobench.load.messages.to_answer" => attributes.Prepend("to_answer"),
            _ => throw new ArgumentException(metric.Name),
        }
        select (Name: string.Join(' ', name), Value: point.HasAsInt ? point.AsInt : point.AsDouble)).ToDictionary();
}
