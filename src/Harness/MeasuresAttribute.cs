namespace ProtoBench.Harness;

/// <summary>Says which library a cell measures, for the summary.</summary>
/// <param name="library">The name of an <see cref="MeasuredLibrary"/>.</param>
[AttributeUsage(AttributeTargets.Method)]
public sealed class MeasuresAttribute(string library) : Attribute
{
    /// <summary>The name of an <see cref="MeasuredLibrary"/>.</summary>
    public string Library { get; } = library;
}
