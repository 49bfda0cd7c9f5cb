using System.CommandLine;

namespace ProtoBench;

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
