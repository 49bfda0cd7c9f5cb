using ProtoBench.GrpcHost.Protocol;

namespace ProtoBench.GrpcHost;

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
