using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using ProtoBench.Results;

namespace ProtoBench.Verbs;

/// <summary>Converts exceptions of a verb to a line on standard error and an exit code: 2 for wrong usage and for files that cannot be read
/// or written, 1 for a failed run, 130 after Ctrl-C.</summary>
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
            // The verbs check their arguments, so these are rare failures such as a full disk or a deleted file.
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

/// <summary>Reads the values of options and arguments. System.CommandLine uses the culture of the user for numbers, in which "0.5" may be
/// 5.</summary>
static class OptionValue
{
    /// <summary>Returns the value. For an invalid text it adds an error with the option and its valid values.</summary>
    public static T Read<T>(ArgumentResult result, string name, string wanted, Func<string, T?> read)
        where T : struct
    {
        var text = result.Tokens[^1].Value;
        if (read(text) is { } value)
            return value;
        result.AddError($"{name}: '{text}' is not {wanted}");
        return default;
    }

    public static int Whole(ArgumentResult result, string name, int least, int most = int.MaxValue) => Read<int>(
        result, name, most == int.MaxValue ? $"a number of at least {least}" : $"a whole number from {least} to {most}",
        text => int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number >= least && number <= most
            ? number : null);

    /// <summary>Refuses an option that the verb does not have, where a list of files would take it.</summary>
    public static void RefuseUnknownOptions(ArgumentResult files)
    {
        foreach (var name in files.Tokens.Select(token => token.Value).Where(name => name.StartsWith("--", StringComparison.Ordinal)))
            files.AddError($"'{name}' is not an option here");
    }

    /// <summary>Parses a number of at least 0; null if the text is not a number.</summary>
    public static double? Number(string text) =>
        double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var number) && double.IsFinite(number)
        ? number : null;

    /// <summary>Parses a percentage such as 5% as a share; null if the text is not a percentage.</summary>
    public static double? Percent(string text) => text.EndsWith('%') && Number(text[..^1]) is < 1e6 and var percent ? percent / 100 : null;
}

/// <summary>Thrown when a process of a build failed, or the build. The message is for the user.</summary>
/// <param name="message">The failure, and the path of its log.</param>
public sealed class LaunchFailedException(string message) : Exception(message);
