using Grpc.Core;
using ProtoBench.GrpcHost.Protocol;

namespace ProtoBench.GrpcHost;

/// <summary>The client of a scenario. It makes calls from its creation until it is disposed.</summary>
/// <remarks>In the closed loop, latency is measured from the send. In the open loop, it is measured from the time at which a call was due,
/// so it includes the wait for a free caller.</remarks>
sealed class WorkerClient : IAsyncDisposable
{
    // the time that calls may take after the end of the scenario
    static readonly TimeSpan drain = TimeSpan.FromSeconds(5);

    // without this pause, a server that refuses every call would be called as fast as possible
    static readonly TimeSpan afterFailure = TimeSpan.FromMilliseconds(10);

    const int mostCallers = 100_000;

    readonly CancellationTokenSource stop = new();
    readonly RunCancellation cancellation;
    readonly List<IRpcClient> channels = [];
    readonly List<Caller> callers = [];
    readonly List<EventLoop> loops = [];
    readonly List<Task> work = [];
    readonly ProcessTimes times = new();
    // striped, so that threads that end calls at the same time rarely use the same object
    readonly Stripe[] stripes;
    readonly double? rate;
    CoreLimit? cores;
    bool disposed;
    long answered;

    WorkerClient(ClientConfig config)
    {
        cancellation = new(stop.Token, drain);
        try
        {
            stripes = [.. Enumerable.Range(0, Environment.ProcessorCount).Select(_ => new Stripe(QpsHistogram.Of(config.HistogramParams)))];
        }
        catch (ArgumentException e)
        {
            throw Invalid.Argument(e.Message);
        }

        if (config.LoadParams?.LoadCase == LoadParams.LoadOneofCase.Poisson)
        {
            rate = config.LoadParams.Poisson.OfferedLoad;
            if (!(rate > 0 && double.IsFinite(rate.Value)))
                throw Invalid.Argument($"an offered load of {rate} calls a second");
        }
        else if (config.LoadParams?.LoadCase != LoadParams.LoadOneofCase.ClosedLoop)
        {
            throw Invalid.Argument("load_params is missing: closed_loop or poisson");
        }
    }

    /// <summary>The number of calls that were answered since the start, including wrong answers. The server must have handled them. For
    /// streams it is the number of messages.</summary>
    public long Answered => Volatile.Read(ref answered);

    /// <summary>The window that the last reset ended, at three digits; null before.</summary>
    public (LatencyHistogram Latencies, TimeSpan Length)? LastWindow { get; private set; }

    /// <exception cref="RpcException">INVALID_ARGUMENT if this worker has no such client, UNAVAILABLE if it cannot connect.</exception>
    public static async Task<WorkerClient> StartAsync(ClientConfig config)
    {
        var client = new WorkerClient(config);
        try
        {
            await client.BeginAsync(config);
            return client;
        }
        catch
        {
            await client.DisposeAsync();
            throw;
        }
    }

    public ClientStats Stats(bool reset)
    {
        var (elapsed, user, system) = times.Take(reset);
        var histogram = stripes[0].Empty();
        var exact = new LatencyHistogram();
        var results = new SortedDictionary<int, long>();
        foreach (var stripe in stripes)
            stripe.AddTo(histogram, exact, results, reset);
        if (reset)
            LastWindow = (exact, TimeSpan.FromSeconds(elapsed));
        var stats = new ClientStats { Latencies = histogram.ToMessage(), TimeElapsed = elapsed, TimeUser = user, TimeSystem = system };
        foreach (var (status, count) in results)
            stats.RequestResults.Add(new RequestResultCount { StatusCode = status, Count = count });
        return stats;
    }

    /// <summary>Waits at most five seconds for the calls in progress, and closes the channels.</summary>
    public async ValueTask DisposeAsync()
    {
        if (disposed)
            return;
        disposed = true;
        await stop.CancelAsync();
        await Task.WhenAll(work);
        await Task.WhenAll(callers.Select(caller => caller.DisposeAsync().AsTask()));
        foreach (var channel in channels)
            await channel.DisposeAsync();
        foreach (var loop in loops)
            loop.Dispose();
        cancellation.Dispose();
        cores?.Dispose();
        stop.Dispose();
    }

