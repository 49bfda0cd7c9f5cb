using System.Text.Json;
using System.Text.Json.Serialization;

namespace ProtoBench.Results;

/// <summary>Writes a <see cref="Comparison"/> as JSON. An interval without an upper end has "Infinity".</summary>
public static class JsonTable
{
    public static void Write(Comparison comparison, TextWriter writer) =>
        writer.Write(JsonSerializer.Serialize(comparison, ComparisonJson.Default.Comparison) + "\n");
}

[JsonSourceGenerationOptions(
    WriteIndented = true,
    NewLine = "\n",
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    UseStringEnumConverter = true,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals)]
[JsonSerializable(typeof(Comparison))]
sealed partial class ComparisonJson : JsonSerializerContext;
