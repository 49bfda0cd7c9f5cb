using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace ProtoBench.GrpcHost;

/// <summary>The time is exact to some microseconds on Linux, and to a millisecond or more elsewhere. For one thread.</summary>
sealed class Readiness
{
    const short canRead = 1;
    const short canWrite = 4;

    readonly List<Socket> sockets = [];
    readonly List<Socket> readable = [];
    readonly List<Socket> writable = [];
    PollEntry[] entries = [];

    /// <summary>Sets the timer slack to the minimum: by default Linux delays timers by up to 50 μs to save energy.</summary>
    public static void PrepareThread()
    {
        const int setTimerSlack = 29;
        if (OperatingSystem.IsLinux())
            _ = Control(setTimerSlack, 1, 0, 0, 0);
    }

    public void Watch(IEnumerable<Socket> watched)
    {
        sockets.Clear();
        sockets.AddRange(watched);
        entries = [.. sockets.Select(socket => new PollEntry { Descriptor = (int)socket.Handle, Events = canRead })];
    }

    public void WaitToSend(int index, bool wanted) => entries[index].Events = wanted ? (short)(canRead | canWrite) : canRead;

    public bool IsReady(int index) => entries[index].Returned != 0;

    /// <returns>Whether a socket is ready.</returns>
    public bool Wait(long nanoseconds)
    {
        if (OperatingSystem.IsLinux())
        {
            var time = new TimeSpec { Seconds = (nint)(nanoseconds / 1_000_000_000), Nanoseconds = (nint)(nanoseconds % 1_000_000_000) };
            var ready = Poll(entries, (nuint)entries.Length, ref time, 0);
            if (ready < 0)
                ForgetAll(); // interrupted by a signal
            return ready > 0;
        }

        ForgetAll();
        if (entries.Length == 0)
        {
            new MachineClock(spin: false).WaitUntil(MachineClock.Sleeping.Now + nanoseconds);
            return false;
        }

        readable.Clear();
        writable.Clear();
        for (var i = 0; i < entries.Length; i++)
        {
            readable.Add(sockets[i]);
            if ((entries[i].Events & canWrite) != 0)
                writable.Add(sockets[i]);
        }

        Socket.Select(readable, writable, null, (int)Math.Min(nanoseconds / 1_000, int.MaxValue));
        for (var i = 0; i < entries.Length; i++)
            entries[i].Returned = readable.Contains(sockets[i]) || writable.Contains(sockets[i]) ? canRead : (short)0;
        return readable.Count + writable.Count > 0;
    }

    void ForgetAll()
    {
        for (var i = 0; i < entries.Length; i++)
            entries[i].Returned = 0;
    }

    [DllImport("libc", EntryPoint = "ppoll")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    static extern int Poll([In, Out] PollEntry[] entries, nuint count, ref TimeSpec time, nint signals);

    [DllImport("libc", EntryPoint = "prctl")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    static extern int Control(int option, nuint value, nuint second, nuint third, nuint fourth);

    [StructLayout(LayoutKind.Sequential)]
    struct PollEntry
    {
        public int Descriptor;
        public short Events;
        public short Returned;
    }
}
