namespace ProtoBench.Rpc.Calls;

/// <summary>The options of a client's call. One object can be used for many
/// calls, but not for concurrent calls if it collects metadata.</summary>
public sealed class RpcCallOptions
{
    /// <summary>The longest the call may take; null for no limit. The client then ends the call with DEADLINE_EXCEEDED.
    /// A gRPC server receives the limit too and ends the call itself.</summary>
    public TimeSpan? Timeout { get; init; }

    /// <summary>Metadata to send; null for none.</summary>
    public RpcMetadata? Headers { get; init; }

    /// <summary>Receives the metadata that is sent before the first message; null to ignore it.</summary>
    public RpcMetadata? ResponseHeaders { get; init; }

    /// <summary>Receives the metadata that is sent with the status; null to ignore it. The exception of a failed call has it too.</summary>
    public RpcMetadata? Trailers { get; init; }
}
