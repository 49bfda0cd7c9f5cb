using System.Runtime;
using System.Runtime.InteropServices;

namespace ProtoBench.DuetRunner;

// compiled into the host too: this assembly is loaded into other builds, so nothing references it for a class
static class ThisProcess
{
    public static string GcMode()
    {
        var mode = $"{(GCSettings.IsServerGC ? "Server" : "Workstation")} {(IsConcurrent() ? "concurrent" : "non-concurrent")}";
        // on by default since .NET 9
        var adapts = GCSettings.IsServerGC && (Environment.GetEnvironmentVariable("DOTNET_GCDynamicAdaptationMode") ?? "1") != "0";
        return adapts ? mode + ", DATAS" : mode;
    }

    static bool IsConcurrent() => !GC.GetConfigurationVariables().TryGetValue("ConcurrentGC", out var value) || value is true;

    public static string TieredJit() => Setting("TieredCompilation", "System.Runtime.TieredCompilation")
        ? $"on, {(Setting("TC_QuickJit", "System.Runtime.TieredCompilation.QuickJit") ? "quick jit" : "no quick jit")}, "
            + $"{(Setting("TieredPGO", "System.Runtime.TieredPGO") ? "PGO" : "no PGO")}"
        : "off";

    /// <summary>The setting is on unless an environment variable or the runtime's configuration turns it off.</summary>
    static bool Setting(string variable, string configuration) =>
        Environment.GetEnvironmentVariable("DOTNET_" + variable) != "0" && (!AppContext.TryGetSwitch(configuration, out var on) || on);

    public static string Cpu()
    {
        const string list = "/proc/cpuinfo";
        var line = File.Exists(list)
            ? File.ReadLines(list).FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal)) : null;
        return line?.Split(':', 2)[1].Trim() ?? Environment.GetEnvironmentVariable("PROCESSOR_IDENTIFIER")
            ?? RuntimeInformation.ProcessArchitecture.ToString();
    }
}
