using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Jobs;

namespace ProtoBench.Running;

/// <summary>Runs a class once for each mode of the garbage collector.</summary>
[AttributeUsage(AttributeTargets.Class)]
sealed class GcModesAttribute : Attribute, IConfigSource
{
    public IConfig Config { get; } = ManualConfig.CreateEmpty().AddJob(
        Running.Config.Job("Workstation").WithGcServer(false).WithGcConcurrent(false),
        Running.Config.Job("WorkstationConcurrent").WithGcServer(false).WithGcConcurrent(true),
        Running.Config.Job("Server").WithGcServer(true).WithGcConcurrent(false),
        Running.Config.Job("ServerConcurrent").WithGcServer(true).WithGcConcurrent(true));
}
