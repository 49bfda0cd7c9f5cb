namespace ProtoBench.GrpcHost;

/// <summary>Thrown to end the program. The message is the line that the user sees.</summary>
sealed class RunException : Exception
{
    /// <summary>Creates an exception with the exit code of the program.</summary>
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

    /// <summary>The run failed: there is no host, a port is in use, or no call succeeded.</summary>
    public const int Failed = 1;

    /// <summary>The arguments are wrong, or their combination is not available.</summary>
    public const int Usage = 2;

    /// <summary>The run ended, and a check of its figures failed.</summary>
    public const int Invalid = 3;

    /// <summary>The run was stopped by Ctrl-C. The measured part is printed and marked as partial.</summary>
    public const int Stopped = 130;
}
