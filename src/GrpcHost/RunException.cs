namespace ProtoBench.GrpcHost;

/// <summary>The program ends; the message is the one line to show.</summary>
sealed class RunException : Exception
{
    /// <summary>Ends the program with this exit code.</summary>
    public RunException(int exitCode, string message, Exception? inner = null)
        : base(message, inner) => ExitCode = exitCode;

    public RunException()
        : this(GrpcHost.ExitCode.Failed, "")
    {
    }

    public RunException(string message)
        : this(GrpcHost.ExitCode.Failed, message)
    {
    }

    public RunException(string message, Exception innerException)
        : this(GrpcHost.ExitCode.Failed, message, innerException)
    {
    }

    public int ExitCode { get; }
}

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
