using System.Runtime.InteropServices;

namespace ProtoBench.DuetRunner;

/// <summary>What the operating system knows about the calling thread. On Linux
/// only; elsewhere all of it is 0, and elapsed time is measured.</summary>
static class ThreadUse
{
    const int threadClock = 3; // CLOCK_THREAD_CPUTIME_ID
    const int thisThread = 1; // RUSAGE_THREAD

    /// <summary>Whether the figures below are known.</summary>
    public static bool IsKnown { get; } = OperatingSystem.IsLinux() && Environment.Is64BitProcess && CpuNanoseconds() > 0;

    /// <summary>Processor time of the thread so far, its own collections included.</summary>
    public static long CpuNanoseconds()
    {
        if (!OperatingSystem.IsLinux())
            return 0;
        _ = ClockGetTime(threadClock, out var time);
        return (time.Seconds * 1_000_000_000) + time.Nanoseconds;
    }

    /// <summary>How often it left its core so far: because it waited for something, and because others were given the core.</summary>
    public static (long Waited, long Preempted) Switches()
    {
        if (!IsKnown)
            return default;
        _ = GetUsage(thisThread, out var usage);
        return (usage.Voluntary, usage.Involuntary);
    }

    [DllImport("libc", EntryPoint = "clock_gettime")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    static extern int ClockGetTime(int clock, out TimeSpec time);

    [DllImport("libc", EntryPoint = "getrusage")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    static extern int GetUsage(int who, out Usage usage);

    [StructLayout(LayoutKind.Sequential)]
    struct TimeSpec
    {
        public long Seconds;
        public long Nanoseconds;
    }

    // struct rusage of 64-bit Linux: two times of two words each, fourteen words; the last two count the switches.
    [StructLayout(LayoutKind.Explicit, Size = 144)]
    struct Usage
    {
        [FieldOffset(128)]
        public long Voluntary;
        [FieldOffset(136)]
        public long Involuntary;
    }
}
