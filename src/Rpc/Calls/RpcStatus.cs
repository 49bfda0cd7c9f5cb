namespace ProtoBench.Rpc.Calls;

/// <summary>The status codes of gRPC, by number as on the wire (grpc/grpc, doc/statuscodes.md).</summary>
public enum RpcStatus
{
    /// <summary>The call succeeded.</summary>
    Ok = 0,
    /// <summary>The caller gave up.</summary>
    Cancelled = 1,
    /// <summary>A failure that says nothing more: a handler threw, or a peer answered without a status.</summary>
    Unknown = 2,
    /// <summary>The request is wrong whatever the state of the service.</summary>
    InvalidArgument = 3,
    /// <summary>The time the caller gave is over.</summary>
    DeadlineExceeded = 4,
    /// <summary>What was asked for does not exist.</summary>
    NotFound = 5,
    /// <summary>What was to be created exists.</summary>
    AlreadyExists = 6,
    /// <summary>The caller may not do this.</summary>
    PermissionDenied = 7,
    /// <summary>A limit was hit: the size of a message, memory, a quota.</summary>
    ResourceExhausted = 8,
    /// <summary>The service is not in the state that the call needs.</summary>
    FailedPrecondition = 9,
    /// <summary>Given up because of a conflict with another call.</summary>
    Aborted = 10,
    /// <summary>Past the valid range.</summary>
    OutOfRange = 11,
    /// <summary>No such method, or no such feature.</summary>
    Unimplemented = 12,
    /// <summary>The protocol between the two sides was broken.</summary>
    Internal = 13,
    /// <summary>The service cannot be reached now.</summary>
    Unavailable = 14,
    /// <summary>Data is lost for good.</summary>
    DataLoss = 15,
    /// <summary>The caller is not known.</summary>
    Unauthenticated = 16,
}
