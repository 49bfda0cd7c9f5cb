using MemoryPack;

namespace ProtoBench.MemPack;

/// <summary>A group of colors as a user of MemoryPack writes it; the formatter is generated.</summary>
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
