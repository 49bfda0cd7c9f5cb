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
