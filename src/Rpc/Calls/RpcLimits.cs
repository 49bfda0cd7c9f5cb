namespace ProtoBench.Rpc.Calls;

/// <summary>The limits of what a transport accepts and sends. Every transport enforces them exactly.</summary>
public sealed record RpcLimits
{
    /// <summary>The largest message that is read, in bytes, without the frame around it. A larger one ends its call, and no other, with
    /// RESOURCE_EXHAUSTED. 4 MiB is the default of gRPC implementations.</summary>
    public int MaxReceiveBytes { get; init; } = 4 * 1024 * 1024;

    /// <summary>The largest message that is sent, in bytes, without the frame
    /// around it. A larger one ends its call with RESOURCE_EXHAUSTED.</summary>
    public int MaxSendBytes { get; init; } = int.MaxValue;

    /// <summary>The highest number of concurrent calls on one connection. HttpClient queues calls beyond the limit, which distorts their
    /// latencies; the socket transport's server refuses them with RESOURCE_EXHAUSTED. Without a limit, a hostile peer could exhaust the
    /// memory with open calls.</summary>
    public int MaxStreamsPerConnection { get; init; } = 16_384;

    /// <summary>Bytes that a host holds, over all calls, of messages of which a part has arrived, without the frames around them. A call
    /// that would exceed it ends with RESOURCE_EXHAUSTED. Complete messages do not count. Clients have no such limit.</summary>
    public long MaxPartialBytes { get; init; } = 512L * 1024 * 1024;

    /// <summary>How long a server waits for calls in progress when it is disposed: see <see cref="IRpcServer"/>.</summary>
    public TimeSpan ShutdownTimeout { get; init; } = TimeSpan.FromSeconds(5);
}
