namespace ProtoBench.Rpc.Calls;

/// <summary>A call that ended with a status other than <see cref="RpcStatus.Ok"/>. A handler throws it to set the status and its text;
/// a client throws it for a call that failed.</summary>
public sealed class RpcException : Exception
{
    /// <summary>A failure with this status and a text that is sent to the other side.</summary>
    public RpcException(RpcStatus status, string text, Exception? inner = null)
        : base(text, inner) => Status = status;

    /// <summary>An <see cref="RpcStatus.Unknown"/> failure.</summary>
    public RpcException()
        : this(RpcStatus.Unknown, "")
    {
    }

    /// <summary>An <see cref="RpcStatus.Unknown"/> failure with a text.</summary>
    public RpcException(string message)
        : this(RpcStatus.Unknown, message)
    {
    }

    /// <summary>An <see cref="RpcStatus.Unknown"/> failure with a text and its cause.</summary>
    public RpcException(string message, Exception innerException)
        : this(RpcStatus.Unknown, message, innerException)
    {
    }

    /// <summary>Why the call failed. Never <see cref="RpcStatus.Ok"/>.</summary>
    public RpcStatus Status { get; }

    /// <summary>The metadata that was received, or is to be sent, with the status.</summary>
    public RpcMetadata Trailers { get; init; } = new();
}
