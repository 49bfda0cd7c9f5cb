using ProtoBuf;

namespace ProtoBench.Pbn;

/// <summary>A group of colors as a user of protobuf-net writes it.</summary>
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
