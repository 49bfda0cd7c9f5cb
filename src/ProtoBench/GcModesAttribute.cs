using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Jobs;

namespace ProtoBench;

/// <summary>Runs a class once for each mode of the garbage collector.</summary>
[AttributeUsage(AttributeTargets.Class)]
sealed class GcModesAttribute : Attribute, IConfigSource
{
    public IConfig Config { get; } = ManualConfig.CreateEmpty().AddJob(
        ProtoBench.Config.Job("Workstation").WithGcServer(false).WithGcConcurrent(false),
        ProtoBench.Config.Job("WorkstationConcurrent").WithGcServer(false).WithGcConcurrent(true),
        ProtoBench.Config.Job("Server").WithGcServer(true).WithGcConcurrent(false),
        ProtoBench.Config.Job("ServerConcurrent").WithGcServer(true).WithGcConcurrent(true));
}
