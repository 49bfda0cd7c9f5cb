using MessagePack;

namespace ProtoBench.MsgPack;

/// <summary>Represents a group of colors with an ordinary type for MessagePack, whose formatter is generated.</summary>
[MessagePackObject]
public sealed class ColorGroup
{
    /// <summary>The group's number.</summary>
    [Key(0)]
    public int Id { get; set; }

    /// <summary>The group's name.</summary>
    [Key(1)]
    public string Name { get; set; } = "";

    /// <summary>The colors of the group.</summary>
    [Key(2)]
    public List<string> Colors { get; set; } = [];
}

/// <summary>Many groups.</summary>
[MessagePackObject]
public sealed class ColorGroups
{
    /// <summary>The groups.</summary>
    [Key(0)]
    public List<ColorGroup> Groups { get; set; } = [];
}
