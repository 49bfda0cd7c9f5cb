using Grpc.Core;
using ProtoBench.GrpcHost.Load;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Tests.Load;

/// <summary>A host on a virtual clock, with its transport.</summary>
/// <param name="clock">The clock.</param>
/// <param name="answer">What becomes of a call, by its number from 0.</param>
/// <param name="blocks">A call holds one of the client's threads until it ends, as a synchronous transport does.</param>
sealed class FakeHost(VirtualClock clock, Func<long, FakeReply> answer, bool blocks = false)
{
    public long Calls { get; private set; }

    public static FakeHost Steady(VirtualClock clock, TimeSpan latency) => new(clock, _ => new(latency));

    public Caller NewCaller() => new FakeCaller(this);

    /// <summary>An open loop against this host, until its last call has ended.</summary>
    public Task<Window> OpenLoopAsync(Arrivals arrivals, TimeSpan duration, int maxInFlight = 10_000,
        CancellationToken cancellationToken = default) => Task.Run(() =>
    {
        using var cancellation = new RunCancellation(cancellationToken);
        var loop = new OpenLoop(clock, _ => NewCaller(), maxInFlight);
        var schedule = loop.Pace(arrivals, duration, cancellation);
        clock.RunOut();
        return loop.Sum(schedule);
    });

    /// <summary>A closed loop against this host, until its last call has ended.</summary>
    public Task<Window> ClosedLoopAsync(int concurrency, long? requests, TimeSpan? duration,
        CancellationToken cancellationToken = default) => Task.Run(async () =>
    {
        using var cancellation = new RunCancellation(cancellationToken);
        var running =
            new ClosedLoop(clock, [.. Enumerable.Range(0, concurrency).Select(_ => NewCaller())]).RunAsync(requests, duration,
                cancellation);
        clock.RunOut();
        return await running.WaitAsync(TimeSpan.FromMinutes(5));
    });

    sealed class FakeCaller(FakeHost host) : Caller
    {
        FakeReply reply;

        public override ValueTask SendAsync(CancellationToken cancellationToken)
        {
            reply = host.Answer();
            var ended = new TaskCompletionSource();
            host.Send(reply, ended);
            return new(ended.Task);
        }

        public override bool Finish(bool deep) => reply.Right;

        public override void Dispose()
        {
            // its request is nothing
        }
    }

    FakeReply Answer() => answer(Calls++);

    void Send(FakeReply reply, TaskCompletionSource ended)
    {
        if (blocks)
            clock.TakeThread();
        clock.After(reply.Latency.Ticks * 100, () =>
        {
            if (reply.Status == StatusCode.OK)
                ended.SetResult();
            else
                ended.SetException(RpcFailure.Of(reply.Status, "as the test asked"));
            if (blocks)
                clock.GiveThread();
        });
    }
}

/// <summary>What becomes of a call.</summary>
readonly record struct FakeReply(TimeSpan Latency, StatusCode Status = StatusCode.OK, bool Right = true);
