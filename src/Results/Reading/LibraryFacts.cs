using System.Text.Json.Serialization;

namespace ProtoBench.Results;

/// <summary>How a page shows a library, as the program that measured it has registered it.</summary>
/// <param name="Name">The library in the names of its cells: Google, PBN.</param>
/// <param name="Label">The library in texts.</param>
/// <param name="Colour">The number of its colour: 1 to 7, or 0 for the grey of lower bounds.</param>
public sealed record LibraryFacts(
    [property: JsonPropertyName("name")] string Name,
    [property: JsonPropertyName("label")] string Label,
    [property: JsonPropertyName("colour")] int Colour);
