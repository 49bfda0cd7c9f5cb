namespace ProtoBench.Harness;

/// <summary>Represents a library for the check before the measurement and for the summary.</summary>
/// <param name="Name">Its name in cells: Google, Slab, PBN.</param>
/// <param name="Package">The package with the loaded version.</param>
/// <param name="RoundTrip">Reads a message and writes it back, in the library's own format.</param>
public sealed record ComparedLibrary(string Name, string Package, Func<byte[], byte[]> RoundTrip)
{
    /// <summary>Gets <see cref="Package"/> without its version.</summary>
    public string Label => Package[..(Package.LastIndexOf(' ') is > 0 and var end ? end : Package.Length)];

    /// <summary>Whether the other libraries are measured if this one does not agree. Its rows are then left out.</summary>
    public bool IsOptional { get; init; }

    /// <summary>Gets the other kinds of work by name: each takes a payload, and returns what the library writes. All libraries
    /// have to write what the first one writes.</summary>
    public IReadOnlyDictionary<string, Func<byte[], byte[]>> Works { get; init; } = new Dictionary<string, Func<byte[], byte[]>>();

    /// <summary>Converts a payload to the library's own format; null if that is the format of the payloads. Payloads are in protobuf, or in
    /// JSON for a class without a .proto file.</summary>
    public Func<byte[], byte[]>? FromPayload { get; init; }

    /// <summary>Converts a message from the library's own format to that of the payloads; null if they are the same.</summary>
    public Func<byte[], byte[]>? ToPayload { get; init; }

    /// <summary>Returns the name and the version of an assembly's package.</summary>
    /// <param name="package">The name of the package.</param>
    /// <param name="type">A type of the package.</param>
    public static string VersionOf(string package, Type type)
    {
        ArgumentNullException.ThrowIfNull(type);
        var version = type.Assembly.GetCustomAttributes(typeof(System.Reflection.AssemblyInformationalVersionAttribute), false)
            .OfType<System.Reflection.AssemblyInformationalVersionAttribute>().FirstOrDefault()?.InformationalVersion
            ?? type.Assembly.GetName().Version?.ToString() ?? "?";

        // a commit is behind a plus, or behind a space as in "10.4.2. Commit Hash: "
        return $"{package} {version.Split('+', ' ')[0].TrimEnd('.')}";
    }
}

/// <summary>Sets the library that a cell measures, for the summary.</summary>
/// <param name="library">The name of a <see cref="ComparedLibrary"/>.</param>
[AttributeUsage(AttributeTargets.Method)]
public sealed class MeasuresAttribute(string library) : Attribute
{
    /// <summary>Gets the name of a <see cref="ComparedLibrary"/>.</summary>
    public string Library { get; } = library;
}
