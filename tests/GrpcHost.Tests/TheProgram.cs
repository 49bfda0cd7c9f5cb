using System.Diagnostics;
using System.Text.RegularExpressions;

namespace ProtoBench.GrpcHost.Tests;

static class TheProgram
{
    // A few seconds on a quiet machine, a minute for all stacks and codecs in one run; ten times that, and more, for a slow or busy one.
    public static TimeSpan Limit { get; } = TimeSpan.FromMinutes(10);

    public static async Task<(int ExitCode, string Output, string Error)> RunAsync(params string[] arguments)
    {
        using var process = Start(arguments);
        try
        {
            var (output, error) = (process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
            await Task.WhenAll(output, error, process.WaitForExitAsync()).WaitAsync(Limit);
            return (process.ExitCode, await output, await error);
        }
        catch (TimeoutException)
        {
            process.Kill(entireProcessTree: true);
            throw;
        }
    }

    /// <summary>What it says to a command line that it refuses, or to --help: without a process, which would take a second.</summary>
    public static async Task<(int ExitCode, string Output, string Error)> SaysAsync(params string[] arguments)
    {
        using StringWriter output = new(), error = new();
        var exitCode = await Program.RunAsync(arguments, new() { Output = output, Error = error }).WaitAsync(Limit);
        return (exitCode, output.ToString(), error.ToString());
    }

    // A background job of a shell ignores SIGINT, and so do the programs that it starts: env of GNU coreutils puts an end to that.
    static readonly string[] ignoresNothing = OperatingSystem.IsLinux() ? ["env", "--default-signal=INT", "dotnet"] : ["dotnet"];

    public static Process Start(params string[] arguments) =>
        Process.Start(new ProcessStartInfo(ignoresNothing[0],
            [.. ignoresNothing[1..], "exec", typeof(ChildProcess).Assembly.Location, .. arguments])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
}

/// <summary>What a run's exit code has to follow from. A busy machine makes figures that may not be believed, and nothing else.</summary>
static partial class Verdict
{
    // Of the checks in RunChecks these depend on how fast the machine is; calls
    // that fail, wrong replies and messages that are not counted do not.
    static readonly string[] timing = ["schedule lag p99 is ", "Little's law is off: ", "the client's own GC paused for "];
    static readonly string[] timingOfAnOpenLoop = [.. timing, "the host served ", "calls were skipped", "of the attempted calls succeeded"];

    /// <summary>Exit code 0 without a reason in the report, 3 with reasons, each of which can come from a busy machine.</summary>
    public static void AssertFollows(int exitCode, string output, string error)
    {
        (string Variant, string Reason)[] reasons = [.. Invalid().Matches(output).SelectMany(match =>
            match.Groups["reason"].Captures.Select(reason => (match.Groups["variant"].Value, reason.Value)))];
        Assert.True(exitCode == (reasons.Length == 0 ? 0 : 3),
            $"exit code {exitCode}, {reasons.Length} reasons; the program said:\n{output}{error}");
        AssertTiming(reasons.Where(one => !IsLostResponse(one.Variant, one.Reason)).Select(one => one.Reason),
            output.Contains("\nattempted ", StringComparison.Ordinal), output + error);
    }

    public static void AssertTiming(IEnumerable<string> reasons, bool openLoop, string said = "") =>
        Assert.All(reasons, reason => Assert.True(
            (openLoop ? timingOfAnOpenLoop : timing).Any(known => reason.Contains(known, StringComparison.Ordinal)),
            $"{reason}; the program said:\n{said}"));

    // Kestrel rarely loses a response, if responses are longer than the client's window (eng/upstream/kestrel-lost-responses). Only the
    // stack with the defaults of the libraries has windows below the length of the hive.
    static bool IsLostResponse(string variant, string reason) =>
        variant.StartsWith("grpc-dotnet-defaults-", StringComparison.Ordinal) && LostResponse().IsMatch(reason);

    [GeneratedRegex("^(?<variant>.+): INVALID\r?\n(  INVALID (?<reason>.+?)\r?\n)+", RegexOptions.Multiline)]
    private static partial Regex Invalid();

    [GeneratedRegex("^round [0-9]+: (1 of [0-9]+ calls failed \\(DeadlineExceeded\\);|only .* of the attempted calls succeeded)")]
    private static partial Regex LostResponse();
}
