using System.Diagnostics;
using System.Runtime.InteropServices;

namespace ProtoBench.DuetRunner;

sealed class SliceLog(MeasuredCell cell, long calls)
{
    const int room = 1 << 16; // so that no slice includes the growth of a list

    static readonly double nanosecondsPerTick = 1e9 / Stopwatch.Frequency;

    readonly List<long> wall = new(room);
    readonly List<long> cpu = new(room);
    readonly List<int> gen0 = new(room);
    readonly List<int> gen1 = new(room);
    readonly List<int> gen2 = new(room);
    readonly List<long> pause = new(room);
    readonly List<long> preemptions = new(room);

    public long Calls => calls;

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
        wall.Add((long)(took * nanosecondsPerTick));
        cpu.Add(used);
        pause.Add((GC.GetTotalPauseDuration() - paused).Ticks * 100);
        gen0.Add(GC.CollectionCount(0) - before0);
        gen1.Add(GC.CollectionCount(1) - before1);
        gen2.Add(GC.CollectionCount(2) - before2);
        preemptions.Add(ThreadUse.Switches().Preempted - switches.Preempted);
    }

    public void Clear()
    {
        wall.Clear();
        cpu.Clear();
        gen0.Clear();
        gen1.Clear();
        gen2.Clear();
        pause.Clear();
        preemptions.Clear();
    }

    public RunnerSide ToSide(double bytesPerOperation) => new()
    {
        Operations = calls * cell.OperationsPerCall,
        BytesPerOperation = bytesPerOperation,
        Wall = wall,
        Cpu = cpu,
        Gen0 = gen0,
        Gen1 = gen1,
        Gen2 = gen2,
        Pause = pause,
        Preemptions = preemptions,
    };
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
