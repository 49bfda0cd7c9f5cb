using System.Text.Json;
using System.Text.Json.Serialization;

namespace ProtoBench.Results;

/// <summary>A comparison as JSON: the <see cref="Comparison"/> as it is. An interval without an upper end has "Infinity".</summary>
public static class JsonTable
{
    /// <summary>Writes everything, the warnings too.</summary>
    /// <param name="comparison">What to show.</param>
    /// <param name="writer">Where to.</param>
    public static void Write(Comparison comparison, TextWriter writer) =>
        writer.Write(JsonSerializer.Serialize(comparison, ComparisonJson.Default.Comparison) + "\n");
}

/// <summary>The generated writer.</summary>
[JsonSourceGenerationOptions(
    WriteIndented = true,
    NewLine = "\n",
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    UseStringEnumConverter = true,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals)]
[JsonSerializable(typeof(Comparison))]
sealed partial class ComparisonJson : JsonSerializerContext;
