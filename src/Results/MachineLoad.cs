using System.Diagnostics;
using System.Globalization;

namespace ProtoBench.Results;

/// <summary>The processor time that other programs used, at the busiest of the intervals between the moments at which it was looked at. A
/// load average would still contain what this program, or its build, did a minute ago.</summary>
public sealed class MachineLoad
{
    /// <summary>The first words of each sentence about a busy machine.</summary>
    public const string WasBusy = "The machine was busy: ";

    // the times of /proc have steps of 10 ms
    const double shortest = 0.25;

    readonly Func<Reading?> read;
    Reading? last;

    public MachineLoad()
        : this(() => Reading.Of("/proc", Environment.ProcessId))
    {
    }

    internal MachineLoad(Func<Reading?> read)
    {
        this.read = read;
        last = read();
    }

    /// <summary>The largest number of cores that other programs used while they left less than one core; null if there was no such
    /// interval, and where the system does not tell.</summary>
    public double? Busy { get; private set; }

    /// <summary><see cref="Busy"/> of a quarter of a second, during which this method blocks.</summary>
    public static double? Now()
    {
        var load = new MachineLoad();
        Thread.Sleep(TimeSpan.FromSeconds(1.2 * shortest));
        load.Look();
        return load.Busy;
    }

    public static string? Sentence(double? busy, int cores) => busy is null ? null : string.Create(CultureInfo.InvariantCulture,
        $"{WasBusy}other programs used {busy:F1} of {Math.Max(cores, Math.Ceiling(busy.Value)):F0} cores.");

    /// <summary>Looks at the load since the last look. Processes that this one has started, and those that they have started, count as its
    /// own.</summary>
    public void Look()
    {
        if (read() is not { } now || last is not { } before)
            return;
        if (now.Seconds - before.Seconds < shortest)
            return;
        last = now;
        Busy = new[] { Busy, Others(before, now) }.Max();
    }

    /// <summary>Returns the cores that other programs used; null if they left a core for the measuring thread.</summary>
    internal static double? Others(Reading before, Reading now)
    {
        var others = (now.All - before.All - (now.Own - before.Own)) / (now.Seconds - before.Seconds);
        return others > now.Cores - 0.75 ? others : null;
    }

    /// <summary>Writes the sentence, if there is one.</summary>
    public static void Write(TextWriter output, double? busy) => Write(output, busy, Environment.ProcessorCount);

    public static void Write(TextWriter output, DuetResult result) => Write(output, result.OtherCores, result.Environment.Process.Cores);

    static void Write(TextWriter output, double? busy, int cores)
    {
        if (Sentence(busy, cores) is { } sentence)
            output.WriteLine(sentence);
    }

    /// <summary>Processor times in seconds.</summary>
    /// <param name="Seconds">When it was read.</param>
    /// <param name="All">Of all processes since the start of the system.</param>
    /// <param name="Own">Of this process, of its children and of theirs.</param>
    internal readonly record struct Reading(double Seconds, double All, double Own, int Cores)
    {
        // user, nice, system, (idle, iowait,) irq, softirq
        static readonly int[] busyFields = [1, 2, 3, 6, 7];

        /// <summary>Reads the files of proc(5), whose times are in 1/100 s; null where there are none.</summary>
        public static Reading? Of(string proc, int process)
        {
            var file = Path.Combine(proc, "stat");
            if (!File.Exists(file))
                return null;
            var lines = File.ReadAllLines(file);
            var fields = lines[0].Split(' ', StringSplitOptions.RemoveEmptyEntries);
            var all = busyFields.Sum(at => Number(fields[at]));
            var cores = lines.Count(line => line.StartsWith("cpu", StringComparison.Ordinal)) - 1;
            return new(Stopwatch.GetTimestamp() / (double)Stopwatch.Frequency, all / 100,
                OwnTicks(proc, process) / 100, cores);
        }

        static double OwnTicks(string proc, int process)
        {
            var children = new Dictionary<int, List<int>>();
            var times = new Dictionary<int, double>();
            foreach (var folder in Directory.EnumerateDirectories(proc))
            {
                if (!int.TryParse(Path.GetFileName(folder), CultureInfo.InvariantCulture, out var id) || Stat(folder) is not { } stat)
                    continue;
                // ppid is field 4 and utime to cstime are fields 14 to 17; the name in parentheses may have spaces
                times[id] = stat[11..15].Sum(Number);
                var parent = (int)Number(stat[1]);
                if (!children.TryGetValue(parent, out var list))
                    children.Add(parent, list = []);
                list.Add(id);
            }

            var (sum, open) = (0.0, new Stack<int>([process]));
            while (open.TryPop(out var id))
            {
                sum += times.GetValueOrDefault(id);
                foreach (var child in children.GetValueOrDefault(id) ?? [])
                    open.Push(child);
            }

            return sum;
        }

        // null for a process that has ended
        static string[]? Stat(string folder)
        {
            try
            {
                return File.ReadAllText(Path.Combine(folder, "stat")) is var text && text.LastIndexOf(')') is > 0 and var name
                    ? text[(name + 2)..].Split(' ') : null;
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                return null;
            }
        }

        static double Number(string ticks) => double.Parse(ticks, CultureInfo.InvariantCulture);
    }
}
