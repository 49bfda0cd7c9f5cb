using System.Runtime.InteropServices;

namespace ProtoBench.GrpcHost.Load;

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

    [StructLayout(LayoutKind.Sequential)]
    struct TimeSpec
    {
        public nint Seconds;
        public nint Nanoseconds;
    }
}
