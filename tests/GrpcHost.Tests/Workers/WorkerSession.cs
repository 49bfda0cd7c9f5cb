using System.Diagnostics;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using Grpc.Core;
using ProtoBench.GrpcHost.Protocol;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Tests;

sealed class WorkerSession : IAsyncDisposable
{
    readonly Worker worker;
    readonly GrpcDotnetClient client;
    readonly StringWriter output;

    WorkerSession(Worker worker, StringWriter output)
    {
        (this.worker, this.output) = (worker, output);
        client = new(worker.Endpoint);
        Stub = new(client.Invoker);
    }

    public WorkerService.WorkerServiceClient Stub { get; }

    public string Address => $"127.0.0.1:{worker.Endpoint.Port}";

    public Worker Worker => worker;

    /// <summary>What the worker printed last for a role, by name.</summary>
    public IReadOnlyDictionary<string, double> Printed(string role) => Statistics.Read(output.ToString(), role)[^1];

    public static async Task<WorkerSession> StartAsync(WorkerSettings? settings = null)
    {
        var output = new StringWriter();
        return new(await Worker.StartAsync(settings ?? new(), output), output);
    }

    /// <summary>A stream after its setup was answered.</summary>
    public async Task<(AsyncDuplexStreamingCall<ServerArgs, ServerStatus> Call, ServerStatus Status)> ServeAsync(ServerConfig config)
    {
        var call = Stub.RunServer();
        return (call, await AskAsync(call, new() { Setup = config }));
    }

    public async Task<(AsyncDuplexStreamingCall<ClientArgs, ClientStatus> Call, ClientStatus Status)> CallAsync(ClientConfig config)
    {
        var call = Stub.RunClient();
        return (call, await AskAsync(call, new() { Setup = config }));
    }

    public static async Task<TStatus> AskAsync<TArgs, TStatus>(AsyncDuplexStreamingCall<TArgs, TStatus> call, TArgs message)
        where TArgs : class
        where TStatus : class
    {
        await call.RequestStream.WriteAsync(message);
        Assert.True(await call.ResponseStream.MoveNext(CancellationToken.None).WaitAsync(TheProgram.Limit), "no status");
        return call.ResponseStream.Current;
    }

    /// <summary>The half-close, after which nothing may come.</summary>
    public static async Task EndAsync<TArgs, TStatus>(AsyncDuplexStreamingCall<TArgs, TStatus> call)
    {
        await call.RequestStream.CompleteAsync();
        Assert.False(await call.ResponseStream.MoveNext(CancellationToken.None).WaitAsync(TheProgram.Limit), "a status after the half-close");
        call.Dispose();
    }

    public async ValueTask DisposeAsync()
    {
        await client.DisposeAsync();
        await worker.DisposeAsync();
        await output.DisposeAsync();
    }
}

sealed partial class WorkerProcess : IAsyncDisposable
{
    readonly Process process;

    WorkerProcess(Process process, int port) => (this.process, Port) = (process, port);

    public int Port { get; }

    public int Id => process.Id;

    public string Address => $"127.0.0.1:{Port}";

    public static async Task<WorkerProcess> StartAsync(params string[] arguments)
    {
        var process = TheProgram.Start(["worker", "--driver-port", "0", "--until-stdin-ends", .. arguments]);
        var line = await process.StandardOutput.ReadLineAsync().WaitAsync(TheProgram.Limit);
        return new(process, int.Parse(PortOf().Match(line ?? "").Groups[1].Value));
    }

    public async Task<(int ExitCode, string Output)> EndAsync()
    {
        process.StandardInput.Close();
        var output = await process.StandardOutput.ReadToEndAsync().WaitAsync(TheProgram.Limit);
        await process.WaitForExitAsync().WaitAsync(TheProgram.Limit);
        return (process.ExitCode, output);
    }

    public void Kill() => process.Kill();

    public async ValueTask DisposeAsync()
    {
        if (!process.HasExited)
            process.Kill();
        await process.WaitForExitAsync();
        process.Dispose();
    }

    [GeneratedRegex("^listening on http://127.0.0.1:([0-9]+)$")]
    private static partial Regex PortOf();
}

static partial class Statistics
{
    public static IReadOnlyList<IReadOnlyDictionary<string, double>> Read(string output, string role)
    {
        var prefix = $"worker/{role}/";
        return [.. Block().Matches(output)
            .Select(block => JsonNode.Parse(block.Groups[1].Value)!["measurements"]!.AsArray()
                .Where(one => ((string)one!["name"]!).StartsWith(prefix, StringComparison.Ordinal))
                .ToDictionary(one => ((string)one!["name"]!)[prefix.Length..], one => (double)one!["value"]!))
            .Where(figures => figures.Count > 0)];
    }

    [GeneratedRegex("^#StartJobStatistics\r?\n(.*?)\r?\n#EndJobStatistics", RegexOptions.Multiline)]
    private static partial Regex Block();
}
