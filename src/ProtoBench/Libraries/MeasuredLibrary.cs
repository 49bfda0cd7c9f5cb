using System.Collections.Concurrent;
using System.Reflection;
using ProtoBench.Payloads;
using ProtoBench.Results;

namespace ProtoBench;

/// <summary>What tables and pages need of a library. It is never used inside a measurement.</summary>
/// <param name="Cell">The name of the library in cells: Google, PBN.</param>
/// <param name="Package">The name of the package; null if no package is measured.</param>
/// <param name="Codec">The functions that read and write the hive; null for a library without cells that do.</param>
public sealed record MeasuredLibrary(
    string Cell, string Label, int Order, string? Package = null, Assembly? Assembly = null, LibraryCodec? Codec = null,
    ColorFormat? ColorGroups = null, bool HasOwnFormat = false)
{
    // by payload, because libraries with one format share it
    static readonly ConcurrentDictionary<(Func<HiveMessage, byte[]> Payload, HiveMessage Message), int> sizes = new();
    static readonly Func<HiveMessage, byte[]> protobuf = LibraryCodec.ProtobufPayload;

    public IReadOnlyList<string> Buffers { get; init; } = [];

    /// <summary>The memory forms of its hive cells, in addition to the library's default.</summary>
    public IReadOnlyList<string> MemoryForms { get; init; } = [];

    /// <summary>Whether its cells call code that is generated from the .proto file for the plain classes. They do not take a class of the
    /// user.</summary>
    public bool NeedsSchema { get; init; }

    /// <summary>Gets package and version as in every table: "Google.Protobuf 3.25.1". Without a package it is the label.</summary>
    public string PackageAndVersion => Package is null ? Label : $"{Package} {Version}";

    public string Version =>
        (Assembly?.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion
        ?? Assembly?.GetName().Version?.ToString() ?? "?").Split('+')[0];

    public int BytesOf(HiveMessage message) =>
        sizes.GetOrAdd((Codec?.Payload ?? protobuf, message), static of => of.Payload(of.Message).Length);
}

/// <summary>For validation and tests. Cells do not use it, because they call the library directly.</summary>
/// <param name="FingerprintOf">Returns the content of a message of this library; null for an object of another type.</param>
public sealed record LibraryCodec(
    Func<byte[], object> ParseRequest,
    Func<byte[], object> ParseResponse,
    Func<object, byte[]> Write,
    Func<object, Fingerprint?> FingerprintOf)
{
    /// <summary>The bytes that the library's cells read. A library with another format than protobuf sets its own here.</summary>
    public Func<HiveMessage, byte[]> Payload { get; init; } = ProtobufPayload;

    /// <summary>What the library writes for a message that it has read from <see cref="Payload"/>; null for the same bytes.</summary>
    public Func<HiveMessage, byte[]>? Written { get; init; }

    public object Parse(HiveMessage message, byte[] wire) => message == HiveMessage.Response ? ParseResponse(wire) : ParseRequest(wire);

    public byte[] Golden(HiveMessage message) => (Written ?? Payload)(message);

    /// <summary>Returns the hive's messages in protobuf's format, as cells read them.</summary>
    public static byte[] ProtobufPayload(HiveMessage message) => message switch
    {
        HiveMessage.Request => Hive.Request(),
        HiveMessage.Response => Hive.Response(),
        _ => Hive.Mixed(),
    };

    public static Func<HiveMessage, byte[]> ProtobufWritten(MixedOrder mixed) =>
        message => message == HiveMessage.Mixed ? Hive.Mixed(mixed) : ProtobufPayload(message);
}
