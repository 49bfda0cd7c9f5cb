using ProtoBench.GrpcHost.Protocol;

namespace ProtoBench.GrpcHost;

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
