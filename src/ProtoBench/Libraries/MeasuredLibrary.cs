using System.Collections.Concurrent;
using System.Reflection;
using ProtoBench.Formats;
using ProtoBench.Payloads;
using ProtoBench.Results;

namespace ProtoBench.Libraries;

/// <summary>Represents a library, with its names, order, colour, label and version, and the possible names of its cells in the hive's
/// table. It is never used inside a measurement.</summary>
public sealed record MeasuredLibrary
{
    // by payload, because libraries with one format share it
    static readonly ConcurrentDictionary<(Func<HiveMessage, byte[]> Payload, HiveMessage Message), int> sizes = new();
    static readonly Func<HiveMessage, byte[]> protobuf = LibraryCodec.ProtobufPayload;

    /// <summary>The name of the library in cells: Google, PBN.</summary>
    public required string Cell { get; init; }

    /// <summary>The name of the library on pages and in texts.</summary>
    public required string Label { get; init; }

    /// <summary>Its position among the libraries of a table, in ascending order.</summary>
    public required int Order { get; init; }

    /// <summary>Its colour on pages: 0 for the grey of lower bounds, 1 to 7 as in the report's <c>CodecColours</c>, or another
    /// number.</summary>
    public required int Colour { get; init; }

    /// <summary>The kinds of buffers of its hive cells; empty without such cells.</summary>
    public IReadOnlyList<string> Buffers { get; init; } = [];

    /// <summary>The memory forms of its hive cells, in addition to the library's default.</summary>
    public IReadOnlyList<string> MemoryForms { get; init; } = [];

    /// <summary>The name of the package; null if no package is measured.</summary>
    public string? Package { get; init; }

    /// <summary>The loaded assembly, whose version every table shows.</summary>
    public Assembly? Assembly { get; init; }

    /// <summary>The functions that read and write the hive; null for a library without cells that do.</summary>
    public LibraryCodec? Codec { get; init; }

    /// <summary>The functions that read and write groups of colors; null for a library without such cells.</summary>
    public ColorFormat? ColorGroups { get; init; }

    /// <summary>Whether it has a format of its own instead of protobuf's.</summary>
    public bool HasOwnFormat { get; init; }

    /// <summary>Gets package and version as in every table: "Google.Protobuf 3.25.1". Without a package it is the label.</summary>
    public string PackageAndVersion => Package is null ? Label : $"{Package} {Version}";

    /// <summary>Gets the loaded version, without the commit after the plus.</summary>
    public string Version =>
        (Assembly?.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion
        ?? Assembly?.GetName().Version?.ToString() ?? "?").Split('+')[0];

    /// <summary>Returns the size of <paramref name="message"/> in the library's format.</summary>
    public int BytesOf(HiveMessage message) =>
        sizes.GetOrAdd((Codec?.Payload ?? protobuf, message), static of => of.Payload(of.Message).Length);
}

/// <summary>Represents the functions with which validation and tests read and write the hive's messages. Cells do not use it, because they
/// call the library directly.</summary>
/// <param name="ParseRequest">Reads a request.</param>
/// <param name="ParseResponse">Reads a response.</param>
/// <param name="Write">Writes a message of this library.</param>
/// <param name="FingerprintOf">Returns the content of a message of this library; null for an object of another type.</param>
public sealed record LibraryCodec(
    Func<byte[], object> ParseRequest,
    Func<byte[], object> ParseResponse,
    Func<object, byte[]> Write,
    Func<object, Fingerprint?> FingerprintOf)
{
    /// <summary>The bytes that the library's cells read. A library with another format than protobuf sets its own golden bytes
    /// here.</summary>
    public Func<HiveMessage, byte[]> Payload { get; init; } = ProtobufPayload;

    /// <summary>The bytes that the library has to write for a message that it has read from <see cref="Payload"/>; null for the same
    /// bytes.</summary>
    public Func<HiveMessage, byte[]>? Written { get; init; }

    /// <summary>Reads a message.</summary>
    /// <param name="message">The message in <paramref name="wire"/>.</param>
    /// <param name="wire">The bytes.</param>
    public object Parse(HiveMessage message, byte[] wire) => message == HiveMessage.Response ? ParseResponse(wire) : ParseRequest(wire);

    /// <summary>Returns the bytes that the library has to write for <paramref name="message"/>.</summary>
    public byte[] Golden(HiveMessage message) => (Written ?? Payload)(message);

    /// <summary>Returns the hive's messages in protobuf's format, as cells read them.</summary>
    public static byte[] ProtobufPayload(HiveMessage message) => message switch
    {
        HiveMessage.Request => Hive.Request(),
        HiveMessage.Response => Hive.Response(),
        _ => Hive.Mixed(),
    };

    /// <summary>Returns the hive's messages in protobuf's format, as a library writes them.</summary>
    /// <param name="mixed">How the library treats the order of fields and unknown fields.</param>
    public static Func<HiveMessage, byte[]> ProtobufWritten(MixedOrder mixed) =>
        message => message == HiveMessage.Mixed ? Hive.Mixed(mixed) : ProtobufPayload(message);
}
