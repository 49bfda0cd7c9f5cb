using System.Diagnostics;

namespace ProtoBench.GrpcHost;

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
