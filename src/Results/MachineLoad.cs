using System.Diagnostics;
using System.Globalization;

namespace ProtoBench.Results;

/// <summary>The load of the machine by other programs, at the busiest of the moments at which it was looked at. The load average is how
/// many threads run or want to, over the last minute.</summary>
public sealed class MachineLoad
{
    const string file = "/proc/loadavg";
    const string usage = "/proc/self/stat";

    readonly Func<string> read;
    DateTime then;
    double used, own;

    public MachineLoad()
        : this(() => File.Exists(file) ? File.ReadAllText(file) : "")
    {
    }

    internal MachineLoad(Func<string> read)
    {
        this.read = read;
        using var process = Process.GetCurrentProcess();
        then = process.StartTime;
        Look();
    }

    /// <summary>The largest load average of other programs while more threads wanted to run than there are cores; null if there was no
    /// such moment, and where the system does not tell.</summary>
    public double? Busy { get; private set; }

    /// <summary>A sentence if the machine is busy now; null otherwise.</summary>
    public static string? Now() => Sentence(new MachineLoad().Busy, Environment.ProcessorCount);

    public static string? Sentence(double? busy, int cores) => busy is null ? null : string.Create(CultureInfo.InvariantCulture,
        $"The machine was busy: load average {busy:F0} by other programs, on {cores} core{(cores == 1 ? "" : "s")}.");

    /// <summary>Looks at the load. Processes that this one has started count as its own once they have ended.</summary>
    public void Look()
    {
        var (now, seconds) = (DateTime.Now, ProcessorSeconds());
        own = OwnLoad(own, seconds - used, (now - then).TotalSeconds);
        (then, used) = (now, seconds);
        Busy = new[] { Busy, Others(read(), own, Environment.ProcessorCount) }.Max();
    }

    // the system's average too forgets with e^(-t/60 s)
    internal static double OwnLoad(double before, double processorSeconds, double seconds)
    {
        if (seconds <= 0)
            return before;
        var kept = Math.Exp(-seconds / 60);
        return (before * kept) + (processorSeconds / seconds * (1 - kept));
    }

    /// <summary>Returns the load average without the program's own load, of which one thread needs a core; null if there are enough
    /// cores.</summary>
    internal static double? Others(string loadavg, double own, int cores) =>
        double.TryParse(loadavg.Split(' ')[0], CultureInfo.InvariantCulture, out var load)
            && load - own is var others && others + Math.Min(own, 1) > cores + 0.5 ? others : null;

    /// <summary>Writes the sentence, if there is one.</summary>
    public static void Write(TextWriter output, string? sentence)
    {
        if (sentence is not null)
            output.WriteLine(sentence);
    }

    public static void Write(TextWriter output, DuetResult result) =>
        Write(output, Sentence(result.OtherLoad, result.Environment.Process.Cores));

    // Of this process, and of those that it has started and that have ended: the fields utime to cstime of proc_pid_stat(5), in 1/100 s.
    // They follow the name, which is in parentheses.
    static double ProcessorSeconds() => !File.Exists(usage) ? 0
        : File.ReadAllText(usage).Split(") ")[^1].Split(' ')[11..15].Sum(ticks => double.Parse(ticks, CultureInfo.InvariantCulture)) / 100;
}
