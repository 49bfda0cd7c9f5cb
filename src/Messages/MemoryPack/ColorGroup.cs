using MemoryPack;

namespace ProtoBench.MemPack;

[MemoryPackable]
public sealed partial class ColorGroup
{
    public int Id { get; set; }
    public string Name { get; set; } = "";
    public List<string> Colors { get; set; } = [];
}

[MemoryPackable]
public sealed partial class ColorGroups
{
    public List<ColorGroup> Groups { get; set; } = [];
}
