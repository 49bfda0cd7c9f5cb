using System.Diagnostics;
using System.Runtime;
using Grpc.Core;
using ProtoBench.GrpcHost.Control;
using ProtoBench.GrpcHost.Hive;
using ProtoBench.GrpcHost.Load;
using ProtoBench.GrpcHost.Printing;
using ProtoBench.Rpc;
using ProtoBench.Rpc.Control;

namespace ProtoBench.GrpcHost.Runs;

/// <summary>A variant under load: its connections, its control connection, and the state that its rounds share.</summary>
sealed class LoadSession : IAsyncDisposable
{
    /// <summary>The limit of a first call and of a call of the control service, if --timeout is shorter: a cold client on a cold host needs
    /// longer for its first call than for any other.</summary>
    public static readonly TimeSpan AtLeast = TimeSpan.FromMinutes(1);

    readonly LoadPlan plan;
    readonly LoadClock clock;
    readonly IRpcClient[] clients;
    readonly IRpcClient control;
    readonly CallCounters counters;
    readonly RpcCallOptions? call;
    readonly RpcCallOptions firstCall;
    HostSnapshot? clientOverhead;
    HostSnapshot? hostOverhead;

    public LoadSession(Variant variant, RpcEndpoint endpoint, LoadPlan plan)
        : this(new HiveSubject(variant, endpoint, plan.Payload), plan)
    {
    }

    public LoadSession(LoadSubject subject, LoadPlan plan)
    {
        Subject = subject;
        this.plan = plan;
        clock = new MachineClock(plan.Spin);
        clients = [.. Enumerable.Range(0, plan.Connections).Select(_ => subject.Stack.Connect(subject.Endpoint, subject.Limits))];
        control = subject.Stack.Connect(subject.Endpoint, null);
        counters = new(plan.Attribute);
        call = plan.Timeout is { } timeout ? new() { Timeout = timeout } : null;
        firstCall = new() { Timeout = plan.Timeout > AtLeast ? plan.Timeout : AtLeast };
    }

    /// <summary>What is loaded.</summary>
    public LoadSubject Subject { get; }

    /// <summary>The host's description of itself; null for a host without a control service.</summary>
    public HostDescription? Description { get; private set; }

    /// <summary>Whether the host is on this machine.</summary>
    public bool SharesCores => Subject.Endpoint.UnixSocket is not null || Description?.Process.Machine == Environment.MachineName;

    /// <summary>Whether there is load before the first round.</summary>
    public bool HasWarmup => plan.Warmup > TimeSpan.Zero;

    /// <summary>Whether the JIT of either side still compiled methods at the end of the warm-up.</summary>
    public bool StillCompiling { get; private set; }

    public TimeSpan FirstCall { get; private set; }

    public IReadOnlyList<RpcConnectionFacts> Connections => [.. clients.Select(client => client.Connection)];

    /// <summary>Opens all connections, each with its first call, and asks the host what it is. Compiles the loop, so that its first round
    /// does not wait for the JIT between calls.</summary>
    /// <exception cref="RunException">No host, or not the one that was meant.</exception>
    public async Task ConnectAsync(CancellationToken cancellationToken)
    {
        try
        {
            await DescribeAsync(cancellationToken);
            foreach (var client in clients)
            {
                using var caller = Subject.Call(client, firstCall, counters);
                var began = Stopwatch.GetTimestamp();
                await caller.SendAsync(cancellationToken);
                var took = Stopwatch.GetElapsedTime(began) - (client.Connection.ConnectTime ?? default);
                if (client == clients[0])
                    FirstCall = took;
                if (!caller.Finish(deep: true))
                    throw new RunException(ExitCode.Failed,
                        $"{Subject.Name}: the host's first reply is not the expected one; {Subject.WrongReply}");
            }
        }
        catch (RpcException e)
        {
            throw new RunException(cancellationToken.IsCancellationRequested ? ExitCode.Stopped : ExitCode.Failed,
                $"{Subject.Name}: {e.Message} (status {e.StatusCode})", e);
        }

        using var cancellation = new RunCancellation(cancellationToken);
        var brief = plan with { Duration = TimeSpan.FromMilliseconds(10), Rate = plan.Rate is null ? null : 1_000 };
        await RunLoopAsync(brief, _ => new NoCall(), cancellation, _ => { });

        clientOverhead = ProcessSnapshot.OverheadOf(SnapshotHere(), SnapshotHere());
        if (Description is not null)
            hostOverhead = ProcessSnapshot.OverheadOf(await SnapshotHostAsync(collect: false), await SnapshotHostAsync(collect: false));
    }

