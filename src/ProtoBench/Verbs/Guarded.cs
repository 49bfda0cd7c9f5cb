using System.CommandLine;
using ProtoBench.Results;

namespace ProtoBench.Verbs;

/// <summary>Turns what a verb cannot do into a line on standard error and an exit code: 2 for wrong use
/// and for files that cannot be read or written, 1 for a failed run, 130 after Ctrl-C.</summary>
static class Guarded
{
    public static int Run(ParseResult parsed, Func<TextWriter, TextWriter, int> action) =>
        RunAsync(parsed, (output, error) => Task.FromResult(action(output, error))).GetAwaiter().GetResult();

    public static async Task<int> RunAsync(ParseResult parsed, Func<TextWriter, TextWriter, Task<int>> action)
    {
        var error = parsed.InvocationConfiguration.Error;
        try
        {
            return await action(parsed.InvocationConfiguration.Output, error);
        }
        catch (Exception e) when (e is DamagedFileException or UsageException)
        {
            await error.WriteLineAsync(e.Message);
            return ExitCode.Usage;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // A disk that is full, a file that vanished: the verbs check what they were given, so this is the rest.
            await error.WriteLineAsync(e.Message.ReplaceLineEndings(" "));
            return ExitCode.Usage;
        }
        catch (LaunchFailedException e)
        {
            await error.WriteLineAsync(e.Message);
            return ExitCode.Failed;
        }
        catch (OperationCanceledException)
        {
            await error.WriteLineAsync("stopped; what was measured until then is kept");
            return ExitCode.Stopped;
        }
    }
}
