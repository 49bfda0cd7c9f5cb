using Grpc.Core;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Tests;

/// <param name="answer">What becomes of a call, by its number from 0.</param>
/// <param name="blocks">A call holds one of the client's threads until it ends, as a synchronous transport does.</param>
sealed class FakeHost(VirtualClock clock, Func<long, FakeReply> answer, bool blocks = false)
{
    public long Calls { get; private set; }

    public static FakeHost Steady(VirtualClock clock, TimeSpan latency) => new(clock, _ => new(latency));

    public Caller NewCaller() => new FakeCaller(this);

    public Task<Window> OpenLoopAsync(Arrivals arrivals, TimeSpan duration, int maxInFlight = 10_000, bool neverSkips = false,
        CancellationToken cancellationToken = default) => Task.Run(() =>
    {
        using var cancellation = new RunCancellation(cancellationToken);
        var loop = new StackLoop(clock, new(cancellation)
        {
            Start = clock.Now,
            Last = clock.Now + (duration.Ticks * 100),
            Arrivals = () => arrivals,
            MaxInFlight = maxInFlight,
            NeverSkips = neverSkips,
        }, _ => NewCaller());
        loop.Pace();
        clock.RunOut();
        return loop.OpenWindow();
    });

    public Task<Window> ClosedLoopAsync(int concurrency, long? requests, TimeSpan? duration,
        CancellationToken cancellationToken = default) => Task.Run(async () =>
    {
        using var cancellation = new RunCancellation(cancellationToken);
        var loop = new StackLoop(clock, new(cancellation)
        {
            Start = clock.Now,
            Last = duration is { } time ? clock.Now + (time.Ticks * 100) : long.MaxValue,
            Requests = requests ?? long.MaxValue,
        }, _ => NewCaller());
        var running = loop.RunAsync(concurrency);
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

readonly record struct FakeReply(TimeSpan Latency, StatusCode Status = StatusCode.OK, bool Right = true);

/// <summary>Time passes only when somebody waits for it, on one thread and in order, and so the same way each time.</summary>
/// <param name="threads">The client's threads, which a transport that blocks can use up.</param>
sealed class VirtualClock(int threads = int.MaxValue) : LoadClock
{
    readonly PriorityQueue<Action, (long Time, long Number)> events = new();
    readonly Queue<IThreadPoolWorkItem> waiting = [];
    long now = 1_000_000_000_000;
    long numbered;
    int free = threads;

    public override long Now => now;

    public override void WaitUntil(long time)
    {
        while (events.TryPeek(out var next, out var due) && due.Time <= time)
        {
            events.Dequeue();
            now = due.Time;
            next();
        }

        now = Math.Max(now, time);
    }

    public override void Run(IThreadPoolWorkItem work)
    {
        waiting.Enqueue(work);
        while (free > 0 && waiting.TryDequeue(out var next))
            next.Execute();
    }

    public void After(long nanoseconds, Action action) => events.Enqueue(action, (now + nanoseconds, numbered++));

    /// <summary>Lets all time pass that anything still waits for.</summary>
    public void RunOut()
    {
        while (events.TryPeek(out _, out var due))
            WaitUntil(due.Time);
    }

    public void TakeThread() => free--;

    public void GiveThread()
    {
        free++;
        while (free > 0 && waiting.TryDequeue(out var next))
            next.Execute();
    }
}
