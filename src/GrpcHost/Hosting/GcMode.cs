using System.Diagnostics;
using System.Runtime.InteropServices;

namespace ProtoBench.GrpcHost;

/// <param name="AdaptsHeapCount">Dynamic adaptation to application sizes (DATAS).</param>
sealed record GcMode(string Name, bool IsServer, bool IsConcurrent, bool AdaptsHeapCount = false)
{
    /// <summary>All modes. The first is the runtime's default for console programs.</summary>
    public static IReadOnlyList<GcMode> All { get; } =
    [
        new("workstation-concurrent", IsServer: false, IsConcurrent: true),
        new("workstation", IsServer: false, IsConcurrent: false),
        new("server", IsServer: true, IsConcurrent: false),
        new("server-concurrent", IsServer: true, IsConcurrent: true),
        new("datas", IsServer: true, IsConcurrent: true, AdaptsHeapCount: true),
    ];

    /// <summary>The variables of a process in this mode. They override its runtimeconfig.json.</summary>
    public IReadOnlyDictionary<string, string> Environment => new Dictionary<string, string>
    {
        ["DOTNET_gcServer"] = Flag(IsServer),
        ["DOTNET_gcConcurrent"] = Flag(IsConcurrent),
        ["DOTNET_GCDynamicAdaptationMode"] = Flag(AdaptsHeapCount),
    };

    static string Flag(bool on) => (on ? 1 : 0).ToString();
}

/// <summary>Starts a process that may use the first processors of this machine only.</summary>
static class ProcessorLimit
{
    /// <remarks>On Linux it is bound before it runs, so runtime, thread pool and garbage collector find only these processors. On other
    /// systems DOTNET_PROCESSOR_COUNT sets the number, and on Windows the process is also bound after its start.</remarks>
    public static Process Start(ProcessStartInfo info, int processors)
    {
        if (OperatingSystem.IsLinux())
            return StartBound(info, processors);
        info.Environment["DOTNET_PROCESSOR_COUNT"] = processors.ToString();
        var process = Process.Start(info)!;
        if (OperatingSystem.IsWindows() && processors < 64) // a mask of Windows has so many bits
            process.ProcessorAffinity = (nint)((1L << processors) - 1);
        return process;
    }

    /// <summary>On a thread that ends afterwards: a new process inherits the affinity of the thread that starts it.</summary>
    static Process StartBound(ProcessStartInfo info, int processors)
    {
        Process? started = null;
        Exception? failure = null;
        var thread = new Thread(() =>
        {
            try
            {
                BindThisThread(processors);
                started = Process.Start(info);
            }
            catch (Exception e)
            {
                failure = e;
            }
        });
        thread.Start();
        thread.Join();
        return started ?? throw new RunException(ExitCode.Failed, $"no process on {processors} processors: {failure?.Message}", failure);
    }

    static void BindThisThread(int processors)
    {
        int[] chosen = [.. Affinity.OfThisThread().Take(processors)];
        if (chosen.Length < processors || !Affinity.TryBind(0, chosen))
            throw new InvalidOperationException("the process may not use so many");
    }
}

static class Affinity
{
    // one bit for each processor; the calls take the size of the mask in bytes
    const int maskBytes = 128;

    /// <returns>The processors; none if they cannot be read.</returns>
    public static int[] OfThisThread()
    {
        var mask = new byte[maskBytes];
        return GetAffinity(0, maskBytes, mask) < 0
            ? [] : [.. Enumerable.Range(0, maskBytes * 8).Where(processor => (mask[processor / 8] & (1 << (processor % 8))) != 0)];
    }

    /// <param name="thread">The id of a thread; 0 for the calling thread.</param>
    public static bool TryBind(int thread, IEnumerable<int> processors)
    {
        var mask = new byte[maskBytes];
        foreach (var processor in processors)
            mask[processor / 8] |= (byte)(1 << (processor % 8));
        return SetAffinity(thread, maskBytes, mask) == 0;
    }

    [DllImport("libc", EntryPoint = "sched_getaffinity")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    static extern int GetAffinity(int thread, nuint bytes, byte[] mask);

    [DllImport("libc", EntryPoint = "sched_setaffinity")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    static extern int SetAffinity(int thread, nuint bytes, byte[] mask);
}
