using System.Diagnostics;
using Grpc.Core;
using ProtoBench.GrpcHost.Control;
using ProtoBench.GrpcHost.Hive;
using ProtoBench.GrpcHost.Load;
using ProtoBench.Results;
using ProtoBench.Rpc;
using ProtoBench.Rpc.Control;

namespace ProtoBench.GrpcHost.Runs;

/// <summary>The client of a session: its connections, and the loops that make calls on them.</summary>
abstract class LoadClient : IAsyncDisposable
{
    /// <summary>The facts about each connection.</summary>
    public abstract IReadOnlyList<RpcConnectionFacts> Connections { get; }

    /// <summary>Opens all connections and makes the first call on each.</summary>
    /// <returns>The time of the first of these calls, without the time to connect.</returns>
    /// <exception cref="RpcException">Thrown when a call failed.</exception>
    public abstract Task<TimeSpan> ConnectAsync(RpcCallOptions firstCall, CancellationToken cancellationToken);

    /// <summary>Compiles the loop, so that its first round does not wait for the JIT between calls.</summary>
    public virtual Task CompileAsync(RunCancellation cancellation) => Task.CompletedTask;

    public virtual HostSnapshot Snapshot(CallCounters counters) => ProcessSnapshot.Take(counters, 0, collect: false);

    public abstract Task<ClockFacts> MeasureClockAsync();

    /// <param name="started">Receives a function that returns the number of successful calls.</param>
    public abstract Task<Window> LoadAsync(LoadPlan plan, RunCancellation cancellation, Action<Func<long>> started);

    public abstract ValueTask DisposeAsync();

    /// <summary>Returns when the calls of a round are due.</summary>
    protected static CallSchedule ScheduleOf(LoadPlan plan, long start, RunCancellation cancellation)
    {
        var last = plan.Duration is { } duration ? start + (duration.Ticks * 100) : long.MaxValue;
        return new(cancellation)
        {
            Start = start,
            Last = last,
            GiveUp = plan.Duration is null ? long.MaxValue : last + (plan.Drain.Ticks * 100),
            Requests = plan.Rate is null ? plan.Requests ?? long.MaxValue : long.MaxValue,
            Arrivals = plan.Rate is { } rate ? () => plan.Poisson ? Arrivals.Poisson(rate, plan.Seed) : Arrivals.Constant(rate) : null,
            MaxInFlight = plan.MaxInFlight,
            Spin = plan.Spin,
        };
    }

    /// <summary>Runs work in a new thread.</summary>
    protected static Task RunThreadAsync(Action work) => RunThreadAsync(() =>
    {
        work();
        return true;
    });

    /// <inheritdoc cref="RunThreadAsync(Action)"/>
    protected static Task<T> RunThreadAsync<T>(Func<T> work)
    {
        var ended = new TaskCompletionSource<T>(TaskCreationOptions.RunContinuationsAsynchronously);
        new Thread(() =>
        {
            try
            {
                ended.SetResult(work());
            }
            catch (Exception e)
            {
                ended.SetException(e);
            }
        })
        {
            IsBackground = true,
            Name = "load",
        }.Start();
        return ended.Task;
    }

    protected static RunException Wrong(LoadSubject subject) =>
        new(ExitCode.Failed, $"{subject.Name}: the host's first reply is not the expected one; {subject.WrongReply}");
}

/// <summary>The client of the stack, as programs use it. Each caller is a loop of asynchronous calls on the thread pool.</summary>
sealed class StackClient : LoadClient
{
    /// <summary>The name in options. Stacks other than grpc-dotnet have their own clients.</summary>
    public const string Name = "grpc-dotnet";

    readonly LoadSubject subject;
    readonly LoadPlan plan;
    readonly CallCounters counters;
    readonly LoadClock clock;
    readonly IRpcClient[] clients;
    readonly RpcCallOptions? call;

    public StackClient(LoadSubject subject, LoadPlan plan, CallCounters counters)
    {
        (this.subject, this.plan, this.counters) = (subject, plan, counters);
        clock = new MachineClock(plan.Spin);
        clients = [.. Enumerable.Range(0, plan.Connections).Select(_ => subject.Stack.Connect(subject.Endpoint, subject.Limits))];
        call = plan.Timeout is { } timeout ? new() { Timeout = timeout } : null;
    }

    public override IReadOnlyList<RpcConnectionFacts> Connections => [.. clients.Select(client => client.Connection)];

    public override async Task<TimeSpan> ConnectAsync(RpcCallOptions firstCall, CancellationToken cancellationToken)
    {
        TimeSpan? first = null;
        foreach (var client in clients)
        {
            using var caller = subject.Call(client, firstCall, counters);
            var began = Stopwatch.GetTimestamp();
            await caller.SendAsync(cancellationToken);
            first ??= Stopwatch.GetElapsedTime(began) - (client.Connection.ConnectTime ?? default);
            if (!caller.Finish(deep: true))
                throw Wrong(subject);
        }

        return first!.Value;
    }

    public override Task CompileAsync(RunCancellation cancellation) =>
        RunLoopAsync(plan with { Duration = TimeSpan.FromMilliseconds(10), Rate = plan.Rate is null ? null : 1_000 }, _ => new NoCall(),
            cancellation, _ => { });

