using System.Diagnostics;

namespace ProtoBench.GrpcHost;

/// <summary>The time and the threads of a load client. Tests use a virtual clock, with which a million calls take no real time.</summary>
abstract class LoadClock
{
    public abstract long Now { get; }

    /// <summary>Returns immediately if the time has passed.</summary>
    public abstract void WaitUntil(long time);

    public abstract void Run(IThreadPoolWorkItem work);
}

/// <param name="spin">Whether to wait in a busy loop instead of sleeping. It is exact to a microsecond and uses one core.</param>
sealed class MachineClock(bool spin) : LoadClock
{
    // The thread sleeps until shortly before the time, because it wakes up 50 to 100 μs late (the timer slack of Linux).
    const long wakeUpEarly = 60_000;
    const long nanosecondsPerSecond = 1_000_000_000;

    public static MachineClock Sleeping { get; } = new(spin: false);

    public override long Now => Nanoseconds(Stopwatch.GetTimestamp(), Stopwatch.Frequency);

    public override void WaitUntil(long time)
    {
        for (var left = time - Now; left > 0; left = time - Now)
        {
            if (spin)
                Thread.SpinWait(20);
            else
                ShortSleep.Sleep(Math.Max(1_000, left - wakeUpEarly));
        }
    }

    /// <summary>Converts ticks to nanoseconds, rounded down. Whole seconds are converted separately, so that nothing overflows.</summary>
    internal static long Nanoseconds(long ticks, long frequency) =>
        (ticks / frequency * nanosecondsPerSecond) + (ticks % frequency * nanosecondsPerSecond / frequency);

    public override void Run(IThreadPoolWorkItem work) => ThreadPool.UnsafeQueueUserWorkItem(work, preferLocal: false);
}

/// <summary>Runs work that has a thread of its own until it ends. Callers never continue on this thread.</summary>
static class LoadThread
{
    const TaskCreationOptions options = TaskCreationOptions.LongRunning | TaskCreationOptions.RunContinuationsAsynchronously;

    public static Task RunAsync(Action work) => Task.Factory.StartNew(work, CancellationToken.None, options, TaskScheduler.Default);

    public static Task<T> RunAsync<T>(Func<T> work) => Task.Factory.StartNew(work, CancellationToken.None, options, TaskScheduler.Default);
}
