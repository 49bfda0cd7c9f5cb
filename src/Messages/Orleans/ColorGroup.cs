using Orleans;

namespace ProtoBench.OrleansTypes;

[GenerateSerializer, SuppressReferenceTracking, OmitDefaultMemberValues]
public sealed class ColorGroup
{
    [Id(0)] public int Id { get; set; }
    [Id(1)] public string Name { get; set; } = "";
    [Id(2)] public List<string> Colors { get; set; } = [];
}

[GenerateSerializer, SuppressReferenceTracking, OmitDefaultMemberValues]
public sealed class ColorGroups
{
    [Id(0)] public List<ColorGroup> Groups { get; set; } = [];
}
