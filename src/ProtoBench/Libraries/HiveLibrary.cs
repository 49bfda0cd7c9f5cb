using System.Collections.Concurrent;
using System.Reflection;
using ProtoBench.Payloads;

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

/// <summary>How the validation and the tests read and write the hive's messages
/// with a library. Cells do not use it: they call the library itself.</summary>
/// <param name="ParseRequest">Reads a request.</param>
/// <param name="ParseResponse">Reads a response.</param>
/// <param name="Write">Writes a message of this library.</param>
/// <param name="FingerprintOf">The content of a message of this library; null for an object of another type.</param>
public sealed record HiveCodec(
    Func<byte[], object> ParseRequest,
    Func<byte[], object> ParseResponse,
    Func<object, byte[]> Write,
    Func<object, Fingerprint?> FingerprintOf)
{
    /// <summary>The bytes that the library's cells read. A library with another
    /// format than protobuf gives its own golden bytes here.</summary>
    public Func<HiveMessage, byte[]> Payload { get; init; } = ProtobufPayload;

    /// <summary>The bytes that the library has to write for a message that it
    /// has read from <see cref="Payload"/>; null: the same bytes.</summary>
    public Func<HiveMessage, byte[]>? Written { get; init; }

    /// <summary>Reads a message.</summary>
    /// <param name="message">Which message <paramref name="wire"/> holds.</param>
    /// <param name="wire">The bytes.</param>
    public object Parse(HiveMessage message, byte[] wire) => message == HiveMessage.Response ? ParseResponse(wire) : ParseRequest(wire);

    /// <summary>The bytes that the library has to write for <paramref name="message"/>.</summary>
    public byte[] Golden(HiveMessage message) => (Written ?? Payload)(message);

    /// <summary>The hive's messages in protobuf's format, as cells read them.</summary>
    public static byte[] ProtobufPayload(HiveMessage message) => message switch
    {
        HiveMessage.Request => Hive.Request(),
        HiveMessage.Response => Hive.Response(),
        _ => Hive.Mixed(),
    };

    /// <summary>The hive's messages in protobuf's format, as a library writes them.</summary>
    /// <param name="mixed">What the library does with the order of fields and with unknown fields.</param>
    public static Func<HiveMessage, byte[]> ProtobufWritten(MixedOrder mixed) =>
        message => message == HiveMessage.Mixed ? Hive.Mixed(mixed) : ProtobufPayload(message);
}
