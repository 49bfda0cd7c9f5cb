using ProtoBench.DuetRunner;

/// <summary>
/// The runtime calls this before Main when DOTNET_STARTUP_HOOKS names this assembly. So cells run in the process of the program that holds
/// them, with its own runtime settings and libraries, and the program needs no verb for it: an older build of ProtoBench can be measured
/// too.
/// </summary>
static class StartupHook
{
    public static void Initialize() => Environment.Exit(Runner.Run(Environment.GetEnvironmentVariable(RunnerJob.Variable)));
}
