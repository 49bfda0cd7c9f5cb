namespace ProtoBench.Rpc.Calls;

/// <summary>What a transport accepts from the other side. Every stack keeps to these limits, to the byte.</summary>
public sealed record RpcLimits
{
    /// <summary>The largest message that is read, in bytes, without the frame around it. A larger one ends its call, and no other, with RESOURCE_EXHAUSTED.
    /// 4 MiB is what gRPC implementations agree on.</summary>
    public int MaxReceiveBytes { get; init; } = 4 * 1024 * 1024;

    /// <summary>The largest message that is sent, in bytes, without the frame around it. A larger one ends its call with RESOURCE_EXHAUSTED.</summary>
    public int MaxSendBytes { get; init; } = int.MaxValue;

    /// <summary>Calls that may be under way on one connection. A client of HTTP/2 that starts more has them queued inside HttpClient, which falsifies
    /// its latencies; the socket's host refuses them with RESOURCE_EXHAUSTED. Without any limit a hostile peer could open calls until memory ends.</summary>
    public int MaxStreamsPerConnection { get; init; } = 16_384;

    /// <summary>Bytes that a host holds, over all calls, of messages of which a part has arrived, without the frames around them. A call that would exceed
    /// it ends with RESOURCE_EXHAUSTED. A message that has arrived whole does not count. Clients have no such limit.</summary>
    public long MaxPartialBytes { get; init; } = 512L * 1024 * 1024;

    /// <summary>How long a host that is disposed waits for the calls that are under way: see <see cref="IRpcServer"/>.</summary>
    public TimeSpan ShutdownTimeout { get; init; } = TimeSpan.FromSeconds(5);
}
