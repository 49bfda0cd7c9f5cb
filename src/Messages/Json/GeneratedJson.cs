using System.Text.Json.Serialization;

namespace ProtoBench.Json;

public sealed record ColorGroup(int Id, string Name, IReadOnlyList<string> Colors);

public sealed record ColorGroups(IReadOnlyList<ColorGroup> Groups);

/// <summary>The message of the RPC stacks. Bytes are base64 in JSON, which is a third larger.</summary>
public sealed record Echo(ReadOnlyMemory<byte> Body);

[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(ColorGroup))]
[JsonSerializable(typeof(ColorGroups))]
[JsonSerializable(typeof(Echo))]
public sealed partial class GeneratedJson : JsonSerializerContext;
