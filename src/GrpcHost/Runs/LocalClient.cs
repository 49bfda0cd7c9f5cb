using System.Diagnostics;
using Grpc.Core;
using ProtoBench.Rpc.Control;

namespace ProtoBench.GrpcHost;

abstract class LocalClient(LoadSubject subject, LoadPlan plan) : LoadClient
{
    /// <summary>The first call between a cold client and a cold host takes longer than any other.</summary>
    public static readonly TimeSpan AtLeast = TimeSpan.FromMinutes(1);

    protected LoadSubject Subject => subject;

    protected LoadPlan Plan => plan;

    protected CallCounters Counters { get; } = new(plan.Attribute);

    public static LocalClient Create(LoadSubject subject, LoadPlan plan) =>
        plan.Client == EventLoopClient.Name ? new EventLoopClient(subject, plan) : new StackClient(subject, plan);

    public static RpcCallOptions FirstCall(LoadPlan plan) => new() { Timeout = plan.Timeout > AtLeast ? plan.Timeout : AtLeast };

    public static RunException Failed(RpcException failure, LoadSubject subject, CancellationToken cancellationToken) =>
        new(cancellationToken.IsCancellationRequested ? ExitCode.Stopped : ExitCode.Failed,
            $"{subject.Name}: {failure.Message} (status {failure.StatusCode})", failure);

    public override async Task<ClientStart> StartAsync(CancellationToken cancellationToken)
    {
        TimeSpan first;
        try
        {
            first = await ConnectAsync(FirstCall(plan), cancellationToken);
        }
        catch (RpcException e)
        {
            throw Failed(e, subject, cancellationToken);
        }

        using var cancellation = new RunCancellation(cancellationToken);
        await CompileAsync(cancellation);
        var clock = plan.Rate is null ? null : await MeasureClockAsync();
        return new(first, clock, ProcessSnapshot.OverheadOf(Snapshot(), Snapshot()));
    }

    // The record of a round is not made: its code would be compiled in the warm-up, which ends when nothing is compiled any more.
    public override async Task<HostSnapshot> WarmUpAsync(LoadPlan plan, RunCancellation cancellation)
    {
        var window = await LoadAsync(plan, cancellation, _ => { });
        return window.Calls.FailedByStatus.TryGetValue(CallStatistics.NotEnded, out var hanging)
            ? throw new RunException(ExitCode.Failed,
                $"{subject.Name}: {hanging} calls of the warm-up had not ended when the time after it (--drain) was over")
            : Snapshot();
    }

    public override async Task<MeasuredCalls> MeasureAsync(LoadPlan plan, RunCancellation cancellation, Action<LiveCalls> started)
    {
        GC.Collect();
        var before = Snapshot();
        var window = await LoadAsync(plan, cancellation, started);
        var after = Snapshot();
        return new(RoundRecord.Of(window, plan), before, after);
    }

    /// <summary>Returns the time of the first call, without the time to connect.</summary>
    protected abstract Task<TimeSpan> ConnectAsync(RpcCallOptions firstCall, CancellationToken cancellationToken);

    protected virtual Task CompileAsync(RunCancellation cancellation) => Task.CompletedTask;

    protected abstract Task<ClockFacts> MeasureClockAsync();

    protected abstract Task<Window> LoadAsync(LoadPlan plan, RunCancellation cancellation, Action<LiveCalls> started);

    HostSnapshot Snapshot() => ProcessSnapshot.Take(Counters, 0, collect: false);

    protected static CallSchedule ScheduleOf(LoadPlan plan, long start, RunCancellation cancellation)
    {
        var last = plan.Duration is { } duration ? start + (duration.Ticks * 100) : long.MaxValue;
        return new(cancellation)
        {
            Start = start,
            Last = last,
            GiveUp = plan.Duration is null ? long.MaxValue : last + (plan.Drain.Ticks * 100),
            Requests = plan.Rate is null ? plan.Requests ?? long.MaxValue : long.MaxValue,
            Arrivals = plan.Rate is not { } rate ? null
                : () => plan.RateAtEnd is { } end ? Arrivals.Line(rate, end, plan.Duration!.Value.TotalSeconds)
                : plan.Poisson ? Arrivals.Poisson(rate, plan.Seed) : Arrivals.Constant(rate),
            MaxInFlight = plan.MaxInFlight,
            Expected = plan.Expected,
            Log = plan.Log is { } log ? log with { Start = start, At = DateTimeOffset.UtcNow } : null,
            Spin = plan.Spin,
        };
    }

