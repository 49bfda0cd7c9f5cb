using System.Diagnostics;
using System.Runtime.InteropServices;

namespace ProtoBench.DuetRunner;

sealed class SliceLog(MeasuredCell cell, long calls)
{
    static readonly double nanosecondsPerTick = 1e9 / Stopwatch.Frequency;

    readonly List<Slice> slices = new(1 << 16); // so that no slice includes the growth of the list

    /// <summary>Runs one slice. Clocks are read immediately before and after it, all other figures around them.</summary>
    public void Run()
    {
        var switches = ThreadUse.Switches();
        var (before0, before1, before2) = (GC.CollectionCount(0), GC.CollectionCount(1), GC.CollectionCount(2));
        var paused = GC.GetTotalPauseDuration();
        var from = Stopwatch.GetTimestamp();
        var used = ThreadUse.CpuNanoseconds();
        cell.Call(calls);
        used = ThreadUse.CpuNanoseconds() - used;
        var took = Stopwatch.GetTimestamp() - from;
        slices.Add(new(
            (long)(took * nanosecondsPerTick),
            used,
            GC.CollectionCount(0) - before0,
            GC.CollectionCount(1) - before1,
            GC.CollectionCount(2) - before2,
            (GC.GetTotalPauseDuration() - paused).Ticks * 100,
            ThreadUse.Switches().Preempted - switches.Preempted));
    }

    public void Clear() => slices.Clear();

    public RunnerSide ToSide(double bytesPerOperation) => new(calls * cell.OperationsPerCall, bytesPerOperation, slices);
}

/// <summary>Only Linux has these figures. On other systems they are 0, and elapsed time is measured.</summary>
static class ThreadUse
{
    const int threadClock = 3; // CLOCK_THREAD_CPUTIME_ID
    const int thisThread = 1; // RUSAGE_THREAD

    public static bool IsKnown { get; } = OperatingSystem.IsLinux() && Environment.Is64BitProcess && CpuNanoseconds() > 0;

    /// <summary>Returns the processor time of the thread, including its own collections.</summary>
    public static long CpuNanoseconds()
    {
        if (!OperatingSystem.IsLinux())
            return 0;
        _ = ClockGetTime(threadClock, out var time);
        return (time.Seconds * 1_000_000_000) + time.Nanoseconds;
    }

    /// <summary>Returns how often the thread left its core because it waited, and because other threads used the core.</summary>
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

    // struct rusage of 64-bit Linux: two times with two words each, then fourteen words, of which the last two count the switches
    [StructLayout(LayoutKind.Explicit, Size = 144)]
    struct Usage
    {
        [FieldOffset(128)]
        public long Voluntary;
        [FieldOffset(136)]
        public long Involuntary;
    }
}
