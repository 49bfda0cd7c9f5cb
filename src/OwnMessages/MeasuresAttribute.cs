namespace ProtoBench.OwnMessages;

/// <summary>Says which library a cell measures, for the summary.</summary>
/// <param name="library">The name of an <see cref="OwnLibrary"/>.</param>
[AttributeUsage(AttributeTargets.Method)]
public sealed class MeasuresAttribute(string library) : Attribute
{
    /// <summary>The name of an <see cref="OwnLibrary"/>.</summary>
    public string Library { get; } = library;
}
