using ProtoBuf;

namespace ProtoBench.Pbn;

// The hive with ordinary types of protobuf-net: items are classes, and leaves are byte[]. The item id is a string, as in hive.proto.

[ProtoContract]
public sealed class ForwardRequest
{
    /// <summary>32 hex digits.</summary>
    [ProtoMember(1)] public string TraceId { get; set; } = "";
    [ProtoMember(2)] public List<ForwardPerItemRequest> ItemRequests { get; } = [];
    [ProtoMember(3)] public byte[]? RequestContextInfo { get; set; }
}

[ProtoContract]
public sealed class ForwardPerItemRequest
{
    /// <summary>A decimal index.</summary>
    [ProtoMember(1)] public string ItemId { get; set; } = "";
    /// <summary>Null if the field was absent.</summary>
    [ProtoMember(2)] public byte[]? ItemContext { get; set; }
}

[ProtoContract]
public sealed class ForwardResponse
{
    [ProtoMember(1)] public List<ForwardPerItemResponse> ItemResponses { get; } = [];
    /// <summary>Microseconds.</summary>
    [ProtoMember(2)] public long RouteLatencyInUs { get; set; }
    /// <summary>Ticks of 100 ns.</summary>
    [ProtoMember(3)] public long RouteStartTimeInTicks { get; set; }
}

[ProtoContract]
public sealed class ForwardPerItemResponse
{
    [ProtoMember(1)] public float Result { get; set; }
    /// <summary>Null if the field was absent.</summary>
    [ProtoMember(2)] public byte[]? ExtraResult { get; set; }
}

[ProtoContract]
public sealed class Echo
{
    [ProtoMember(1)] public byte[] Body { get; set; } = [];
}
