using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains.Results;
using Google.Protobuf.WellKnownTypes;

namespace ProtoBench.Harness.Tests;

public class CallTests
{
    static readonly IConfig config = ManualConfig.CreateEmpty().AddJob(new Job());
    static readonly PayloadSet requests = Words("a", "b", "c"), replies = Words("x", "y");

    [Fact]
    public async Task Calls_are_shared_out_to_callers_that_work_at_the_same_time()
    {
        await using var fixture = new MadeUpCalls();
        await fixture.CallAsync(12, 4);
        Assert.Equal([(0, 3), (1, 3), (2, 3), (3, 3)], fixture.Runs);
        await fixture.CallAsync(4, 1);
        Assert.Equal((0, 4), fixture.Runs[^1]);
        var error = await Assert.ThrowsAsync<ArgumentException>(() => fixture.CallAsync(12, 5));
        Assert.StartsWith("12 calls cannot be shared out to 5 callers", error.Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<ArgumentException>(() => fixture.CallAsync(12, 0));
    }

    [Fact]
    public async Task What_either_side_reads_is_compared_for_every_request_and_every_reply()
    {
        var method = Method(() => new MadeUpCalls(), () => new MadeUpCalls());
        Assert.Null(await Agreement.FirstDisagreementAsync(method, PayloadFormat.Protobuf(StringValue.Parser), requests, replies));
        method = Method(() => new MadeUpCalls(replies, requests), () => new MadeUpCalls(replies, requests));
        Assert.Null(await Agreement.FirstDisagreementAsync(method, PayloadFormat.Protobuf(StringValue.Parser), replies, requests));
    }

    [Theory]
    [InlineData(2, -1, "acme.Words/Say with Slab: request c.bin was read as another message: value")]
    [InlineData(-1, 1, "acme.Words/Say with Slab: reply y.bin was read as another message: value")]
    [InlineData(-1, 2, "acme.Words/Say with Slab: reply x.bin was read as another message: value")]
    public async Task A_difference_names_the_library_the_payload_and_the_field(int wrongRequest, int wrongReply, string expected)
    {
        var method = Method(() => new MadeUpCalls(), () => new MadeUpCalls { WrongRequest = wrongRequest, WrongReply = wrongReply });
        Assert.Equal(expected,
            await Agreement.FirstDisagreementAsync(method, PayloadFormat.Protobuf(StringValue.Parser), requests, replies));
    }

    [Fact]
    public async Task A_service_that_does_not_start_is_named()
    {
        var method = Method(() => throw new InvalidOperationException("no port"), () => new MadeUpCalls());
        Assert.Equal("acme.Words/Say with Google: no port",
            await Agreement.FirstDisagreementAsync(method, PayloadFormat.Protobuf(StringValue.Parser), requests, replies));
    }

    [Fact]
    public void Percentiles_are_those_of_the_calls_that_were_kept()
    {
        var latencies = new CallLatencies();
        Assert.Equal((null, null), Read(latencies));
        for (var i = 0; i < 39; i++) latencies.Add(Microseconds(50));
        Assert.Equal((null, null), Read(latencies));
        latencies.Add(Microseconds(50));
        var (p50, p99) = Read(latencies);
        Assert.NotNull(p50);
        Assert.Null(p99);

        // a million microseconds more for one call in 50 is beyond the 50th percentile, and within the 99th
        for (var i = 0; i < 2 * CallLatencies.Most; i++) latencies.Add(Microseconds(i % 50 == 0 ? 10_000_000 : 1_000_000));
        (p50, p99) = Read(latencies);
        Assert.InRange(p50!.Value, 1e9, 9e9);
        Assert.InRange(p99!.Value, 10e9, 60e9);
    }

    [Theory]
    [InlineData(100)]
    [InlineData(2 * CallLatencies.Most)]
    public void The_first_half_of_the_calls_is_left_out(int calls)
    {
        var latencies = new CallLatencies();
        for (var i = 0; i < calls; i++) latencies.Add(Microseconds(i < calls / 2 ? 10_000_000 : 1_000_000));
        Assert.InRange(Read(latencies).P50!.Value, 1e9, 9e9);
        if (calls > 1_000)
            Assert.InRange(Read(latencies).P99!.Value, 1e9, 9e9);
        latencies.Add(Microseconds(1_000_000));
        Assert.StartsWith($"// Latency of {calls / 2} calls: p50 ", latencies.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Calls_of_several_threads_are_all_counted()
    {
        var latencies = new CallLatencies();
        Parallel.For(0, 1_000, _ => latencies.Add(Microseconds(1)));
        Assert.StartsWith("// Latency of 500 calls: p50 ", latencies.ToString(), StringComparison.Ordinal);
        for (var i = 0; i < 2 * CallLatencies.Most; i++) latencies.Add(Microseconds(1));
        Assert.StartsWith("// Latency of 8192 calls: p50 ", latencies.ToString(), StringComparison.Ordinal);
    }

    static long Microseconds(long ago) =>
        System.Diagnostics.Stopwatch.GetTimestamp() - (ago * System.Diagnostics.Stopwatch.Frequency / 1_000_000);

    static (double? P50, double? P99) Read(CallLatencies latencies) => CallLatencies.Of(Reports(latencies)[0]);

    // What the measured process prints, as BenchmarkDotNet keeps it.
    static BenchmarkReport[] Reports(CallLatencies latencies) =>
    [
        .. from cell in BenchmarkConverter.TypeToBenchmarks(typeof(MadeUpCallCells), config).BenchmarksCases
           let result = new ExecuteResult(true, 0, null, ["WorkloadResult 1: 1 op, 5.00 ns, 5.00 ns/op"], [],
               ["// something else", latencies.ToString()], 1)
           select new BenchmarkReport(true, cell, null!, null!, [result], []),
    ];

    static PayloadSet Words(params string[] words) =>
        new(words.Select(word => new NamedPayload(word + ".bin", Google.Protobuf.MessageExtensions.ToByteArray(new StringValue { Value = word }))));

    static MeasuredMethod Method(Func<CallFixture> google, Func<CallFixture> slab) =>
        new("acme.Words/Say", typeof(MadeUpCallCells), StringValue.Parser, () => replies, new Dictionary<string, Func<Task<CallFixture>>>
        {
            ["Google"] = () => Task.FromResult(google()),
            ["Slab"] = () => Task.FromResult(slab()),
        });

    sealed class MadeUpCalls(PayloadSet sent, PayloadSet answers) : CallFixture
    {
        readonly TaskCompletionSource all = new();
        int running, next;

        public MadeUpCalls()
            : this(requests, replies)
        {
        }

        public List<(int Caller, int Calls)> Runs { get; } = [];

        public int WrongRequest { get; init; } = -1;

        public int WrongReply { get; init; } = -1;

        public override ValueTask DisposeAsync() => default;

        public override Task<ExchangedMessages> ExchangeAsync(int request)
        {
            var reply = next++;
            return Task.FromResult(new ExchangedMessages(
                request == WrongRequest ? default : sent.All[request % sent.All.Count].Bytes,
                reply == WrongReply ? default : answers.All[reply % answers.All.Count].Bytes));
        }

        // ends when four callers have come, or the only one
        protected override async Task RunCallerAsync(int caller, int calls)
        {
            Runs.Add((caller, calls));
            if (calls == 4) return;
            if (++running == 4) all.SetResult();
            await all.Task;
        }
    }
}

public class MadeUpCallCells
{
    [Params(1, 8)]
    public int Callers { get; set; }

#pragma warning disable CA1822 // cells are instance methods
    [Benchmark, BenchmarkCategory("Call"), Measures("Slab")]
    public int CallSaySlab() => 1;
#pragma warning restore CA1822
}
