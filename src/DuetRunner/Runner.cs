using System.Reflection;
using System.Runtime;
using System.Runtime.InteropServices;
using System.Text.Json;

namespace ProtoBench.DuetRunner;

static class Runner
{
    public static int Run(string? path)
    {
        // so that processes started by a cell do not load the runner
        Environment.SetEnvironmentVariable("DOTNET_STARTUP_HOOKS", null);
        if (path is null)
        {
            Console.Error.WriteLine($"{RunnerJob.Variable} names no job");
            return 2;
        }

        var job = JsonSerializer.Deserialize(File.ReadAllText(path), RunnerJson.Default.RunnerJob)!;
        var answer = Answer(job);
        File.WriteAllText(job.Output, JsonSerializer.Serialize(answer, RunnerJson.Default.RunnerOutput));
        return answer.Error is null ? 0 : 1;
    }

    static RunnerOutput Answer(RunnerJob job)
    {
        try
        {
            var program = Assembly.Load(job.Assembly);
            var catalog = new CellCatalog(program);
            var facts = Facts(program);
            if (job.Pairs.Count == 0)
                return new() { Facts = facts, Cells = [.. catalog.List()] };
            return new() { Facts = facts, Pairs = job.Pipe is null ? OneProcess.Measure(catalog, job) : TurnTaking.Measure(catalog, job) };
        }
#pragma warning disable CA1031 // a program may throw anything, which the user must see
        catch (Exception e)
#pragma warning restore CA1031
        {
            return new() { Error = $"{e.GetType().Name}: {e.Message}" };
        }
    }

    static RunnerFacts Facts(Assembly program) => new(
        RuntimeInformation.FrameworkDescription,
        $"{(GCSettings.IsServerGC ? "Server" : "Workstation")} {(GC.GetConfigurationVariables().TryGetValue("ConcurrentGC", out var on) && on is false ? "non-concurrent" : "concurrent")}",
        Setting("TieredCompilation", "System.Runtime.TieredCompilation")
            ? $"on, {(Setting("TC_QuickJit", "System.Runtime.TieredCompilation.QuickJit") ? "quick jit" : "no quick jit")}, "
                + $"{(Setting("TieredPGO", "System.Runtime.TieredPGO") ? "PGO" : "no PGO")}"
            : "off",
        Cpu(),
        Environment.ProcessorCount,
        RuntimeInformation.OSDescription,
        RuntimeInformation.ProcessArchitecture.ToString(),
        program.GetCustomAttribute<AssemblyConfigurationAttribute>()?.Configuration ?? "");

    // A setting of the runtime is on unless an environment variable or the runtime's configuration turns it off.
    static bool Setting(string variable, string configuration) =>
        Environment.GetEnvironmentVariable("DOTNET_" + variable) != "0" && (!AppContext.TryGetSwitch(configuration, out var on) || on);

    static string Cpu()
    {
        const string list = "/proc/cpuinfo";
        var line = File.Exists(list)
            ? File.ReadLines(list).FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal)) : null;
        return line?.Split(':', 2)[1].Trim() ?? Environment.GetEnvironmentVariable("PROCESSOR_IDENTIFIER")
            ?? RuntimeInformation.ProcessArchitecture.ToString();
    }
}

#pragma warning disable CA1064 // thrown and caught in this assembly only, always with a message
sealed class RunnerException(string message) : Exception(message);
#pragma warning restore CA1064
