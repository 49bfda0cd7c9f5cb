using System.CommandLine;
using System.Diagnostics;

namespace ProtoBench.GrpcHost;

/// <summary>Each row of <c>settings</c> is a set of these options.</summary>
sealed class TuningOptions
{
    const int smallestWindow = 65_535;
    const int largestClientWindow = 16 * 1024 * 1024;

    static readonly string[] modes = [.. GcMode.All.Select(mode => mode.Name)];

    readonly Option<int?> serverWindow = Arguments.Option<int?>(
        "--server-window", "Kestrel's HTTP/2 windows for a stream and for a connection: 64KB to 2GB (768KB and 1MB by default)",
        result => Arguments.Size(result));

    readonly Option<bool> inlineScheduling = Arguments.Option<bool>(
        "--inline-scheduling", "Kestrel's UnsafePreferInlineScheduling: no hand-over from the sockets' thread to the thread pool");

    readonly Option<int?> ioQueues = Arguments.Option<int?>(
        "--io-queues", "Kestrel's IOQueueCount; 0 is the thread pool alone", result => Arguments.AtLeast0(result));

    readonly Option<string?> compression = Arguments.Option<string?>(
        "--compression", $"compress messages in both directions: {string.Join(", ", RpcTuning.Compressions)}");

    readonly Option<int?> clientWindow = Arguments.Option<int?>(
        "--client-window", "the client's HTTP/2 window at first: 64KB to 16MB; the client enlarges it", result => Arguments.Size(result));

    readonly Option<bool> fixedWindow = Arguments.Option<bool>("--fixed-window", "the client never enlarges its window");

    readonly Option<string?> multipleConnections = Arguments.Option<string?>(
        "--multiple-connections", "whether the client opens another connection when streams run out: on, off");

    readonly Option<bool> retry = Arguments.Option<bool>("--retry-policy", "the client has a retry policy for UNAVAILABLE");

    readonly Option<bool> duplex = Arguments.Option<bool>(
        "--duplex", "a caller sends its requests on one duplex stream, instead of a call for each");

    readonly Option<string?> hostGc = Arguments.Option<string?>(
        "--host-gc", $"the host's garbage collector: {string.Join(", ", modes)}");

    readonly Option<string?> clientGc = Arguments.Option<string?>("--client-gc", "the same for the client, in a process of its own");

    readonly Option<int?> hostCores = Arguments.Option<int?>(
        "--host-cores", "number of processors that the host may use", result => Arguments.Between(1, Environment.ProcessorCount)(result));

    readonly Option<string[]> hostVariables = Arguments.Many("--host-env", "environment variables of the host: NAME=VALUE");

    readonly Option<string[]> clientVariables = Arguments.Many(
        "--client-env", "environment variables of the client, in a process of its own: NAME=VALUE");

    public TuningOptions()
    {
        compression.AcceptOnlyFromAmong([.. RpcTuning.Compressions]);
        multipleConnections.AcceptOnlyFromAmong("on", "off");
        hostGc.AcceptOnlyFromAmong(modes);
        clientGc.AcceptOnlyFromAmong(modes);
    }

    public IEnumerable<Option> OfHost => [serverWindow, inlineScheduling, ioQueues, compression];

    public IEnumerable<Option> OfClient => [clientWindow, multipleConnections, compression, retry, duplex];

    public IEnumerable<Option> All =>
        [.. OfHost, .. OfClient.Except(OfHost), fixedWindow, hostGc, clientGc, hostCores, hostVariables, clientVariables];

    public RpcTuning Of(ParseResult parsed)
    {
        if (parsed.GetValue(retry) && parsed.GetValue(duplex))
            throw new UsageException(
                $"{retry.Name} with {duplex.Name}: with grpc-dotnet 2.85 some calls with a stream of requests and a retry policy never end "
                    + "(docs/grpc.md)");
        return new()
        {
            ServerWindow = Window(parsed, serverWindow, int.MaxValue),
            ClientWindow = Window(parsed, clientWindow, largestClientWindow),
            MultipleConnections = parsed.GetValue(multipleConnections) is { } answer ? answer == "on" : null,
            InlineScheduling = parsed.GetValue(inlineScheduling),
            IoQueues = parsed.GetValue(ioQueues),
            Compression = parsed.GetValue(compression),
            Retries = parsed.GetValue(retry),
        };
    }

