using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Jobs;

namespace ProtoBench;

// BenchmarkDotNet makes attributes itself, so they cannot know the options of the user: Config.Cells asks for the jobs.
abstract class JobsAttribute : Attribute
{
    public abstract Job[] Jobs(RunJobs run);
}

/// <summary>A job for each GC mode. Server modes are without DATAS (dynamic adaptation to application sizes), which is their default
/// since .NET 9. ServerDatas is the default of an ASP.NET Core service.</summary>
[AttributeUsage(AttributeTargets.Class)]
sealed class GcModesAttribute : JobsAttribute
{
    const string datas = "DOTNET_GCDynamicAdaptationMode";

    public override Job[] Jobs(RunJobs run)
    {
        return
        [
            Mode("Workstation", server: false, concurrent: false),
            Mode("WorkstationConcurrent", server: false, concurrent: true),
            Mode("Server", server: true, concurrent: false).WithEnvironmentVariable(datas, "0"),
            Mode("ServerConcurrent", server: true, concurrent: true).WithEnvironmentVariable(datas, "0"),
            Mode("ServerDatas", server: true, concurrent: true).WithEnvironmentVariable(datas, "1"),
        ];

        // BenchmarkDotNet runs collections between iterations, whose pauses would be counted for the cell. A cell that allocates nothing
        // had 1 to 30 % of pauses.
        Job Mode(string id, bool server, bool concurrent) =>
            run.Job(id).WithGcServer(server).WithGcConcurrent(concurrent).WithGcForce(false);
    }
}

/// <summary>Measures the first call of each cell, in 15 processes, unless the user names another job.</summary>
[AttributeUsage(AttributeTargets.Class)]
sealed class ColdStartAttribute : JobsAttribute
{
    const int processes = 15;

    public override Job[] Jobs(RunJobs run) => run.OfClass("ColdStart", own => own
        .WithStrategy(RunStrategy.ColdStart).WithLaunchCount(processes).WithWarmupCount(0).WithIterationCount(1)
        .WithInvocationCount(1).WithUnrollFactor(1));
}
