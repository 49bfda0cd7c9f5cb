using System.Diagnostics;
using System.Threading.Channels;
using Google.Protobuf;
using Grpc.Core;
using ProtoBench.GrpcHost.Protocol;

namespace ProtoBench.GrpcHost;

/// <summary>A worker in its role in a scenario. A fault of the worker ends every wait for it.</summary>
abstract class DrivenWorker(WorkerConnection worker) : IDisposable
{
    public WorkerConnection Worker => worker;

    /// <summary>Completes when the worker has ended its stream, with or without a failure.</summary>
    public Task Ended { get; protected set; } = Task.CompletedTask;

    public bool HasEnded => Ended.IsCompleted;

    /// <summary>Whether it has answered everything and ended without a failure.</summary>
    public bool Success { get; protected set; }

    /// <summary>Ends the messages, and waits for the end of the stream.</summary>
    /// <exception cref="WorkerFault">Thrown for a late end, a status instead of it, or a worker that failed at its end.</exception>
    public abstract Task EndAsync();

    /// <summary>Returns the fault of a stream that has ended too early.</summary>
    public abstract Task<WorkerFault> FaultAsync(string during, Exception? cause = null);

    public abstract void Forget();

    public abstract void Dispose();

    protected WorkerFault OtherVersion(string what, Exception? cause = null) =>
        new(Worker.Address, $"speaks another version of the protocol: {what}", cause);
}

/// <param name="open">Opens the stream before the first message.</param>
abstract class DrivenWorker<TArgs, TStatus>(WorkerConnection worker, bool isServer, Func<AsyncDuplexStreamingCall<TArgs, TStatus>> open)
    : DrivenWorker(worker)
    where TArgs : class, IMessage<TArgs>
    where TStatus : class, IMessage<TStatus>
{
    readonly Channel<TStatus> statuses = System.Threading.Channels.Channel.CreateUnbounded<TStatus>();
    AsyncDuplexStreamingCall<TArgs, TStatus>? call;
    bool completed;

    /// <returns>The status, and the time that it took.</returns>
    /// <exception cref="WorkerFault">Thrown when there is no status in time.</exception>
    protected async Task<(TStatus Status, TimeSpan Delay)> AskAsync(TArgs message, string what)
    {
        var began = Stopwatch.GetTimestamp();
        if (statuses.Reader.TryRead(out _))
            throw new WorkerFault(Worker.Address, $"sent a status that nobody asked for, before {what}");
        if (call is null)
        {
            call = open();
            Ended = ReceiveAsync(call.ResponseStream);
        }

        try
        {
            await call.RequestStream.WriteAsync(message).WaitAsync(Worker.Patience);
            return (await statuses.Reader.ReadAsync().AsTask().WaitAsync(Worker.Patience), Stopwatch.GetElapsedTime(began));
        }
        catch (TimeoutException e)
        {
            throw new WorkerFault(Worker.Address, $"did not answer {what} within {Worker.Patience.TotalSeconds:0.#} s", e);
        }
        catch (Exception e) when (e is ChannelClosedException or RpcException or InvalidOperationException or IOException)
        {
            throw await FaultAsync(what, e);
        }
    }

    public override async Task EndAsync()
    {
        try
        {
            completed = true;
            await call!.RequestStream.CompleteAsync().WaitAsync(Worker.Patience);
            await Ended.WaitAsync(Worker.Patience);
        }
        catch (TimeoutException e)
        {
            throw new WorkerFault(Worker.Address, $"did not end within {Worker.Patience.TotalSeconds:0.#} s", e);
        }
        catch (Exception e) when (e is RpcException or InvalidOperationException or IOException)
        {
            throw await FaultAsync("the end", e);
        }

        if (statuses.Reader.TryRead(out _))
            throw new WorkerFault(Worker.Address, "sent a status after the last mark was answered");
        Success = true;
    }

    public override async Task<WorkerFault> FaultAsync(string during, Exception? cause = null)
    {
        try
        {
            await Ended.WaitAsync(Worker.Patience);
        }
        catch (TimeoutException)
        {
            // without a status, the cause is the fault
        }
        catch (RpcException e)
        {
            return new(Worker.Address, e.StatusCode switch
            {
                StatusCode.InvalidArgument or StatusCode.ResourceExhausted => $"refused: {WorkerConnection.Words(e)}",
                StatusCode.Unimplemented => $"does not have the role of a {(isServer ? "server" : "client")}: {WorkerConnection.Words(e)}",
                // the status of a client that cannot read a message
                StatusCode.Internal when e.Status.Detail.Contains("deserializ", StringComparison.OrdinalIgnoreCase) =>
                    $"speaks another version of the protocol: {e.Status.Detail}",
                _ => $"was lost at {during}: {WorkerConnection.Words(e)}",
            }, e);
        }
        catch (Exception e)
        {
            return new(Worker.Address, $"was lost at {during}: {e.Message}", e);
        }

        return new(Worker.Address, cause is RpcException failure ? $"was lost at {during}: {WorkerConnection.Words(failure)}"
            : $"ended the scenario at {during}, before the driver did", cause);
    }

    public override void Dispose() => call?.Dispose();

    async Task ReceiveAsync(IAsyncStreamReader<TStatus> received)
    {
        try
        {
            while (await received.MoveNext(CancellationToken.None))
                await statuses.Writer.WriteAsync(received.Current);
        }
        catch (RpcException e) when (completed && e.StatusCode == StatusCode.Cancelled)
        {
            // official drivers accept this end, because both sides of a scenario stop at the same time
        }
        finally
        {
            statuses.Writer.Complete();
        }
    }
}

