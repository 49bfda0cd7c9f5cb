namespace ProtoBench.Harness;

/// <summary>A protobuf library as the check before the measurement and the summary see it.</summary>
/// <param name="Name">How cells spell it: Google, Slab, PBN.</param>
/// <param name="Package">The package, with the version that is loaded.</param>
/// <param name="RoundTrip">Reads a message and writes it back.</param>
public sealed record MeasuredLibrary(string Name, string Package, Func<byte[], byte[]> RoundTrip)
{
    /// <summary>Whether the other libraries are measured where this one does not agree. Its rows are left out then.</summary>
    public bool IsOptional { get; init; }

    /// <summary>The name and the version of an assembly's package.</summary>
    /// <param name="package">The package's name.</param>
    /// <param name="type">A type of it.</param>
    public static string VersionOf(string package, Type type)
    {
        ArgumentNullException.ThrowIfNull(type);
        var version = type.Assembly.GetCustomAttributes(typeof(System.Reflection.AssemblyInformationalVersionAttribute), false)
            .OfType<System.Reflection.AssemblyInformationalVersionAttribute>().FirstOrDefault()?.InformationalVersion
            ?? type.Assembly.GetName().Version?.ToString() ?? "?";
        return $"{package} {version.Split('+')[0]}";
    }
}

/// <summary>Says which library a cell measures, for the summary.</summary>
/// <param name="library">The name of an <see cref="MeasuredLibrary"/>.</param>
[AttributeUsage(AttributeTargets.Method)]
public sealed class MeasuresAttribute(string library) : Attribute
{
    /// <summary>The name of an <see cref="MeasuredLibrary"/>.</summary>
    public string Library { get; } = library;

    /// <summary>In what way, where the library has more than one cell for the same work: "pooled"; null for its ordinary one.</summary>
    public string? Form { get; init; }
}
