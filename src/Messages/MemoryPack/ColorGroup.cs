using MemoryPack;

namespace ProtoBench.MemPack;

/// <summary>Represents a group of colors with an ordinary type for MemoryPack, whose formatter is generated.</summary>
[MemoryPackable]
public sealed partial class ColorGroup
{
    /// <summary>The group's number.</summary>
    public int Id { get; set; }

    /// <summary>The group's name.</summary>
    public string Name { get; set; } = "";

    /// <summary>The colors of the group.</summary>
    public List<string> Colors { get; set; } = [];
}

/// <summary>Many groups.</summary>
[MemoryPackable]
public sealed partial class ColorGroups
{
    /// <summary>The groups.</summary>
    public List<ColorGroup> Groups { get; set; } = [];
}
