using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.RegularExpressions;

namespace ProtoBench.GrpcHost.Tests;

static class TheProgram
{
    // A few seconds on a quiet machine, a minute for all stacks and codecs in one run; ten times that, and more, for a slow or busy one.
    public static TimeSpan Limit { get; } = TimeSpan.FromMinutes(10);

    /// <summary>In this process, with its hosts and client processes: a process takes a second, most of it for the JIT.</summary>
    public static async Task<(int ExitCode, string Output, string Error)> RunAsync(params string[] arguments)
    {
        var said = new Said();
        var exitCode = await RunHereAsync(arguments, said, Task.CompletedTask).WaitAsync(Limit);
        return (exitCode, said.Output.ToString(), said.Error.ToString());
    }

    public static async Task<(int ExitCode, string Output, string Error)> RunProcessAsync(params string[] arguments)
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

    static Task<int> RunHereAsync(string[] arguments, Said said, Task parentEnds) => Task.Run(() =>
    {
        Said.Here.Value = said;
        OneProcess.Current.Value = new(StartHereAsync, parentEnds);
        return Program.RunAsync(arguments);
    });

    /// <summary>A host in this process.</summary>
    public static async Task<ChildProcess> StartHereAsync(params string[] arguments)
    {
        var (said, parentEnds) = (new Said(), new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));
        var running = RunHereAsync(arguments, said, parentEnds.Task);
        return await Task.WhenAny(said.FirstLine, running) != running && ChildProcess.Announced(await said.FirstLine) is { } endpoint
            ? new(Environment.ProcessId, endpoint, () =>
            {
                parentEnds.SetResult();
                return running;
            })
            : throw new RunException(ExitCode.Failed, said.Error.ToString().Trim());
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

/// <summary>What a command writes to the console in this process, while other tests do the same.</summary>
sealed class Said
{
    readonly TaskCompletionSource<string> firstLine = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Said() => Output = new Lines(firstLine);

    public static AsyncLocal<Said?> Here { get; } = new();

    public StringWriter Output { get; }

    public StringWriter Error { get; } = new();

    public Task<string> FirstLine => firstLine.Task;

    [ModuleInitializer]
    internal static void Listen()
    {
        Console.SetOut(new Flowing(Console.Out, said => said.Output));
        Console.SetError(new Flowing(Console.Error, said => said.Error));
    }

    sealed class Lines(TaskCompletionSource<string> firstLine) : StringWriter
    {
        public override void Flush()
        {
            if (!firstLine.Task.IsCompleted && ToString().Split(Environment.NewLine) is [var line, _, ..])
                firstLine.SetResult(line);
        }
    }

    /// <summary>Writes to the command from which it is called, and else to the console.</summary>
    sealed class Flowing(TextWriter console, Func<Said, TextWriter> mine) : TextWriter
    {
        public override Encoding Encoding => console.Encoding;

        TextWriter Target => Here.Value is { } said ? mine(said) : console;

        public override void Write(char value) => Target.Write(value);

        public override void Write(string? value) => Target.Write(value);

        public override void Write(ReadOnlySpan<char> buffer) => Target.Write(buffer);

        public override void Flush() => Target.Flush();
    }
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