    async Task BeginAsync(ClientConfig config)
    {
        var (perChannel, count) = (config.OutstandingRpcsPerChannel, config.ClientChannels);
        if (count < 1 || perChannel < 1 || (long)count * perChannel > mostCallers)
            throw Invalid.Argument($"{count} channels with {perChannel} calls each: from 1 to {mostCallers} calls are possible");
        if (config.ServerTargets.Count == 0)
            throw Invalid.Argument("server_targets is empty");
        if (config.MessagesPerStream < 0)
            throw Invalid.Argument($"messages_per_stream is {config.MessagesPerStream}");
        RpcEndpoint[] targets = [.. config.ServerTargets.Select(target => Target(target, config.SecurityParams is not null))];
        var extras = Extras.Of(config.ChannelArgs);
        var subject = Subject(config, extras, targets[0]);
        if (extras.Client == EventLoopClient.Name)
        {
            await BeginLoopsAsync(config, subject, targets);
            return;
        }

        cores = CoreLimit.Of(config.CoreLimit, config.CoreList);
        for (var i = 0; i < count; i++)
        {
            var channel = subject.Stack.Connect(targets[i % targets.Length], subject.Limits, perChannel);
            channels.Add(channel);
            for (var j = 0; j < perChannel; j++)
                callers.Add(subject.Call(channel, null, new(timed: false)));
        }

        var loop = new StackLoop(MachineClock.Sleeping,
            Schedule(rate, callers.Count, (latency, failure) =>
                Count(stripes[Thread.GetCurrentProcessorId() % stripes.Length], latency, failure)),
            number => callers[number]);
        work.Add(Task.Run(() => loop.RunAsync(callers.Count)));
    }

    /// <summary>A server's share of the calls is that of its connections: a sum of Poisson processes is one.</summary>
    async Task BeginLoopsAsync(ClientConfig config, LoadSubject subject, RpcEndpoint[] targets)
    {
        if (!subject.Stack.SpeaksGrpc)
            throw Invalid.Argument($"the {EventLoopClient.Name} client speaks gRPC, and {subject.Stack.Name} does not");
        if (config.RpcType != RpcType.Unary && rate is not null)
            throw Invalid.Argument($"the {EventLoopClient.Name} client has streams in the closed loop only");
        cores = CoreLimit.Of(config.CoreLimit, config.CoreList);
        List<Action> all = [];
        for (var i = 0; i < targets.Length; i++)
        {
            var connections = (config.ClientChannels + targets.Length - 1 - i) / targets.Length;
            var callers = connections * config.OutstandingRpcsPerChannel;
            var (calls, seed) = (subject.Prepare(new(timed: false)), Random.Shared.Next());
            var perSecond = rate * connections / config.ClientChannels;
            var count = Math.Min(connections, Math.Max(1, (cores?.Count ?? Environment.ProcessorCount) / targets.Length));
            for (var j = 0; j < count; j++)
            {
                var loop = new EventLoop(targets[i], subject.Limits, connections, j, count);
                var stripe = stripes[loops.Count % stripes.Length];
                loops.Add(loop);
                await loop.OpenAsync(stop.Token);
                all.Add(() => loop.Run(
                    calls, Schedule(perSecond, callers, (latency, failure) => Count(stripe, latency, failure), seed), callers));
            }
        }

        foreach (var run in all)
            work.Add(LoadThread.RunAsync(run));
    }

    CallSchedule Schedule(double? perSecond, int callers, Action<long, string?> onEnd, int? seed = null)
    {
        var drawn = seed ?? Random.Shared.Next();
        return new(cancellation)
        {
            Start = MachineClock.Sleeping.Now,
            Arrivals = perSecond is { } value ? () => Arrivals.Poisson(value, drawn) : null,
            MaxInFlight = callers,
            NeverSkips = true,
            AfterFailure = afterFailure,
            OnEnd = onEnd,
        };
    }

