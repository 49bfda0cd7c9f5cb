using System.Text.Json.Serialization;

namespace ProtoBench.Results;

/// <param name="Colour">The number of its colour: 1 to 7, or 0 for the grey of lower bounds.</param>
public sealed record LibraryFacts(
    [property: JsonPropertyName("name")] string Name,
    [property: JsonPropertyName("label")] string Label,
    [property: JsonPropertyName("colour")] int Colour);
