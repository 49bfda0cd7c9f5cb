namespace ProtoBench;

/// <summary>Thrown to end a command. The message is one line for the user: what is wrong, and how to correct it.</summary>
public class RunException(int exitCode, string message, Exception? inner = null) : Exception(message, inner)
{
    public int ExitCode { get; } = exitCode;
}

public sealed class UsageException(string message, Exception? inner = null) : RunException(ProtoBench.ExitCode.Usage, message, inner);

/// <summary>Thrown to end a command that was stopped by Ctrl-C.</summary>
/// <param name="measured">Whether anything was measured, and is on the screen.</param>
/// <param name="file">The file that has it; null if none was written.</param>
public sealed class StoppedException(bool measured, string? file) : RunException(ProtoBench.ExitCode.Stopped, !measured
    ? Nothing : $"stopped: what was measured until then is above, and {(file is null ? "no file was written" : $"in {file}")}")
{
    public const string Nothing = "stopped before anything was measured; no file was written";
}
