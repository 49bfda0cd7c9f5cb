using System.Text.Json.Serialization;

namespace ProtoBench.Json;

/// <summary>Represents a group of colors with an ordinary type for System.Text.Json.</summary>
/// <param name="Id">The group's number.</param>
/// <param name="Name">The group's name.</param>
/// <param name="Colors">The colors of the group.</param>
public sealed record ColorGroup(int Id, string Name, IReadOnlyList<string> Colors);

/// <summary>Many groups.</summary>
/// <param name="Groups">The groups.</param>
public sealed record ColorGroups(IReadOnlyList<ColorGroup> Groups);

/// <summary>Represents the message of the RPC stacks. Bytes are base64 in JSON, which is a third larger.</summary>
/// <param name="Body">The payload.</param>
public sealed record Echo(ReadOnlyMemory<byte> Body);

/// <summary>The generated serializer.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(ColorGroup))]
[JsonSerializable(typeof(ColorGroups))]
[JsonSerializable(typeof(Echo))]
public sealed partial class GeneratedJson : JsonSerializerContext;
