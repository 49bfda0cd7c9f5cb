namespace ProtoBench.GrpcHost;

/// <summary>The exit codes of the program.</summary>
static class ExitCode
{
    public const int Done = 0;

    /// <summary>The run failed: no host, a port in use, no call that succeeded.</summary>
    public const int Failed = 1;

    /// <summary>The arguments are wrong, or the combination is not available.</summary>
    public const int Usage = 2;

    /// <summary>The run ended, and a check on its figures failed.</summary>
    public const int Invalid = 3;

    /// <summary>Stopped by Ctrl-C; what was measured is printed, marked as partial.</summary>
    public const int Stopped = 130;
}