    public override Task<ClockFacts> MeasureClockAsync() => RunThreadAsync(() => WakeUp.Measure(clock, clock.WaitUntil, plan.Spin));

    public override Task<Window> LoadAsync(LoadPlan plan, RunCancellation cancellation, Action<Func<long>> started) =>
        RunLoopAsync(plan, number => subject.Call(clients[number % clients.Length], call, counters), cancellation, started);

    public override async ValueTask DisposeAsync()
    {
        foreach (var client in clients)
            await client.DisposeAsync();
    }

    async Task<Window> RunLoopAsync(LoadPlan plan, Func<int, Caller> newCaller, RunCancellation cancellation, Action<Func<long>> started)
    {
        List<Caller> callers = [];
        try
        {
            var loop = new StackLoop(clock, ScheduleOf(plan, clock.Now, cancellation), number =>
            {
                callers.Add(newCaller(number));
                return callers[^1];
            });
            started(() => loop.Succeeded);
            return await loop.RunAsync(plan.Concurrency);
        }
        finally
        {
            foreach (var caller in callers)
                caller.Dispose();
        }
    }

    /// <summary>A caller without a call. It ends on another thread, like a call.</summary>
    sealed class NoCall : Caller
    {
        public override async ValueTask SendAsync(CancellationToken cancellationToken) => await Task.Yield();

        public override bool Finish(bool deep) => true;

        public override void Dispose()
        {
            // there is no request
        }
    }
}

/// <summary>The client for high load, with threads that use HTTP/2 on sockets directly.</summary>
sealed class EventLoopClient : LoadClient
{
    public const string Name = "event-loop";

    // a host on the same machine needs cores too
    const int coresPerLoop = 4;

    readonly LoadSubject subject;
    readonly LoadPlan plan;
    readonly PreparedCalls calls;
    readonly LoadClock clock = MachineClock.Sleeping;
    readonly EventLoop[] loops;

    public EventLoopClient(LoadSubject subject, LoadPlan plan, CallCounters counters)
    {
        if (!subject.Stack.SpeaksGrpc)
            throw new RunException(ExitCode.Usage, $"--client {Name} speaks gRPC, and {subject.Stack.Name} does not");
        (this.subject, this.plan) = (subject, plan);
        calls = subject.Prepare(counters);
        var number = Math.Clamp(Environment.ProcessorCount / coresPerLoop, 1, plan.Connections);
        loops = [.. Enumerable.Range(0, number)
            .Select(i => new EventLoop(subject.Endpoint, calls.MaxReplyBytes, plan.Connections, i, number))];
    }

    public static string Settings =>
        $"windows of {Http2.Http2Connection.StreamWindow / (1024 * 1024)} MiB for a stream, "
        + $"{Http2.Http2Connection.ConnectionWindow / (1024 * 1024)} MiB for a connection";

    public override IReadOnlyList<RpcConnectionFacts> Connections
    {
        get
        {
            Http2.Http2Link[] links = [.. loops.SelectMany(loop => loop.Links)];
            var again = loops.Sum(loop => loop.Opened) - links.Length;
            var http2 = new Dictionary<string, long> { ["clientStreamWindowBytes"] = Http2.Http2Connection.StreamWindow };
            if (loops.Min(loop => loop.PeerStreams) is { } streams)
                http2[LoadSession.StreamsName] = streams;
            return
            [
                .. links.Select((link, i) => new RpcConnectionFacts
                {
                    Protocol = "HTTP/2",
                    Tls = link.Tls,
                    Opened = 1 + (i == 0 ? again : 0),
                    ConnectTime = link.ConnectTime,
                    Http2 = http2,
                }),
            ];
        }
    }

    public override async Task<TimeSpan> ConnectAsync(RpcCallOptions firstCall, CancellationToken cancellationToken)
    {
        using var cancellation = new RunCancellation(cancellationToken);
        foreach (var loop in loops)
        {
            await loop.OpenAsync(cancellationToken);
            var one = new CallSchedule(cancellation) { Start = clock.Now, Requests = loop.Links.Count() };
            await RunThreadAsync(() => loop.Run(calls, one, plan.Connections, firstCall.Timeout));
            if (cancellationToken.IsCancellationRequested)
                throw RpcFailure.Of(StatusCode.Cancelled, "cancelled by the caller");
            if (loop.FirstFailure is { } failed)
            {
                throw failed.Status == CallStatistics.WrongReply ? Wrong(subject)
                    : RpcFailure.Of(Enum.TryParse<StatusCode>(failed.Status, out var status) ? status : StatusCode.Unknown, failed.Message);
            }
        }

        return TimeSpan.FromMicroseconds(loops[0].Statistics.Service.Min);
    }

    public override Task<ClockFacts> MeasureClockAsync() => RunThreadAsync(() => EventLoop.MeasureClock(plan.Spin));

    public override async Task<Window> LoadAsync(LoadPlan plan, RunCancellation cancellation, Action<Func<long>> started)
    {
        var schedule = ScheduleOf(plan, clock.Now, cancellation);
        started(() => loops.Sum(loop => loop.Statistics.Service.Count));
        await Task.WhenAll(loops.Select(loop => RunThreadAsync(() => loop.Run(calls, schedule, plan.Concurrency, plan.Timeout))));

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
