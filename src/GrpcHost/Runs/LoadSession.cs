using Grpc.Core;
using ProtoBench.Rpc.Control;

namespace ProtoBench.GrpcHost;

/// <summary>A variant under load: its connections, its control connection, and the state that its rounds share.</summary>
sealed class LoadSession : IAsyncDisposable
{
    /// <summary>The name of the calls at a time that the host takes on a connection, in <see cref="Http2"/>.</summary>
    public const string StreamsName = "serverMaxStreamsPerConnection";

    readonly LoadPlan plan;
    readonly LoadClient client;
    readonly IRpcClient control;
    readonly RpcCallOptions firstCall;
    HostSnapshot? clientOverhead;
    HostSnapshot? hostOverhead;

    public LoadSession(Variant variant, RpcEndpoint endpoint, LoadPlan plan)
        : this(new HiveSubject(variant, endpoint, plan.Payload), plan)
    {
    }

    /// <param name="processes">The processes that make the calls; null for this process.</param>
    public LoadSession(LoadSubject subject, LoadPlan plan, IReadOnlyList<ClientProcess>? processes = null)
    {
        Subject = subject;
        this.plan = plan;
        control = subject.Stack.Connect(subject.Endpoint, null);
        client = processes is null ? LocalClient.Create(subject, plan) : new ClientProcesses(subject, plan, processes);
        firstCall = LocalClient.FirstCall(plan);
    }

    public LoadSubject Subject { get; }

    /// <summary>The host's description of itself; null for a host without a control service.</summary>
    public HostDescription? Description { get; private set; }

    public bool SharesCores => Subject.Endpoint.UnixSocket is not null || (Description is { } host
        ? host.Process.Machine == Environment.MachineName : Subject.Endpoint.IsLoopback);

    public ClockFacts? Clock { get; private set; }

    public bool ComparesClient => plan.ComparesClient;

    public bool HasWarmup => plan.Warmup > TimeSpan.Zero;

    public bool StillCompiling { get; private set; }

    public TimeSpan FirstCall { get; private set; }

    public IReadOnlyList<RpcConnectionFacts> Connections => client.Connections;

    /// <summary>The addresses of a name, with the number of connections to each; null for a target that is one.</summary>
    public string? Addresses => Subject.Endpoint.Addresses is not { } all ? null
        : $"addresses of {Subject.Endpoint}: " + string.Join(", ", all.Select(address =>
            $"{address} ({LoadRun.Count(Connections.Count(connection => address.Equals(connection.Address)), "connection")})"));

    /// <summary>The HTTP/2 windows and limits of both sides, by name.</summary>
    public IReadOnlyDictionary<string, long> Http2 =>
        (Description?.Http2 ?? []).Concat(Connections[0].Http2).DistinctBy(one => one.Key).ToDictionary();

    /// <summary>Starts the client, and reads the description of the host.</summary>
    public async Task ConnectAsync(CancellationToken cancellationToken)
    {
        try
        {
            await DescribeAsync(cancellationToken);
        }
        catch (RpcException e)
        {
            throw LocalClient.Failed(e, Subject, cancellationToken);
        }

        var start = await client.StartAsync(cancellationToken);
        (FirstCall, Clock, clientOverhead) = (start.FirstCall, start.Clock, start.Overhead);
        if (Description is not null)
            hostOverhead = ProcessSnapshot.OverheadOf(await SnapshotHostAsync(collect: false), await SnapshotHostAsync(collect: false));
    }

    /// <summary>Applies the load of a round without recording it. A host of this program is loaded until the JIT is idle on both sides, and
    /// a server of others for the requested time.</summary>
    public async Task WarmUpAsync(RunCancellation cancellation)
    {
        if (plan.Warmup <= TimeSpan.Zero)
            return;
        if (Description is null)
        {
            // what is compiled in the last part would be compiled in the first round too
            var last = plan.Warmup < 2 * WarmUp.Slice ? plan.Warmup / 2 : WarmUp.Slice;
            var before = (await LoadAsync(plan.Warmup - last)).CompiledMethods;
            StillCompiling = (await LoadAsync(last)).CompiledMethods > before;
            return;
        }

        await LoadAsync(plan.Warmup);
        StillCompiling = !await WarmUp.UntilQuietAsync(
            async () => (await LoadAsync(WarmUp.Slice)).CompiledMethods + (await SnapshotHostAsync(collect: false)).CompiledMethods,
            cancellation.Token);

        Task<HostSnapshot> LoadAsync(TimeSpan duration)
        {
            var load = plan with { Requests = null, Duration = duration };
            CheckConnections(load);
            return client.WarmUpAsync(load, cancellation);
        }
    }