    protected RunException Wrong() =>
        new(ExitCode.Failed, $"{subject.Name}: the host's first reply is not the expected one; {subject.WrongReply}");
}

/// <summary>The client of the stack, as programs use it. Each caller is a loop of asynchronous calls on the thread pool.</summary>
sealed class StackClient(LoadSubject subject, LoadPlan plan) : LocalClient(subject, plan)
{
    /// <summary>The name in options. Stacks other than grpc-dotnet have their own clients.</summary>
    public const string Name = "grpc-dotnet";

    readonly LoadClock clock = new MachineClock(plan.Spin);
    readonly IRpcClient[] clients =
        [.. Enumerable.Range(0, plan.Connections).Select(i => subject.Stack.Connect(subject.Endpoint.OfConnection(i), subject.Limits))];
    readonly RpcCallOptions? call = plan.Timeout is { } timeout ? new() { Timeout = timeout } : null;

    public override IReadOnlyList<RpcConnectionFacts> Connections => [.. clients.Select(client => client.Connection)];

    protected override async Task<TimeSpan> ConnectAsync(RpcCallOptions firstCall, CancellationToken cancellationToken)
    {
        TimeSpan? first = null;
        foreach (var client in clients)
        {
            await using var caller = Subject.Call(client, firstCall, Counters);
            var began = Stopwatch.GetTimestamp();
            var answered = true;
            try
            {
                await caller.SendAsync(cancellationToken);
            }
            catch (RpcException e) when (e.StatusCode is not (StatusCode.Unavailable or StatusCode.DeadlineExceeded
                or StatusCode.Cancelled))
            {
                answered = false; // a status is a result
            }

            first ??= Stopwatch.GetElapsedTime(began) - (client.Connection.ConnectTime ?? default);
            if (answered && !caller.Finish(deep: true))
                throw Wrong();
        }

        return first!.Value;
    }

    protected override Task CompileAsync(RunCancellation cancellation) =>
        RunLoopAsync(Plan with { Duration = TimeSpan.FromMilliseconds(10), Rate = Plan.Rate is null ? null : 1_000 }, _ => new NoCall(),
            cancellation, _ => { });

    protected override Task<ClockFacts> MeasureClockAsync() => LoadThread.RunAsync(() => WakeUp.Measure(clock, clock.WaitUntil, Plan.Spin));

    protected override async Task<Window> LoadAsync(LoadPlan plan, RunCancellation cancellation, Action<LiveCalls> started)
    {
        var before = HiddenRetries;
        var window =
            await RunLoopAsync(plan, number => Subject.Call(clients[number % clients.Length], call, Counters), cancellation, started);
        window.Calls.Resent = HiddenRetries - before;
        return window;
    }

    // the HTTP layer makes them by itself
    long HiddenRetries => clients.Sum(client => client.Connection.HiddenRetries);

    public override async ValueTask DisposeAsync()
    {
        foreach (var client in clients)
            await client.DisposeAsync();
    }

    async Task<Window> RunLoopAsync(LoadPlan plan, Func<int, Caller> newCaller, RunCancellation cancellation, Action<LiveCalls> started)
    {
        List<Caller> callers = [];
        try
        {
            var loop = new StackLoop(clock, ScheduleOf(plan, clock.Now, cancellation), number =>
            {
                callers.Add(newCaller(number));
                return callers[^1];
            });
            started(loop.Calls);
            return await loop.RunAsync(plan.Concurrency);
        }
        finally
        {
            foreach (var caller in callers)
                await caller.DisposeAsync();
        }
    }

    /// <summary>A caller without a call. It ends on another thread, like a call.</summary>
    sealed class NoCall : Caller
    {
        public override async ValueTask SendAsync(CancellationToken cancellationToken) => await Task.Yield();

        public override bool Finish(bool deep) => true;
    }
}

/// <summary>The client for high load, with threads that use HTTP/2 on sockets directly.</summary>
sealed class EventLoopClient : LocalClient
{
    public const string Name = "event-loop";

    // a host on the same machine needs cores too
    const int coresPerLoop = 4;

    readonly PreparedCalls calls;
    readonly LoadClock clock = MachineClock.Sleeping;
    readonly EventLoop[] loops;