    /// <summary>Applies the load of a round without recording it, until the JIT is quiet on both sides.</summary>
    public async Task WarmUpAsync(RunCancellation cancellation)
    {
        if (plan.Warmup <= TimeSpan.Zero)
            return;
        await WarmAsync(plan.Warmup);
        StillCompiling = !await WarmUp.UntilQuietAsync(
            async () =>
            {
                await WarmAsync(WarmUp.Slice);
                var there = Description is null ? 0 : (await SnapshotHostAsync(collect: false)).CompiledMethods;
                return JitInfo.GetCompiledMethodCount() + there;
            },
            cancellation.Token);

        async Task WarmAsync(TimeSpan duration)
        {
            var window = await LoadAsync(plan with { Requests = null, Duration = duration }, cancellation, _ => { });
            if (window.Calls.FailedByStatus.TryGetValue(CallStatistics.NotEnded, out var hanging))
                throw new RunException(ExitCode.Failed,
                    $"{Subject.Name}: {hanging} calls of the warm-up had not ended when the time after it (--drain) was over");
        }
    }

    /// <summary>One round, whose progress is shown.</summary>
    /// <exception cref="RunException">The control connection failed.</exception>
    public async Task<RoundFigures> MeasureAsync(LoadPlan plan, RunCancellation cancellation)
    {
        try
        {
            return await Progress.ShowAsync(Subject.Name, started => RunAsync(plan, cancellation, started),
                plan.Rate is null ? plan.Requests : null);
        }
        catch (RpcException e)
        {
            throw new RunException(ExitCode.Failed, $"{Subject.Name}: the control connection failed: {e.Message}", e);
        }
    }

