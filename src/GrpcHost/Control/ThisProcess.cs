using System.Reflection;
using System.Runtime;
using System.Runtime.InteropServices;
using ProtoBench.Rpc.Control;

namespace ProtoBench.GrpcHost.Control;

static class ThisProcess
{
    public static ProcessFacts Facts { get; } = new()
    {
        Runtime = RuntimeInformation.FrameworkDescription,
        GcMode = GcMode(),
        TieredJit = TieredJit(),
        Cpu = Cpu(),
        Cores = Environment.ProcessorCount,
        Os = RuntimeInformation.OSDescription,
        Architecture = RuntimeInformation.ProcessArchitecture.ToString(),
        Machine = Environment.MachineName,
    };

    public static IReadOnlyDictionary<string, string> PackageVersions =>
        AppDomain.CurrentDomain.GetAssemblies().Append(typeof(Google.Protobuf.IMessage).Assembly)
            .Where(assembly =>
                assembly.GetName().Name is "Google.Protobuf" or "protobuf-net" or "protobuf-net.Core" or "protobuf-net.Grpc"
                    or "Grpc.Core.Api" or "Grpc.Net.Client" or "Grpc.AspNetCore.Server" or "ProtoBench.Codec")
            .DistinctBy(assembly => assembly.GetName().Name)
            .ToDictionary(assembly => assembly.GetName().Name!, VersionOf);

    static string VersionOf(Assembly assembly) =>
        (assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion
        ?? assembly.GetName().Version?.ToString() ?? "?").Split('+')[0];

    static string TieredJit() => Setting("TieredCompilation", "System.Runtime.TieredCompilation")
        ? $"on, {(Setting("TC_QuickJit", "System.Runtime.TieredCompilation.QuickJit") ? "quick jit" : "no quick jit")}, "
            + $"{(Setting("TieredPGO", "System.Runtime.TieredPGO") ? "PGO" : "no PGO")}"
        : "off";

    /// <summary>The setting is on unless an environment variable or the runtime's configuration turns it off.</summary>
    static bool Setting(string variable, string configuration) =>
        Environment.GetEnvironmentVariable("DOTNET_" + variable) != "0" && (!AppContext.TryGetSwitch(configuration, out var on) || on);

    static string GcMode()
    {
        var mode = $"{(GCSettings.IsServerGC ? "Server" : "Workstation")} {(IsOn("ConcurrentGC", orElse: true) ? "concurrent" : "non-concurrent")}";
        // on by default since .NET 9
        var adapts = GCSettings.IsServerGC && (Environment.GetEnvironmentVariable("DOTNET_GCDynamicAdaptationMode") ?? "1") != "0";
        return adapts ? mode + ", DATAS" : mode;
    }

    static bool IsOn(string name, bool orElse) => GC.GetConfigurationVariables().TryGetValue(name, out var value) ? value is true : orElse;

    static string Cpu()
    {
        const string list = "/proc/cpuinfo";
        var line = File.Exists(list)
            ? File.ReadLines(list).FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal)) : null;
        return line?.Split(':', 2)[1].Trim() ?? Environment.GetEnvironmentVariable("PROCESSOR_IDENTIFIER")
            ?? RuntimeInformation.ProcessArchitecture.ToString();
    }
}
