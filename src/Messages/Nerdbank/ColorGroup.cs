using System.ComponentModel;
using Nerdbank.MessagePack;
using PolyType;

namespace ProtoBench.NerdPack;

[GenerateShape]
public sealed partial class ColorGroup
{
    [Key(0)] public int Id { get; set; }
    [Key(1), DefaultValue("")] public string Name { get; set; } = "";
    [Key(2)] public List<string> Colors { get; set; } = [];
}

[GenerateShape]
public sealed partial class ColorGroups
{
    [Key(0)] public List<ColorGroup> Groups { get; set; } = [];
}
