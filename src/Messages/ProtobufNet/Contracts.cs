using ProtoBuf;

namespace ProtoBench.Pbn;

// The hive with ordinary types of protobuf-net: items are classes, and leaves are byte[]. The item id is a string, as in hive.proto.

/// <summary>The request's root.</summary>
[ProtoContract]
public sealed class ForwardRequest
{
    /// <summary>32 hex digits.</summary>
    [ProtoMember(1)]
    public string TraceId { get; set; } = "";

    /// <summary>The sub-items.</summary>
    [ProtoMember(2)]
    public List<ForwardPerItemRequest> ItemRequests { get; } = [];

    /// <summary>The root's own bytes.</summary>
    [ProtoMember(3)]
    public byte[]? RequestContextInfo { get; set; }
}

/// <summary>One sub-item of the request.</summary>
[ProtoContract]
public sealed class ForwardPerItemRequest
{
    /// <summary>A decimal index.</summary>
    [ProtoMember(1)]
    public string ItemId { get; set; } = "";

    /// <summary>The small buffer; null if the field was absent.</summary>
    [ProtoMember(2)]
    public byte[]? ItemContext { get; set; }
}

/// <summary>The response's root.</summary>
[ProtoContract]
public sealed class ForwardResponse
{
    /// <summary>The sub-items.</summary>
    [ProtoMember(1)]
    public List<ForwardPerItemResponse> ItemResponses { get; } = [];

    /// <summary>Microseconds.</summary>
    [ProtoMember(2)]
    public long RouteLatencyInUs { get; set; }

    /// <summary>Ticks of 100 ns.</summary>
    [ProtoMember(3)]
    public long RouteStartTimeInTicks { get; set; }
}

/// <summary>One sub-item of the response.</summary>
[ProtoContract]
public sealed class ForwardPerItemResponse
{
    /// <summary>The score.</summary>
    [ProtoMember(1)]
    public float Result { get; set; }

    /// <summary>The small buffer; null if the field was absent.</summary>
    [ProtoMember(2)]
    public byte[]? ExtraResult { get; set; }
}

/// <summary>Represents the message of the RPC stacks with an ordinary type for protobuf-net.</summary>
[ProtoContract]
public sealed class Echo
{
    /// <summary>The payload.</summary>
    [ProtoMember(1)]
    public byte[] Body { get; set; } = [];
}

/// <summary>Represents a group of colors with an ordinary type for protobuf-net.</summary>
[ProtoContract]
public sealed class ColorGroup
{
    /// <summary>The group's number.</summary>
    [ProtoMember(1)]
    public int Id { get; set; }

    /// <summary>The group's name.</summary>
    [ProtoMember(2)]
    public string Name { get; set; } = "";

    /// <summary>The colors of the group.</summary>
    [ProtoMember(3)]
    public List<string> Colors { get; } = [];
}

/// <summary>Many groups.</summary>
[ProtoContract]
public sealed class ColorGroups
{
    /// <summary>The groups.</summary>
    [ProtoMember(1)]
    public List<ColorGroup> Groups { get; } = [];
}
