namespace ProtoBench.GrpcHost;

/// <summary>What the program's exit codes mean; --help lists them.</summary>
static class ExitCode
{
    public const int Done = 0;

    /// <summary>The run failed: no host, a port in use, no call that succeeded.</summary>
    public const int Failed = 1;

    /// <summary>The user asked for something that cannot be had.</summary>
    public const int Usage = 2;

    /// <summary>The run ended, and its figures may not be believed.</summary>
    public const int Invalid = 3;

    /// <summary>Stopped by Ctrl-C; what was measured is printed, marked as partial.</summary>
    public const int Stopped = 130;
}