sealed class DrivenServer(WorkerConnection worker)
    : DrivenWorker<ServerArgs, ServerStatus>(worker, isServer: true, () => worker.Stub.RunServer())
{
    public int Cores { get; private set; }

    /// <summary>The last figures of the window; null before.</summary>
    public ServerStats? Stats { get; private set; }

    /// <summary>Returns the address for the clients.</summary>
    public async Task<string> SetUpAsync(ServerConfig config)
    {
        var (status, _) = await AskAsync(new() { Setup = config }, "the setup");
        if (status.Port is < 1 or > 65_535)
            throw OtherVersion($"its server has port {status.Port}");
        Cores = status.Cores;
        return $"{Worker.Host}:{status.Port}";
    }

    public async Task LookAsync(ServerArgs mark, string what) =>
        Stats = (await AskAsync(mark, what)).Status.Stats ?? throw OtherVersion("a status without stats");

    public override void Forget() => Stats = null;
}

sealed class DrivenClient(WorkerConnection worker, HistogramParams? histogram)
    : DrivenWorker<ClientArgs, ClientStatus>(worker, isServer: false, () => worker.Stub.RunClient())
{
    public int Channels { get; private set; }

    /// <summary>The last figures of the window; null before.</summary>
    public ClientStats? Stats { get; private set; }

    /// <summary>The histogram of <see cref="Stats"/>.</summary>
    public QpsHistogram? Latencies { get; private set; }

    /// <summary>The time that it took to answer the mark that starts the window.</summary>
    public TimeSpan StartDelay { get; private set; }

    public async Task SetUpAsync(ClientConfig config, int channels)
    {
        var own = config.Clone();
        own.ClientChannels = Channels = channels;
        await AskAsync(new() { Setup = own }, "the setup");
    }

    public async Task<TimeSpan> LookAsync(ClientArgs mark, string what)
    {
        var (status, delay) = await AskAsync(mark, what);
        var stats = status.Stats ?? throw OtherVersion("a status without stats");
        var latencies = QpsHistogram.Of(histogram);
        try
        {
            latencies.Add(stats.Latencies ?? throw new FormatException("no histogram"));
            if (!(stats.TimeElapsed > 0 && double.IsFinite(stats.TimeElapsed)))
                throw new FormatException($"a window of {stats.TimeElapsed} s");
        }
        catch (FormatException e)
        {
            throw OtherVersion(e.Message, e);
        }

        (Stats, Latencies) = (stats, latencies);
        return delay;
    }

    public async Task StartAsync(ClientArgs mark) => StartDelay = await LookAsync(mark, "the mark that starts the window");

    public override void Forget() => (Stats, Latencies) = (null, null);
}
