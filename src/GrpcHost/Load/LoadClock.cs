using System.Diagnostics;
using System.Runtime.InteropServices;
using ProtoBench.Results;

namespace ProtoBench.GrpcHost.Load;

/// <summary>The time and the threads of a load client. Tests use a virtual clock, so that a million calls take no real time.</summary>
abstract class LoadClock
{
    /// <summary>Nanoseconds of a monotonic clock.</summary>
    public abstract long Now { get; }

    /// <summary>Blocks the calling thread until <see cref="Now"/> has reached a time. Returns at once when that time is past.</summary>
    public abstract void WaitUntil(long time);

    /// <summary>Runs work away from the calling thread.</summary>
    public abstract void Run(IThreadPoolWorkItem work);
}

/// <summary>The machine's own time.</summary>
/// <param name="spin">Wait in a busy loop instead of sleeping: exact to a microsecond, but it uses one core.</param>
sealed class MachineClock(bool spin) : LoadClock
{
    // Asleep until shortly before: a sleeping thread wakes up 50 to 100 us late (the timer slack of Linux).
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

    /// <summary>Nanoseconds of so many ticks, rounded down. Whole seconds apart from the rest, so that nothing overflows.</summary>
    internal static long Nanoseconds(long ticks, long frequency) =>
        (ticks / frequency * nanosecondsPerSecond) + (ticks % frequency * nanosecondsPerSecond / frequency);

    public override void Run(IThreadPoolWorkItem work) => ThreadPool.UnsafeQueueUserWorkItem(work, preferLocal: false);
}

/// <summary>How late a thread wakes up.</summary>
static class WakeUp
{
    const int waits = 100;
    const long gap = 200_000;

    /// <summary>Waits some times, as an open loop of 5,000 calls a second does.</summary>
    /// <param name="clock">The time.</param>
    /// <param name="waitUntil">Waits.</param>
    /// <param name="spin">Whether it does so in a busy loop.</param>
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

/// <summary>Sleeps for less than the millisecond that <see cref="Thread.Sleep(int)"/>
/// can do: at 5,000 calls per second the gaps are 200 us.</summary>
static class ShortSleep
{
    public static void Sleep(long nanoseconds)
    {
        if (OperatingSystem.IsLinux() || OperatingSystem.IsMacOS())
        {
            var time = new TimeSpec { Seconds = (nint)(nanoseconds / 1_000_000_000), Nanoseconds = (nint)(nanoseconds % 1_000_000_000) };
            _ = NanoSleep(ref time, IntPtr.Zero); // woken early by a signal: the caller looks at the clock anyway
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

/// <summary>A time as the system's functions take it.</summary>
[StructLayout(LayoutKind.Sequential)]
struct TimeSpec
{
    public nint Seconds;
    public nint Nanoseconds;
}