    LoadSubject Subject(ClientConfig config, Extras extras, RpcEndpoint target)
    {
        if (config.ClientType == ClientType.OtherClient)
        {
            Extras.CheckApi(config.OtherClientApi);
            if (config.RpcType != RpcType.Unary)
                throw Invalid.Argument("the hive's service has unary calls only");
            return new HiveSubject(new(extras.Stack, extras.Codec, extras.Root), target, HivePayload.Hive(extras.Items))
            {
                Limits = WorkerServer.Limits(extras.Stack),
            };
        }

        if (!Enum.IsDefined(config.ClientType))
            throw Invalid.Argument($"a client of type {(int)config.ClientType} is not known here");
        switch (config.PayloadConfig?.PayloadCase)
        {
            case PayloadConfig.PayloadOneofCase.BytebufParams:
                var generic = config.PayloadConfig.BytebufParams;
                return Of(Benchmark.Bytes, Benchmark.Bytes,
                    Benchmark.Payload(generic.ReqSize).Body.Memory, Benchmark.Payload(generic.RespSize).Body.Memory);
            case PayloadConfig.PayloadOneofCase.SimpleParams:
                var simple = config.PayloadConfig.SimpleParams;
                var request = new SimpleRequest { Payload = Benchmark.Payload(simple.ReqSize), ResponseSize = simple.RespSize };
                return Of(Benchmark.Requests, Benchmark.Responses, request, Benchmark.Response(simple.RespSize));
            default:
                throw Invalid.Argument("payload_config is missing: simple_params or bytebuf_params");
        }

        LoadSubject Of<TRequest, TResponse>(
            Rpc.Marshaller<TRequest> requests, Rpc.Marshaller<TResponse> responses, TRequest request, TResponse reply)
        {
            var stack = extras.GrpcStack();
            return new BenchmarkSubject<TRequest, TResponse>(target, stack, config, Benchmark.Method(config.RpcType, requests, responses),
                request, reply, cancellation.AbandonToken)
            {
                Limits = WorkerServer.Limits(stack),
                Stream = new(config.MessagesPerStream == 0 ? long.MaxValue : config.MessagesPerStream, UntilRound: true,
                    Outstanding: config.RpcType == RpcType.Streaming ? 1 : long.MaxValue),
            };
        }
    }

    /// <summary>Any certificate is accepted, because a benchmark does not need an authenticated server.</summary>
    static RpcEndpoint Target(string target, bool tls) =>
        target.Contains(':', StringComparison.Ordinal) && Uri.TryCreate("http://" + target, UriKind.Absolute, out var url)
            && url is { Port: > 0, PathAndQuery: "/" }
            ? new() { Host = url.Host, Port = url.Port, Trust = tls ? new() { AcceptAny = true } : null }
            : throw Invalid.Argument($"'{target}' is not a target: host:port");

    void Count(Stripe stripe, long latency, string? failure)
    {
        stripe.Count(latency, failure);
        if (failure is null or CallStatistics.WrongReply)
            Interlocked.Increment(ref answered);
    }

    /// <summary>The statistics of the calls that end on some of the threads.</summary>
    sealed class Stripe(QpsHistogram histogram)
    {
        readonly QpsHistogram histogram = histogram;
        readonly LatencyHistogram exact = new();
        readonly Dictionary<int, long> results = [];

        public void Count(long nanoseconds, string? failure)
        {
            var status = failure is null ? StatusCode.OK
                : failure == CallStatistics.WrongReply ? StatusCode.DataLoss
                : Enum.TryParse<StatusCode>(failure, out var known) ? known : StatusCode.Unknown;
            lock (results)
            {
                results[(int)status] = results.GetValueOrDefault((int)status) + 1;
                if (failure is not null)
                    return; // a failed call would change the latencies of the successful ones
                histogram.Record(nanoseconds);
                exact.Record(nanoseconds / 1_000);
            }
        }

        public QpsHistogram Empty() => histogram.Like();

        public void AddTo(QpsHistogram all, LatencyHistogram allExact, SortedDictionary<int, long> allResults, bool reset)
        {
            lock (results)
            {
                all.Add(histogram);
                allExact.Add(exact);
                foreach (var (status, count) in results)
                    allResults[status] = allResults.GetValueOrDefault(status) + count;
                if (!reset)
                    return;
                histogram.Clear();
                exact.Clear();
                results.Clear();
            }
        }
    }
}
