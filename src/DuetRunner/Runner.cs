using System.Reflection;
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
            var facts = Facts();
            if (job.Pairs.Count == 0)
                return new() { Facts = facts, Cells = [.. catalog.List()] };
            return new() { Facts = facts, Pairs = job.Pipe is null ? OneProcess.Measure(catalog, job) : TurnTaking.Measure(catalog, job) };
        }
        catch (Exception e)
        {
            return new() { Error = $"{e.GetType().Name}: {e.Message}" };
        }
    }

    static ProcessEnvironment Facts() => new()
    {
        Runtime = RuntimeInformation.FrameworkDescription,
        GcMode = ThisProcess.GcMode(),
        TieredJit = ThisProcess.TieredJit(),
        Cpu = ThisProcess.Cpu(),
        Cores = Environment.ProcessorCount,
        Os = RuntimeInformation.OSDescription,
        Architecture = RuntimeInformation.ProcessArchitecture.ToString(),
    };
}

#pragma warning disable CA1064 // thrown and caught in this assembly only, always with a message
sealed class RunnerException(string message) : Exception(message);
#pragma warning restore CA1064
