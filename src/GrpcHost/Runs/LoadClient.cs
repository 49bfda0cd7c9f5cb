using ProtoBench.Rpc.Control;

namespace ProtoBench.GrpcHost;

/// <summary>The client of a session: its connections, and the loops that make calls on them, in this process or in others.</summary>
abstract class LoadClient : IAsyncDisposable
{
    public abstract IReadOnlyList<RpcConnectionFacts> Connections { get; }

    /// <summary>Opens the connections, makes a first call on each, and compiles the loop, so that no round waits for the JIT.</summary>
    public abstract Task<ClientStart> StartAsync(CancellationToken cancellationToken);

    /// <summary>Applies a load without recording it. Returns the snapshot of the client's process after it.</summary>
    public abstract Task<HostSnapshot> WarmUpAsync(LoadPlan plan, RunCancellation cancellation);

    /// <summary>Applies a load after a full garbage collection.</summary>
    /// <param name="started">Receives the calls when they begin; not called for other processes.</param>
    public abstract Task<MeasuredCalls> MeasureAsync(LoadPlan plan, RunCancellation cancellation, Action<LiveCalls> started);

    public abstract ValueTask DisposeAsync();
}

/// <summary>What a client has found when it connected.</summary>
/// <param name="FirstCall">The time of the first call, without the time to connect.</param>
/// <param name="Clock">The accuracy of the waits of the open loop; null for a closed loop.</param>
/// <param name="Overhead">The difference of two snapshots of its process with nothing between them.</param>
sealed record ClientStart(TimeSpan FirstCall, ClockFacts? Clock, HostSnapshot Overhead);

/// <param name="Round">What the client knows of it, which is not the use of resources.</param>
/// <param name="Before">Of the process of the client.</param>
/// <param name="After">The same.</param>
sealed record MeasuredCalls(LoadRound Round, HostSnapshot Before, HostSnapshot After);
