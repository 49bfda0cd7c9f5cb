namespace ProtoBench.Rpc.Calls;

/// <summary>What goes with a call of a client, and where to put what comes back beside the messages. May serve many calls, but those that
/// collect metadata only one after the other.</summary>
public sealed class RpcCallOptions
{
    /// <summary>The longest the call may take; null for no limit. The client then ends it with DEADLINE_EXCEEDED and gives it up.
    /// A host that speaks gRPC knows the time too, and ends the call by itself.</summary>
    public TimeSpan? Timeout { get; init; }

    /// <summary>Metadata to send; null for none.</summary>
    public RpcMetadata? Headers { get; init; }

    /// <summary>Takes the metadata that comes before the first message; null to ignore it.</summary>
    public RpcMetadata? ResponseHeaders { get; init; }

    /// <summary>Takes the metadata that comes with the status; null to ignore it. A failed call has it in its exception as well.</summary>
    public RpcMetadata? Trailers { get; init; }
}
