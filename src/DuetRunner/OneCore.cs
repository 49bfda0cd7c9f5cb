using System.Diagnostics;

namespace ProtoBench.DuetRunner;

/// <summary>Binds the measuring thread to a core, where the system allows it, and lets
/// it go again. On Linux it binds the main thread, on Windows the process.</summary>
sealed class OneCore : IDisposable
{
    readonly nint before;

    OneCore(int core, nint before) => (Core, this.before) = (core, before);

    public int Core { get; }

    /// <summary>Binds; null where the system does not allow it.</summary>
    public static OneCore? Bind(int core)
    {
        if ((!OperatingSystem.IsLinux() && !OperatingSystem.IsWindows()) || core >= 63)
            return null;
        try
        {
            using var process = Process.GetCurrentProcess();
            var before = process.ProcessorAffinity;
            process.ProcessorAffinity = (nint)(1L << core);
            return new(core, before);
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return null; // a container may forbid it
        }
    }

    public void Dispose()
    {
        if (!OperatingSystem.IsLinux() && !OperatingSystem.IsWindows())
            return;
        using var process = Process.GetCurrentProcess();
        process.ProcessorAffinity = before;
    }
}
