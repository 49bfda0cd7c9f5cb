using ProtoBench.GrpcHost.Load;

namespace ProtoBench.GrpcHost.Tests.Load;

/// <summary>Time that passes only when somebody waits, on one thread: what is due in the meantime happens in its order.</summary>
sealed class VirtualClock : LoadClock
{
    readonly PriorityQueue<Action, (long Time, long Order)> due = new();
    long now;
    long order;

    public override long Now => now;

    /// <summary>Calls this at a time.</summary>
    public void At(long time, Action action) => due.Enqueue(action, (time, order++));

    /// <summary>Time passes while the calling thread is busy: nothing else happens on it.</summary>
    public void Spend(long nanoseconds) => now += nanoseconds;

    public override void WaitUntil(long time)
    {
        while (due.TryPeek(out _, out var next) && next.Time <= time)
            Step();
        now = Math.Max(now, time);
    }

    public override void Run(IThreadPoolWorkItem work) => work.Execute();

    /// <summary>Until nothing is due any more.</summary>
    public void RunToEnd()
    {
        while (due.Count > 0)
            Step();
    }

    void Step()
    {
        due.TryDequeue(out var action, out var next);
        now = Math.Max(now, next.Time);
        action!();
    }
}
