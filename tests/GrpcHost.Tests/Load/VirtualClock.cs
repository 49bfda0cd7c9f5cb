using ProtoBench.GrpcHost.Load;

namespace ProtoBench.GrpcHost.Tests.Load;

/// <summary>Time that passes only when somebody waits for it. Everything runs on
/// one thread, in the order of time, and so the same way each time.</summary>
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
