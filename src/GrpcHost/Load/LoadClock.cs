using System.Diagnostics;
using System.Runtime.InteropServices;

namespace ProtoBench.GrpcHost;

/// <summary>The time and the threads of a load client. Tests use a virtual clock, with which a million calls take no real time.</summary>
abstract class LoadClock
{
    public abstract long Now { get; }

    /// <summary>Returns immediately if the time has passed.</summary>
    public abstract void WaitUntil(long time);

    public abstract void Run(IThreadPoolWorkItem work);
}

/// <summary>Runs work that has a thread of its own until it ends. Callers never continue on this thread.</summary>
static class LoadThread
{
    const TaskCreationOptions options = TaskCreationOptions.LongRunning | TaskCreationOptions.RunContinuationsAsynchronously;

    public static Task RunAsync(Action work) => Task.Factory.StartNew(work, CancellationToken.None, options, TaskScheduler.Default);

    public static Task<T> RunAsync<T>(Func<T> work) => Task.Factory.StartNew(work, CancellationToken.None, options, TaskScheduler.Default);
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

static class WakeUp
{
    const int waits = 100;
    const long gap = 200_000;

    /// <summary>Waits several times, like an open loop with 5,000 calls per second.</summary>
    public static ClockFacts Measure(LoadClock clock, Action<long> waitUntil, bool spin)
    {
        var delays = new LatencyHistogram();
        var due = clock.Now;
        for (var i = 0; i < waits; i++)
        {
            due = Math.Max(due, clock.Now) + gap;
            waitUntil(due);
            delays.Record(Math.Max(0, clock.Now - due) / 1_000);
        }

        var resolution = long.MaxValue;
        for (var i = 0; i < waits; i++)
        {
            var before = clock.Now;
            long after;
            while ((after = clock.Now) == before)
            {
            }

            resolution = Math.Min(resolution, after - before);
        }

        return new(resolution, delays.Percentile(50), delays.Percentile(99), spin ? "spin" : "sleep");
    }
}

/// <summary>Less than a millisecond, the minimum of <see cref="Thread.Sleep(int)"/>: 5,000 calls per second have gaps of 200 μs.</summary>
static class ShortSleep
{
    public static void Sleep(long nanoseconds)
    {
        if (OperatingSystem.IsLinux() || OperatingSystem.IsMacOS())
        {
            var time = new TimeSpec { Seconds = (nint)(nanoseconds / 1_000_000_000), Nanoseconds = (nint)(nanoseconds % 1_000_000_000) };
            _ = NanoSleep(ref time, IntPtr.Zero); // a signal may end the sleep early, but the caller checks the clock
        }
        else if (nanoseconds >= 1_000_000)
        {
            Thread.Sleep((int)Math.Min(nanoseconds / 1_000_000, int.MaxValue));
        }
        else
        {
            Thread.Yield();
        }
    }

    [DllImport("libc", EntryPoint = "nanosleep")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    static extern int NanoSleep(ref TimeSpec time, IntPtr left);
}

[StructLayout(LayoutKind.Sequential)]
struct TimeSpec
{
    public nint Seconds;
    public nint Nanoseconds;
}
