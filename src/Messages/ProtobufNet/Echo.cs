using ProtoBuf;

namespace ProtoBench.Pbn;

/// <summary>What the RPC stacks send to and fro, as a user of protobuf-net writes it.</summary>
[ProtoContract]
public sealed class Echo
{
    /// <summary>The payload.</summary>
    [ProtoMember(1)]
    public byte[] Body { get; set; } = [];
}
