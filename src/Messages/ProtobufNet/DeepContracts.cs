using ProtoBuf;

namespace ProtoBench.Pbn;

// Animal of zoo.proto, with and without lengths in front of sub-messages. protobuf-net writes an empty packed list, so Weights can be null.

[ProtoContract]
public sealed class Animal
{
    [ProtoMember(1)] public string Name { get; set; } = "";
    [ProtoMember(2)] public Animal? Mother { get; set; }
    [ProtoMember(3)] public List<Animal> Young { get; } = [];
    [ProtoMember(4, IsPacked = true, DataFormat = DataFormat.ZigZag)] public int[]? Weights { get; set; }
    [ProtoMember(5)] public Cage? Cage { get; set; }
    [ProtoMember(6)] public string? Street { get; set; }
    [ProtoMember(7, DataFormat = DataFormat.FixedSize)] public uint? Tag { get; set; }
    [ProtoMember(8)] public byte[]? Photo { get; set; }
}

[ProtoContract]
public sealed class Cage
{
    [ProtoMember(1)] public string Label { get; set; } = "";
    [ProtoMember(2)] public List<Animal> Animals { get; } = [];
}

/// <summary>Its sub-messages are groups: they are between a start tag and an end tag.</summary>
[ProtoContract]
public sealed class GroupedAnimal
{
    [ProtoMember(1)] public string Name { get; set; } = "";
    [ProtoMember(2, DataFormat = DataFormat.Group)] public GroupedAnimal? Mother { get; set; }
    [ProtoMember(3, DataFormat = DataFormat.Group)] public List<GroupedAnimal> Young { get; } = [];
    [ProtoMember(4, IsPacked = true, DataFormat = DataFormat.ZigZag)] public int[]? Weights { get; set; }
    [ProtoMember(5, DataFormat = DataFormat.Group)] public GroupedCage? Cage { get; set; }
    [ProtoMember(6)] public string? Street { get; set; }
    [ProtoMember(7, DataFormat = DataFormat.FixedSize)] public uint? Tag { get; set; }
    [ProtoMember(8)] public byte[]? Photo { get; set; }
}

[ProtoContract]
public sealed class GroupedCage
{
    [ProtoMember(1)] public string Label { get; set; } = "";
    [ProtoMember(2, DataFormat = DataFormat.Group)] public List<GroupedAnimal> Animals { get; } = [];
}