    public bool IsDuplex(ParseResult parsed) => parsed.GetValue(duplex);

    public void Check(ParseResult parsed, IEnumerable<Variant> variants, string? client = null)
    {
        Of(parsed);
        foreach (var stack in variants.Select(variant => variant.Stack).Distinct())
        {
            Option[] needed = stack.SpeaksGrpc ? [] : stack.Protocol == "socket" ? [.. All] : [compression, retry, duplex];
            if (needed.Except([hostGc, clientGc, hostCores, hostVariables, clientVariables]).FirstOrDefault(IsGiven) is { } option)
                throw new UsageException($"{option.Name} has no effect on the stack {stack.Name}");
        }

        // the event loop has its own windows and frames
        if (client == EventLoopClient.Name && OfClient.Append(fixedWindow).FirstOrDefault(IsGiven) is { } ofClient)
            throw new UsageException($"{ofClient.Name} has no effect on --client {client}");

        bool IsGiven(Option option) => parsed.GetResult(option) is { Implicit: false };
    }

    public IEnumerable<string> ForHost(ParseResult parsed) => Given(parsed, OfHost);

    public IEnumerable<string> ForClient(ParseResult parsed) => Given(parsed, OfClient);

    public int? HostCores(ParseResult parsed) => parsed.GetValue(hostCores);

    public IReadOnlyDictionary<string, string> OfHostProcess(ParseResult parsed) =>
        Variables(parsed.GetValue(hostGc), parsed.GetValue(hostVariables));

    public IReadOnlyDictionary<string, string> OfClientProcess(ParseResult parsed)
    {
        var variables = Variables(parsed.GetValue(clientGc), parsed.GetValue(clientVariables));
        if (parsed.GetValue(fixedWindow))
            variables["DOTNET_SYSTEM_NET_HTTP_SOCKETSHTTPHANDLER_HTTP2FLOWCONTROL_DISABLEDYNAMICWINDOWSIZING"] = "1";
        return variables;
    }

    static Dictionary<string, string> Variables(string? gc, IReadOnlyList<string>? more)
    {
        var variables = gc is null ? [] : GcMode.All.Single(mode => mode.Name == gc).Environment.ToDictionary();
        foreach (var text in more ?? [])
        {
            var at = text.IndexOf('=', StringComparison.Ordinal);
            if (at <= 0)
                throw new UsageException($"'{text}' is not an environment variable: NAME=VALUE");
            variables[text[..at]] = text[(at + 1)..];
        }

        return variables;
    }

    static IEnumerable<string> Given(ParseResult parsed, IEnumerable<Option> options) =>
        options.Select(option => parsed.GetResult(option)).OfType<System.CommandLine.Parsing.OptionResult>()
            .Where(result => !result.Implicit)
            .SelectMany(result => (IEnumerable<string>)[result.Option.Name, .. result.Tokens.Select(token => token.Value)]);

    static int? Window(ParseResult parsed, Option<int?> option, int most) => parsed.GetValue(option) switch
    {
        null => null,
        { } bytes when bytes >= smallestWindow && bytes <= most => bytes,
        { } bytes => throw new UsageException($"{option.Name} is {bytes} bytes; it can be {smallestWindow} to {most}"),
    };
}

/// <summary>The runtime reads most of its variables when it starts, so the process is started again.</summary>
static class OwnEnvironment
{
    /// <summary>Returns the exit code of this program with these variables; null if this process already has them.</summary>
    public static async Task<int?> RunAgainAsync(IReadOnlyDictionary<string, string> variables)
    {
        if (variables.All(variable => Environment.GetEnvironmentVariable(variable.Key) == variable.Value))
            return null;
        var info = ChildProcess.ThisProgram(Environment.GetCommandLineArgs()[1..]);
        (info.RedirectStandardInput, info.RedirectStandardOutput, info.RedirectStandardError) = (false, false, false);
        foreach (var (name, value) in variables)
            info.Environment[name] = value;
        using var process = Process.Start(info)!;
        await process.WaitForExitAsync(CancellationToken.None); // Ctrl-C also reaches the process, which then prints its partial result
        return process.ExitCode;
    }
}