    /// <summary>One round.</summary>
    /// <param name="plan">What to do in it.</param>
    /// <param name="cancellation">Ends it early.</param>
    /// <param name="started">Is given a way to ask how many calls have succeeded so far.</param>
    public async Task<RoundFigures> RunAsync(LoadPlan plan, RunCancellation cancellation, Action<Func<long>> started)
    {
        var thereBefore = Description is null ? null : await SnapshotHostAsync(collect: true);
        GC.Collect();
        var hereBefore = SnapshotHere();
        var window = await LoadAsync(plan, cancellation, started);
        var hereAfter = SnapshotHere();
        var thereAfter = Description is null ? null : await SnapshotHostAsync(collect: false);

        var ended = window.Calls.Service.Count + window.Calls.Failed.Count;
        var client = ProcessSnapshot.Between(hereBefore, hereAfter, clientOverhead, ended);
        var server = thereBefore is null || thereAfter is null
            ? null : ProcessSnapshot.Between(thereBefore, thereAfter, hostOverhead, thereAfter.Calls - thereBefore.Calls);
        var parts = plan.Attribute && thereBefore is not null && thereAfter is not null
            ? CallParts.Of(hereBefore, hereAfter, thereBefore, thereAfter, window.Calls.Service.Mean, ended)
            : null;
        return new(window, client, server, parts);
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var client in clients)
            await client.DisposeAsync();
        await control.DisposeAsync();
    }

    async Task<Window> LoadAsync(LoadPlan plan, RunCancellation cancellation, Action<Func<long>> started)
    {
        if (!Subject.Stack.Multiplexed && (plan.Rate is null ? plan.Concurrency : plan.MaxInFlight) is var most && most > plan.Connections)
            throw new RunException(ExitCode.Usage,
                $"{Subject.Stack.Name} carries one call at a time on a connection, so {most} calls need as many --connections");
        return await RunLoopAsync(plan, number => NewCaller(clients[number % clients.Length]), cancellation, started);
    }

    async Task<Window> RunLoopAsync(LoadPlan plan, Func<int, Caller> newCaller, RunCancellation cancellation, Action<Func<long>> started)
    {
        List<Caller> callers = [];
        try
        {
            if (plan.Rate is { } rate)
            {
                var open = new OpenLoop(clock, New, plan.MaxInFlight);
                started(() => open.Succeeded);
                return await open.RunAsync(plan.Poisson ? Arrivals.Poisson(rate, plan.Seed) : Arrivals.Constant(rate), plan.Duration!.Value,
                    plan.Drain, cancellation);
            }

            var closed = new ClosedLoop(clock, [.. Enumerable.Range(0, plan.Concurrency).Select(New)]);
            started(() => closed.Succeeded);
            return await closed.RunAsync(plan.Requests, plan.Duration, plan.Drain, cancellation);
        }
        finally
        {
            foreach (var caller in callers)
                caller.Dispose();
        }

        Caller New(int number)
        {
            callers.Add(newCaller(number));
            return callers[^1];
        }
    }

    async Task DescribeAsync(CancellationToken cancellationToken)
    {
        if (!Subject.HasControl)
            return;
        try
        {
            Description = await control.UnaryAsync(ControlService.Describe, new(), firstCall, cancellationToken);
        }
        catch (RpcException e) when (e.StatusCode == StatusCode.Unimplemented)
        {
            return; // another program's host: it is loaded all the same, and its side of the figures is absent
        }

        if (Description.Stack != Subject.Stack.Name || Description.Codec != Subject.Codec)
            throw new RunException(ExitCode.Usage,
                $"the host at {Subject.Endpoint} runs {Description.Stack} with {Description.Codec}, not {Subject.Stack.Name} with "
                    + $"{Subject.Codec}");
        if (plan.Attribute && !Description.Attribute)
            throw new RunException(ExitCode.Usage, $"the host at {Subject.Endpoint} does not take times: start it with --attribute");
    }

    Caller NewCaller(IRpcClient client) => Subject.Call(client, call, counters);

    HostSnapshot SnapshotHere() => ProcessSnapshot.Take(counters, 0, collect: false);

    async Task<HostSnapshot> SnapshotHostAsync(bool collect) =>
        await control.UnaryAsync(ControlService.Snapshot, new SnapshotRequest { Collect = collect }, firstCall);
}

/// <summary>Makes no call. It ends on another thread, as a call does.</summary>
sealed class NoCall : Caller
{
    public override async ValueTask SendAsync(CancellationToken cancellationToken) => await Task.Yield();

    public override bool Finish(bool deep) => true;

    public override void Dispose()
    {
        // there is no request
    }
}

/// <summary>The end of a warm-up: a fixed time is too short on a busy machine, where the JIT comes late. The first round of a
/// cold host is up
/// to 2.6 times slower.</summary>
static class WarmUp
{
    // As many slices after the time that was asked for. A host that compiles for longer is noted.
    const int mostSlices = 20;

    /// <summary>How long the JIT has to compile nothing, as in a duet.</summary>
    public static TimeSpan Slice { get; } = TimeSpan.FromMilliseconds(500);

    /// <summary>Loads slice by slice until no method was compiled in one.</summary>
    /// <param name="loadAndCount">Applies the load of a slice, and counts the methods that were compiled so far.</param>
    /// <param name="stop">Ends it early.</param>
    /// <returns>Whether the JIT was quiet at the end.</returns>
    public static async Task<bool> UntilQuietAsync(Func<Task<long>> loadAndCount, CancellationToken stop)
    {
        var compiled = await loadAndCount();
        for (var slice = 1; slice < mostSlices && !stop.IsCancellationRequested; slice++)
        {
            var now = await loadAndCount();
            if (now == compiled)
                return true;
            compiled = now;
        }

        return false;
    }
}
