using ProtoBench.DuetRunner;

/// <summary>The runtime calls this type before Main if DOTNET_STARTUP_HOOKS names this assembly. So cells run in the process of their
/// program, with its runtime settings and libraries. The program needs no verb for it, so an older build of ProtoBench can be measured
/// too.</summary>
static class StartupHook
{
    public static void Initialize() => Environment.Exit(Runner.Run(Environment.GetEnvironmentVariable(RunnerJob.Variable)));
}
