namespace ProtoBench.Rpc;

/// <summary>What goes with one call of a client and what comes back beside the messages. For one call only.</summary>
public sealed class RpcCall
{
    /// <summary>The longest the call may take, enforced on both sides; null for no limit.</summary>
    public TimeSpan? Timeout { get; init; }

    /// <summary>Metadata to send.</summary>
    public RpcMetadata Headers { get; init; } = new();

    /// <summary>Metadata that came before the first message.</summary>
    public RpcMetadata ResponseHeaders { get; } = new();

    /// <summary>Metadata that came with the status. For a failed call it is in the exception as well.</summary>
    public RpcMetadata Trailers { get; internal set; } = new();
}