    /// <summary>Makes a round, and shows and exports its progress.</summary>
    public async Task<LoadRound> MeasureAsync(LoadPlan plan, RunCancellation cancellation, LoadMetrics? metrics = null)
    {
        try
        {
            var round = await Progress.ShowAsync(Subject.Name, started => RunAsync(plan, cancellation, calls =>
            {
                started(() => calls.Done(plan.Rate is null ? plan.Requests : null));
                metrics?.Begin(Subject.Name, calls);
            }));
            metrics?.End(round);
            return round;
        }
        catch (RpcException e)
        {
            throw new RunException(ExitCode.Failed, $"{Subject.Name}: the control connection failed: {e.Message}", e);
        }
    }

    public async Task<LoadRound> RunAsync(LoadPlan plan, RunCancellation cancellation, Action<LiveCalls> started)
    {
        CheckConnections(plan);
        var thereBefore = Description is null ? null : await SnapshotHostAsync(collect: true);
        var (round, hereBefore, hereAfter) = await client.MeasureAsync(plan, cancellation, started);
        var thereAfter = Description is null ? null : await SnapshotHostAsync(collect: false);

        var ended = RoundRecord.Ended(round);
        round = round with { Client = ProcessSnapshot.Between(hereBefore, hereAfter, clientOverhead, ended) };
        return round with
        {
            ClientCeilingPerSecond = RoundRecord.CeilingOf(round, SharesCores),
            Server = thereBefore is null || thereAfter is null
                ? null : ProcessSnapshot.Between(thereBefore, thereAfter, hostOverhead, thereAfter.Calls - thereBefore.Calls),
            AttributionUsPerCall = plan.Attribute && thereBefore is not null && thereAfter is not null
                ? CallParts.Of(hereBefore, hereAfter, thereBefore, thereAfter, round.Service.MeanUs, ended) : null,
        };
    }

    public async ValueTask DisposeAsync()
    {
        await client.DisposeAsync();
        await control.DisposeAsync();
    }

    void CheckConnections(LoadPlan plan)
    {
        if (!Subject.Stack.Multiplexed && plan.MostInFlight is var most && most > plan.Connections)
            throw new UsageException(
                $"{Subject.Stack.Name} carries one call at a time on a connection, so {most} calls need as many --connections");
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
            return; // a host of another program can be loaded, but it has no figures of its own
        }

        if (Description.Stack != Subject.Stack.Name || Description.Codec != Subject.Codec)
            throw new UsageException(
                $"the host at {Subject.Endpoint} runs {Description.Stack} with {Description.Codec}, not {Subject.Stack.Name} with "
                    + $"{Subject.Codec}");
        if (plan.Attribute && !Description.Attribute)
            throw new UsageException($"the host at {Subject.Endpoint} does not take times: start it with --attribute");
    }

    async Task<HostSnapshot> SnapshotHostAsync(bool collect) =>
        await control.UnaryAsync(ControlService.Snapshot, new SnapshotRequest { Collect = collect }, firstCall);
}

/// <summary>A fixed warm-up is too short where the JIT is delayed. The first round of a cold host is up to 2.6 times slower.</summary>
static class WarmUp
{
    // the number of slices after the requested time; a note reports a host that still compiles then
    const int mostSlices = 20;

    /// <summary>The time for which the JIT must compile nothing, the same as in a duet.</summary>
    public static TimeSpan Slice { get; } = TimeSpan.FromMilliseconds(500);

    /// <summary>Loads until no method was compiled in a slice. Returns whether the JIT was idle at the end.</summary>
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
