using System.Text.Json.Serialization;

namespace ProtoBench.Json;

/// <summary>Represents a group of colors with an ordinary type for System.Text.Json.</summary>
public sealed record ColorGroup(int Id, string Name, IReadOnlyList<string> Colors);

/// <summary>Many groups.</summary>
public sealed record ColorGroups(IReadOnlyList<ColorGroup> Groups);

/// <summary>Represents the message of the RPC stacks. Bytes are base64 in JSON, which is a third larger.</summary>
public sealed record Echo(ReadOnlyMemory<byte> Body);

/// <summary>The generated serializer.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(ColorGroup))]
[JsonSerializable(typeof(ColorGroups))]
[JsonSerializable(typeof(Echo))]
public sealed partial class GeneratedJson : JsonSerializerContext;