    public EventLoopClient(LoadSubject subject, LoadPlan plan)
        : base(subject, plan)
    {
        if (!subject.Stack.SpeaksGrpc)
            throw new UsageException($"--client {Name} speaks gRPC, and {subject.Stack.Name} does not");
        calls = subject.Prepare(Counters);
        var number = Math.Clamp(Environment.ProcessorCount / coresPerLoop, 1, plan.Connections);
        loops = [.. Enumerable.Range(0, number)
            .Select(i => new EventLoop(subject.Endpoint, subject.Limits, plan.Connections, i, number))];
    }

    public static string Settings =>
        $"windows of {Http2Connection.StreamWindow / (1024 * 1024)} MiB for a stream, "
        + $"{Http2Connection.ConnectionWindow / (1024 * 1024)} MiB for a connection";

    public override IReadOnlyList<RpcConnectionFacts> Connections
    {
        get
        {
            Http2Link[] links = [.. loops.SelectMany(loop => loop.Links)];
            var again = loops.Sum(loop => loop.Opened) - links.Length;
            var http2 = new Dictionary<string, long> { ["clientStreamWindowBytes"] = Http2Connection.StreamWindow };
            if (loops.Min(loop => loop.PeerStreams) is { } streams)
                http2[LoadSession.StreamsName] = streams;
            return
            [
                .. links.Select((link, i) => new RpcConnectionFacts
                {
                    Protocol = "HTTP/2",
                    Tls = link.Tls,
                    Address = link.Address,
                    Opened = 1 + (i == 0 ? again : 0),
                    ConnectTime = link.ConnectTime,
                    Http2 = http2,
                }),
            ];
        }
    }

    protected override async Task<TimeSpan> ConnectAsync(RpcCallOptions firstCall, CancellationToken cancellationToken)
    {
        using var cancellation = new RunCancellation(cancellationToken);
        foreach (var loop in loops)
        {
            await loop.OpenAsync(cancellationToken);
            var one = new CallSchedule(cancellation) { Start = clock.Now, Requests = loop.Links.Count() };
            await LoadThread.RunAsync(() => loop.Run(calls, one, Plan.Connections, firstCall.Timeout));
            if (cancellationToken.IsCancellationRequested)
                throw RpcFailure.Of(StatusCode.Cancelled, "cancelled by the caller");
            if (loop.FirstFailure is { } failed)
            {
                // a status is a result; without an answer there is none
                if (failed.Status == CallStatistics.WrongReply)
                    throw Wrong();
                if (!failed.IsAnswer)
                    throw RpcFailure.Of(
                        Enum.TryParse<StatusCode>(failed.Status, out var status) ? status : StatusCode.Unknown, failed.Message);
            }
        }

        return TimeSpan.FromMicroseconds(Math.Max(loops[0].Statistics.Service.Min, loops[0].Statistics.Failed.Min));
    }

    protected override Task<ClockFacts> MeasureClockAsync() => LoadThread.RunAsync(() => EventLoop.MeasureClock(Plan.Spin));

    protected override async Task<Window> LoadAsync(LoadPlan plan, RunCancellation cancellation, Action<LiveCalls> started)
    {
        var schedule = ScheduleOf(plan, clock.Now, cancellation);
        // until it begins, a loop has the statistics of the round before
        started(new(loops.Select(loop => loop.Statistics).Where(one => one.Start == schedule.Start),
            () => loops.Sum(loop => loop.InProgress)));
        await Task.WhenAll(loops.Select(loop => LoadThread.RunAsync(() => loop.Run(calls, schedule, plan.Concurrency, plan.Timeout))));

        var all = new CallStatistics();
        foreach (var loop in loops)
            all.Add(loop.Statistics);
        var window = plan.Rate is null
            ? schedule.WindowOf(all, [.. loops.SelectMany(loop => loop.Callers)])
            : schedule.WindowOf(all, [.. loops.Select(loop => loop.Times!)], loops.Max(loop => loop.LargestBacklog),
                loops.Sum(loop => loop.MostInFlight));
        return window with { LoopBusy = 1 - (loops.Sum(loop => loop.WaitedNs) / (double)loops.Length / (clock.Now - schedule.Start)) };
    }

    public override ValueTask DisposeAsync()
    {
        foreach (var loop in loops)
            loop.Dispose();
        return ValueTask.CompletedTask;
    }
}
