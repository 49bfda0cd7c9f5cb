using System.Diagnostics;
using System.Text.RegularExpressions;

namespace ProtoBench.GrpcHost;

/// <summary>This program in a child process, as a host or as a client. It listens, and ends with this process.</summary>
sealed partial class ChildProcess(int id, RpcEndpoint endpoint, Func<Task> end) : IAsyncDisposable
{
    // the start takes one second on an idle machine
    static readonly TimeSpan patience = TimeSpan.FromMinutes(2);

    public RpcEndpoint Endpoint { get; } = endpoint;

    public int Id { get; } = id;

    public static Task<ChildProcess> StartHostAsync(IEnumerable<string> arguments,
        IReadOnlyDictionary<string, string>? environment = null, int? processors = null) =>
        StartAsync(["host", .. arguments, "--until-stdin-ends"], environment, processors);

    /// <summary>Starts this program and waits until it listens.</summary>
    public static async Task<ChildProcess> StartAsync(IEnumerable<string> arguments,
        IReadOnlyDictionary<string, string>? environment = null, int? processors = null)
    {
        if (processors is null && OneProcess.Current.Value is { } here)
            return await here.StartAsync([.. arguments]);
        var info = ThisProgram(arguments);
        foreach (var (name, value) in environment ?? new Dictionary<string, string>())
            info.Environment[name] = value;
        var process = processors is { } number ? ProcessorLimit.Start(info, number) : Process.Start(info)!;
        try
        {
            var line = await process.StandardOutput.ReadLineAsync().WaitAsync(patience);
            if (line is not null && Announced(line) is { } endpoint)
                return Of(process, endpoint);
            throw new RunException(ExitCode.Failed, (await process.StandardError.ReadToEndAsync().WaitAsync(patience)).Trim());
        }
        catch (Exception e)
        {
            process.Kill();
            process.Dispose();
            throw e is TimeoutException ? new RunException(ExitCode.Failed, "the process did not start to listen", e) : e;
        }
    }

    static ChildProcess Of(Process process, RpcEndpoint endpoint) => new(process.Id, endpoint, () => EndAsync(process));

    public static string Announce(RpcEndpoint endpoint) =>
        $"listening on {endpoint}{(endpoint.Thumbprint is { } print ? $" thumbprint {print}" : "")}";

    /// <returns>Null if the line is not that of <see cref="Announce"/>.</returns>
    public static RpcEndpoint? Announced(string line) =>
        Listening().Match(line) is { Success: true } match ? Parse(match.Groups["url"].Value, match.Groups["print"].Value) : null;

    /// <summary>In a child process: ends when the parent closes the input. The reader of the console blocks even in its asynchronous
    /// methods.</summary>
    public static Task ParentEndsAsync() => OneProcess.Current.Value?.ParentEnds ?? Task.Run(Console.In.ReadToEnd);

    public static RpcEndpoint Parse(string address, string? thumbprint)
    {
        var print = string.IsNullOrEmpty(thumbprint) ? null : thumbprint;
        if (address.StartsWith("unix:", StringComparison.Ordinal))
            return new() { UnixSocket = address["unix:".Length..], Thumbprint = print };
        if (!Uri.TryCreate(address, UriKind.Absolute, out var url) || url.Scheme is not ("http" or "https"))
            throw new UsageException($"'{address}' is not an address: http://host:port, https://host:port or unix:path");
        if (url.Scheme == "https" != (print is not null))
            throw new UsageException(
                "https and --thumbprint go together: the host prints the thumbprint of its certificate when it starts");
        return new() { Host = url.Host, Port = url.Port, Thumbprint = print };
    }

    public ValueTask DisposeAsync() => new(end());

    static async Task EndAsync(Process process)
    {
        try
        {
            process.StandardInput.Close();
            await process.WaitForExitAsync().WaitAsync(TimeSpan.FromSeconds(10));
        }
        catch (Exception e) when (e is TimeoutException or IOException)
        {
            process.Kill();
        }

        process.Dispose();
    }

    public static ProcessStartInfo ThisProgram(IEnumerable<string> arguments)
    {
        var assembly = typeof(ChildProcess).Assembly.Location;
        var isProgram = Path.GetFileNameWithoutExtension(Environment.ProcessPath) == Path.GetFileNameWithoutExtension(assembly);
        return new(isProgram ? Environment.ProcessPath! : "dotnet", isProgram ? arguments : ["exec", assembly, .. arguments])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
    }

    [GeneratedRegex("^listening on (?<url>\\S+)( thumbprint (?<print>[0-9A-F]+))?$", RegexOptions.ExplicitCapture, 1000)]
    private static partial Regex Listening();
}

/// <summary>What is used instead of child processes by tests of whole commands: children are tasks of one process, so that the JIT compiles
/// the program once. A child with a runtime of its own is a process in any case.</summary>
/// <param name="StartAsync">Runs this program with these arguments, and returns when it listens.</param>
/// <param name="ParentEnds">For a child: ends when the parent does not need it any more.</param>
sealed record OneProcess(Func<string[], Task<ChildProcess>> StartAsync, Task ParentEnds)
{
    /// <summary>Null in the program itself.</summary>
    public static AsyncLocal<OneProcess?> Current { get; } = new();
}
