using ProtoBench.GrpcHost.Hive;
using ProtoBench.GrpcHost.Load;
using ProtoBench.GrpcHost.Runs;
using ProtoBench.Results;

namespace ProtoBench.GrpcHost.Tests.Runs;

/// <summary>Figures that no run gave.</summary>
static class MadeUp
{
    public static LoadPlan OpenPlan { get; } = new() { Payload = HivePayload.Empty(), Rate = 100, Duration = TimeSpan.FromSeconds(10) };

    /// <summary>A round with such a window and nothing else to complain of.</summary>
    public static RoundFigures Figures(Window window) => new(window, Use(window.Calls.Service.Count), null, null);

    public static ProcessUse Use(long calls) =>
        new() { Calls = calls, AllocatedBytes = 0, GcCollections = [0, 0, 0], GcPauseUs = 0, CpuUs = 0 };
}
