using ProtoBench.GrpcHost.Load;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Tests.Load;

/// <summary>A transport and a host that take as long as they are told, on a virtual clock.</summary>
/// <param name="clock">Where their time passes.</param>
/// <param name="latency">How long a call takes that is sent now, in nanoseconds.</param>
sealed class FakeCaller(VirtualClock clock, Func<long, long> latency) : Caller
{
    /// <summary>Decides whether the n-th call fails; null for a call that succeeds.</summary>
    public Func<long, RpcStatus?> Fails { get; init; } = _ => null;

    /// <summary>The call holds its thread until it has ended, as when the host does not read.</summary>
    public bool Blocks { get; init; }

    /// <summary>How long the check of a reply takes.</summary>
    public long CheckTakes { get; init; }

    public long Sent { get; private set; }

    public override ValueTask SendAsync(CancellationToken stop)
    {
        var failure = Fails(Sent++);
        var takes = latency(clock.Now);
        if (Blocks)
        {
            clock.Spend(takes);
            return failure is { } status ? throw new RpcException(status, "") : default;
        }

        var ended = new TaskCompletionSource();
        clock.At(clock.Now + takes, () =>
        {
            if (failure is { } status)
                ended.SetException(new RpcException(status, ""));
            else
                ended.SetResult();
        });
        return new(ended.Task);
    }

    public override bool Finish(bool deep)
    {
        clock.Spend(CheckTakes);
        return true;
    }
}
