using System.CommandLine;
using ProtoBench.Results;

namespace ProtoBench.Verbs;

/// <summary>Turns what a verb cannot do into a line on standard error and an exit code: 2 for wrong use and damaged files, 1 for a failed run, 130 after Ctrl-C.</summary>
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
            return 2;
        }
        catch (LaunchFailedException e)
        {
            await error.WriteLineAsync(e.Message);
            return 1;
        }
        catch (OperationCanceledException)
        {
            await error.WriteLineAsync("stopped; the launches that ended are kept");
            return 130;
        }
    }
}
