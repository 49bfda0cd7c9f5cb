using System.Diagnostics;
using System.Security.Cryptography.X509Certificates;
using Grpc.Core;

namespace ProtoBench.GrpcHost;

/// <param name="Listen">The IP address for the driver and for the server of a scenario.</param>
/// <param name="DriverPort">The port for the driver; 0 selects a free port.</param>
/// <param name="ServerPort">The port of the server of a scenario, instead of the one that the driver requests; null for that of the
/// driver.</param>
/// <param name="Certificate">The certificate of a server with TLS; null to create one for each server.</param>
/// <param name="Hdr">A file for the histograms of the client at three digits, with an interval for each reset; null for none.</param>
sealed record WorkerSettings(string Listen = "127.0.0.1", int DriverPort = 0, int? ServerPort = null, X509Certificate2? Certificate = null,
    string? Hdr = null);

/// <summary>Measures the seconds since the last reset: elapsed time, and processor time in user and kernel mode. Not thread-safe.</summary>
sealed class ProcessTimes
{
    (long Clock, TimeSpan User, TimeSpan System) start = Now();

    public (double Elapsed, double User, double System) Take(bool reset)
    {
        var now = Now();
        var (clock, user, system) = start;
        if (reset)
            start = now;
        var elapsed = Stopwatch.GetElapsedTime(clock, now.Clock);
        return (elapsed.TotalSeconds, (now.User - user).TotalSeconds, (now.System - system).TotalSeconds);
    }

    static (long Clock, TimeSpan User, TimeSpan System) Now()
    {
        using var process = Process.GetCurrentProcess();
        return (Stopwatch.GetTimestamp(), process.UserProcessorTime, process.PrivilegedProcessorTime);
    }
}

/// <summary>The ticks of all processors of the machine since its start; 0 if the system does not count them.</summary>
readonly record struct MachineTicks(ulong Total, ulong Idle)
{
    const string file = "/proc/stat";

    public static MachineTicks Now()
    {
        if (!File.Exists(file))
            return default;
        // cpu  user nice system idle iowait irq softirq steal guest guest_nice: the first two include the last two
        var ticks = File.ReadLines(file).First().Split(' ', StringSplitOptions.RemoveEmptyEntries)[1..]
            .Select(number => ulong.Parse(number)).Take(8).ToArray();
        return new(ticks.Aggregate(0UL, (sum, next) => sum + next), ticks.ElementAtOrDefault(3));
    }
}

static class WorkerMetrics
{
    public const string ServerCalls = "protobench_server_calls";

    public static Protocol.Core.Stats Of(string name, long count) =>
        new() { Metrics = { new Protocol.Core.Metric { Name = name, Count = (ulong)count } } };

    /// <summary>Returns a counter of a status; null if the worker has none with this name.</summary>
    public static long? Read(Protocol.Core.Stats? stats, string name) =>
        stats?.Metrics.FirstOrDefault(metric => metric.Name == name) is { } found ? (long)found.Count : null;
}

/// <summary>Binds every thread of this process to some processors until it is disposed.</summary>
sealed class CoreLimit(int[] before, int count) : IDisposable
{
    const string threads = "/proc/self/task";

    public int Count => count;

    /// <summary>Creates the limit that a driver requests; null for none.</summary>
    /// <exception cref="RpcException">INVALID_ARGUMENT when this machine does not have them, or does not run Linux.</exception>
    public static CoreLimit? Of(int limit, IReadOnlyCollection<int> list)
    {
        if (limit == 0 && list.Count == 0)
            return null;
        if (!OperatingSystem.IsLinux())
            throw Invalid.Argument("core_limit and core_list need Linux");
        var allowed = Affinity.OfThisThread();
        if (limit < 0 || limit > (list.Count > 0 ? list.Count : allowed.Length) || list.Except(allowed).Any())
            throw Invalid.Argument($"core_limit {limit}, core_list [{string.Join(", ", list)}]: this process may use the processors "
                + string.Join(", ", allowed));
        var chosen = (list.Count > 0 ? list.Distinct() : allowed).Take(limit == 0 ? int.MaxValue : limit).ToArray();
        var bound = new CoreLimit(allowed, chosen.Length);
        Bind(chosen);
        return bound;
    }

    public void Dispose() => Bind(before);

    /// <summary>A new thread inherits the processors of its creator, so threads are listed again until there are no new ones.</summary>
    static void Bind(int[] processors)
    {
        HashSet<int> bound = [];
        bool more;
        do
        {
            more = false;
            foreach (var name in Directory.EnumerateDirectories(threads).Select(Path.GetFileName))
            {
                var thread = int.Parse(name!);
                if (bound.Add(thread))
                {
                    _ = Affinity.TryBind(thread, processors); // fails for a thread that has ended
                    more = true;
                }
            }
        }
        while (more);
    }
}
