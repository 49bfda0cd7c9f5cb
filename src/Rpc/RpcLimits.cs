namespace ProtoBench.Rpc;

/// <summary>What a transport accepts from the other side.</summary>
public sealed record RpcLimits
{
    /// <summary>The largest message that is read, in bytes. 4 MiB is what gRPC implementations agree on.</summary>
    public int MaxReceiveBytes { get; init; } = 4 * 1024 * 1024;

    /// <summary>The largest message that is sent, in bytes.</summary>
    public int MaxSendBytes { get; init; } = int.MaxValue;

    /// <summary>Calls that may be under way on one connection. A client that starts more has them queued inside HttpClient, which falsifies
    /// its latencies; without any limit a hostile peer could open streams until memory ends.</summary>
    public int MaxStreamsPerConnection { get; init; } = 16_384;

    /// <summary>What a host holds, over all calls, of messages that have arrived in part. A call that would exceed it is refused.</summary>
    public long MaxPartialBytes { get; init; } = 512L * 1024 * 1024;
}
