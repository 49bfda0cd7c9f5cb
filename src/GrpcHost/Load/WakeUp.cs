using System.Runtime.InteropServices;

namespace ProtoBench.GrpcHost;

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
