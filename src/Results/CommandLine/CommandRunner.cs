using System.CommandLine;

namespace ProtoBench;

public static class ExitCode
{
    /// <summary>The run succeeded. With a guard, every row was judged and none is worse.</summary>
    public const int Done = 0;

    /// <summary>The run failed: a cell failed, the libraries do not agree, there is no host, or a guard found a forbidden change.</summary>
    public const int Failed = 1;

    /// <summary>The arguments are wrong or not available together, or a file cannot be read or written.</summary>
    public const int Usage = 2;

    /// <summary>The figures are not reliable: a check of a run failed, or a guard has too few launches to judge.</summary>
    public const int Invalid = 3;

    /// <summary>The sides have no common cells, one lacks cells of the first, or the cells of a target were not measured.</summary>
    public const int Incomplete = 4;

    /// <summary>The run was stopped by Ctrl-C. The measured part is kept and marked as partial.</summary>
    public const int Stopped = 130;
}

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

public static class CommandRunner
{
    /// <summary>Returns the error of a command line where something is neither a command nor an option; null for other errors.</summary>
    /// <param name="help">What lists them.</param>
    public static string? Unmatched(ParseResult parsed, string help) => parsed.UnmatchedTokens is not [var token, ..] ? null
        : $"'{token}' is neither a command nor an option here: "
            + (SimilarNames.Meant(token, Arguments.NamesOf(parsed.CommandResult)) is { } meant ? meant + " " : "") + help;

    /// <param name="unwritable">If a file cannot be read or written. Arguments are checked before, so this is rare: a full disk.</param>
    public static async Task<int> RunAsync(ParseResult parsed, int unwritable = ExitCode.Usage, InvocationConfiguration? output = null)
    {
        output ??= new();
        output.EnableDefaultExceptionHandler = false;
        // after Ctrl-C, calls in progress need time to end, and the report of the measured part needs time to be written
        output.ProcessTerminationTimeout = TimeSpan.FromSeconds(30);
        try
        {
            return await parsed.InvokeAsync(output);
        }
        catch (RunException e)
        {
            await output.Error.WriteLineAsync(e.Message);
            return e.ExitCode;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            await output.Error.WriteLineAsync(e.Message.ReplaceLineEndings(" "));
            return unwritable;
        }
        catch (OperationCanceledException)
        {
            await output.Error.WriteLineAsync(StoppedException.Nothing);
            return ExitCode.Stopped;
        }
    }
}
