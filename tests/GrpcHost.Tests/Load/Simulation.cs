using ProtoBench.GrpcHost.Load;

namespace ProtoBench.GrpcHost.Tests.Load;

/// <summary>The two loops on a virtual clock.</summary>
static class Simulation
{
    public const long Microsecond = 1_000;
    public const long Millisecond = 1_000_000;
    public const long Second = 1_000_000_000;

    public static Window Open(VirtualClock clock, Caller caller, Arrivals arrivals, TimeSpan duration, int maxInFlight = 10_000) =>
        Open(clock, _ => caller, arrivals, duration, maxInFlight);

    public static Window Open(VirtualClock clock, Func<int, Caller> caller, Arrivals arrivals, TimeSpan duration, int maxInFlight = 10_000)
    {
        using var stopping = new Stopping(default);
        var loop = new OpenLoop(clock, caller, maxInFlight);
        var schedule = loop.Pace(arrivals, duration, stopping);
        clock.RunToEnd();
        return loop.Sum(schedule);
    }

    public static Window Closed(VirtualClock clock, IReadOnlyList<Caller> callers, long? requests = null, TimeSpan? duration = null)
    {
        using var stopping = new Stopping(default);
        var running = new ClosedLoop(clock, callers).RunAsync(requests, duration, stopping);
        clock.RunToEnd();
        Assert.True(running.IsCompletedSuccessfully);
        return running.Result;
    }
}
