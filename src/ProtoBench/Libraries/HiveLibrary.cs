using System.Collections.Concurrent;
using System.Reflection;

namespace ProtoBench.Libraries;

/// <summary>
/// A library in the hive's table. Names, order, colour, label, version, and what its cells may be called come from here and from nowhere
/// else. It is never used inside a measurement.
/// </summary>
public sealed record HiveLibrary
{
    // By payload, because libraries of one format share it.
    static readonly ConcurrentDictionary<(Func<HiveMessage, byte[]> Payload, HiveMessage Message), int> sizes = new();
    static readonly Func<HiveMessage, byte[]> protobuf = HiveCodec.ProtobufPayload;

    /// <summary>The library in the names of its cells: Google, PBN.</summary>
    public required string Cell { get; init; }

    /// <summary>The library on pages and in texts.</summary>
    public required string Label { get; init; }

    /// <summary>Its place among the libraries of a table; lower comes first.</summary>
    public required int Order { get; init; }

    /// <summary>Its colour on pages: 1 to 7, or 0 for the grey of lower bounds.</summary>
    public required int Colour { get; init; }

    /// <summary>The kinds of buffer that its cells may name.</summary>
    public required IReadOnlyList<string> Buffers { get; init; }

    /// <summary>The forms of memory that its cells may name, beside the library's default.</summary>
    public IReadOnlyList<string> MemoryForms { get; init; } = [];

    /// <summary>The package's name; null where no package is measured.</summary>
    public string? Package { get; init; }

    /// <summary>The assembly that is loaded; its version goes into every table.</summary>
    public Assembly? Assembly { get; init; }

    /// <summary>How the library reads and writes; null for a lower bound, which does not.</summary>
    public HiveCodec? Codec { get; init; }

    /// <summary>Package and version, as every table names them: "Google.Protobuf 3.25.1". The label where there is no package.</summary>
    public string PackageAndVersion => Package is null ? Label : $"{Package} {Version}";

    /// <summary>The version that is loaded, without the commit behind the plus.</summary>
    public string Version =>
        (Assembly?.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion
        ?? Assembly?.GetName().Version?.ToString() ?? "?").Split('+')[0];

    /// <summary>Bytes of <paramref name="message"/> in the library's format.</summary>
    public int BytesOf(HiveMessage message) =>
        sizes.GetOrAdd((Codec?.Payload ?? protobuf, message), static of => of.Payload(of.Message).Length);
}
