using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Jobs;

namespace ProtoBench.Running;

/// <summary>
/// Runs a class once for each mode of the garbage collector. Server modes are without DATAS (dynamic adaptation to application sizes),
/// which .NET 9 and newer switch on for them, except ServerDatas: that is what an ASP.NET Core service has by default.
/// </summary>
[AttributeUsage(AttributeTargets.Class)]
sealed class GcModesAttribute : Attribute, IConfigSource
{
    const string datas = "DOTNET_GCDynamicAdaptationMode";

    public IConfig Config { get; } = ManualConfig.CreateEmpty().AddJob(
        Mode("Workstation", server: false, concurrent: false),
        Mode("WorkstationConcurrent", server: false, concurrent: true),
        Mode("Server", server: true, concurrent: false).WithEnvironmentVariable(datas, "0"),
        Mode("ServerConcurrent", server: true, concurrent: true).WithEnvironmentVariable(datas, "0"),
        Mode("ServerDatas", server: true, concurrent: true).WithEnvironmentVariable(datas, "1"));

    // BenchmarkDotNet collects between iterations. The pauses of these collections would be counted as the cell's: a cell that
    // allocates nothing had 1 to 30 % of pauses.
    static Job Mode(string id, bool server, bool concurrent) =>
        Running.Config.Job(id).WithGcServer(server).WithGcConcurrent(concurrent).WithGcForce(false);
}
