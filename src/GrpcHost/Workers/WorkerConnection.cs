using System.Diagnostics;
using Grpc.Core;
using ProtoBench.GrpcHost.Protocol;

namespace ProtoBench.GrpcHost;

/// <summary>Thrown when a worker cannot continue. The message is a sentence that begins with its name.</summary>
sealed class WorkerFault(string worker, string what, Exception? inner = null) : Exception($"worker {worker} {what}", inner)
{
    public string Worker { get; } = worker;
}

sealed class WorkerConnection : IAsyncDisposable
{
    static readonly TimeSpan betweenAttempts = TimeSpan.FromMilliseconds(100);

    readonly GrpcDotnetClient client;

    public WorkerConnection(string address, TimeSpan patience)
    {
        if (!address.Contains(':', StringComparison.Ordinal) || !Uri.TryCreate("http://" + address, UriKind.Absolute, out var url)
            || url is not { Port: > 0, PathAndQuery: "/" })
            throw new UsageException($"'{address}' is not the address of a worker: host:port");
        (Address, Host, Patience) = (address, address[..address.LastIndexOf(':')], patience);
        client = new(new() { Host = url.Host, Port = url.Port }, new RpcLimits { MaxReceiveBytes = int.MaxValue });
        Stub = new(client.Invoker);
    }

    /// <summary>The address as host:port.</summary>
    public string Address { get; }

    public string Host { get; }

    public TimeSpan Patience { get; }

    public WorkerService.WorkerServiceClient Stub { get; }

    public int Cores { get; private set; }

    /// <summary>Waits until the worker answers. It may be started after the driver.</summary>
    /// <exception cref="WorkerFault">Thrown when it does not answer in time, or is not a worker.</exception>
    public async Task ConnectAsync(CancellationToken cancellationToken)
    {
        var began = Stopwatch.GetTimestamp();
        while (true)
        {
            var left = Patience - Stopwatch.GetElapsedTime(began);
            try
            {
                var deadline = DateTime.UtcNow + (left > TimeSpan.Zero ? left : TimeSpan.Zero);
                Cores = (await Stub.CoreCountAsync(new(), deadline: deadline, cancellationToken: cancellationToken)).Cores;
                return;
            }
            catch (RpcException e) when (e.StatusCode == StatusCode.Unavailable && left > betweenAttempts)
            {
                await Task.Delay(betweenAttempts, cancellationToken);
            }
            catch (RpcException e)
            {
                cancellationToken.ThrowIfCancellationRequested();
                throw new WorkerFault(Address, e.StatusCode switch
                {
                    StatusCode.Unimplemented => "is none: it does not implement grpc.testing.WorkerService",
                    StatusCode.Unavailable or StatusCode.DeadlineExceeded => $"does not answer within {Patience.TotalSeconds:0.#} s: "
                        + e.Status.Detail,
                    _ => $"refused: {Words(e)}",
                }, e);
            }
        }
    }

    public async Task QuitAsync()
    {
        try
        {
            await Stub.QuitWorkerAsync(new(), deadline: DateTime.UtcNow + Patience);
        }
        catch (RpcException e)
        {
            throw new WorkerFault(Address, $"did not quit: {Words(e)}", e);
        }
    }

    public ValueTask DisposeAsync() => client.DisposeAsync();

    public static string Words(RpcException failure) => $"{failure.StatusCode}: {failure.Status.Detail}";
}
