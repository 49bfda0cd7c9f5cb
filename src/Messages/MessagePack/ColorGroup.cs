using MessagePack;

namespace ProtoBench.MsgPack;

[MessagePackObject]
public sealed class ColorGroup
{
    [Key(0)] public int Id { get; set; }
    [Key(1)] public string Name { get; set; } = "";
    [Key(2)] public List<string> Colors { get; set; } = [];
}

[MessagePackObject]
public sealed class ColorGroups
{
    [Key(0)] public List<ColorGroup> Groups { get; set; } = [];
}
