namespace ProtoBench.Harness.Duet;

/// <summary>The library that the others are compared with.</summary>
/// <param name="Label">Its name.</param>
/// <param name="Possessive">Its name in a sentence about its time.</param>
sealed record FirstLibrary(string Label, string Possessive)
{
    public static FirstLibrary Google { get; } = new("Google.Protobuf", "Google's");

    public static FirstLibrary Of(ComparedLibrary library) =>
        library.Label == Google.Label ? Google : new(library.Label, library.Label + "'s");
}
